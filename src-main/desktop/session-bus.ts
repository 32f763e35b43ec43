import { connect, type Socket } from 'node:net';

/** The bus name of the program that draws tray icons on Linux. GNOME has none without an extension. */
export const trayWatcher = 'org.kde.StatusNotifierWatcher';

const answerMs = 2_000;

/**
 * Whether a name on the session's bus has an owner. Null if that cannot be found out: no bus, another kind of address,
 * no answer.
 */
export async function hasBusOwner(name: string, environment: NodeJS.ProcessEnv): Promise<boolean | null> {
  const path = /unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(environment['DBUS_SESSION_BUS_ADDRESS'] ?? '');
  const [, kind, place] = path ?? [];
  if (place === undefined) return null;
  const socket = connect(kind === 'abstract' ? `\0${place}` : decodeURIComponent(place));
  try {
    return await ask(socket, name);
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

function ask(socket: Socket, name: string): Promise<boolean | null> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean | null>();
  socket.setTimeout(answerMs, () => resolve(null));
  socket.once('error', reject);
  socket.once('close', () => resolve(null));
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  let received = Buffer.alloc(0);
  let isIn = false;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (!isIn) {
      const end = received.indexOf('\r\n');
      if (end < 0) return;
      if (!received.subarray(0, end).toString().startsWith('OK ')) return resolve(null);
      received = received.subarray(end + 2);
      isIn = true;
      socket.write('BEGIN\r\n');
      socket.write(Buffer.concat([callOf(1, 'Hello', null), callOf(askSerial, 'NameHasOwner', name)]));
    }
    const answer = answerIn(received);
    if (answer !== undefined) resolve(answer);
  });
  return promise;
}

const askSerial = 2;
const bus = 'org.freedesktop.DBus';

/** A method call to the bus itself, in its wire format (D-Bus Specification: Message Protocol), little-endian. */
function callOf(serial: number, member: string, argument: string | null): Buffer {
  const body = argument === null ? Buffer.alloc(0) : stringOf(argument);
  const fields = [
    field(1, 'o', stringOf('/org/freedesktop/DBus')),
    field(2, 's', stringOf(bus)),
    field(3, 's', stringOf(member)),
    field(6, 's', stringOf(bus)),
    ...(argument === null ? [] : [field(8, 'g', Buffer.from([1, ...Buffer.from('s'), 0]))]),
  ];
  let array = Buffer.alloc(0);
  for (const one of fields) array = Buffer.concat([padded(array, 8), one]);
  const head = Buffer.alloc(16);
  head.write('l');
  head[1] = 1;
  head[3] = 1;
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(array.length, 12);
  return Buffer.concat([padded(Buffer.concat([head, array]), 8), body]);
}

function field(code: number, type: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code, 1, ...Buffer.from(type), 0]), value]);
}

function stringOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes, Buffer.from([0])]);
}

function padded(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);
}

/** The answer to our call in the received bytes, or undefined if it is not there yet. */
function answerIn(received: Buffer): boolean | null | undefined {
  let at = 0;
  while (received.length - at >= 16) {
    const bodyBytes = received.readUInt32LE(at + 4);
    const fieldBytes = received.readUInt32LE(at + 12);
    const bodyAt = at + 16 + fieldBytes + ((8 - (fieldBytes % 8)) % 8);
    if (received.length < bodyAt + bodyBytes) return undefined;
    const fields = received.subarray(at + 16, at + 16 + fieldBytes);
    // Field 5, a number: the call that this message answers.
    const reply = fields.indexOf(Buffer.from([5, 1, ...Buffer.from('u'), 0]));
    if (reply >= 0 && fields.readUInt32LE(reply + 4) === askSerial) {
      const isReturn = received[at + 1] === 2;
      return isReturn && bodyBytes >= 4 ? received.readUInt32LE(bodyAt) !== 0 : null;
    }
    at = bodyAt + bodyBytes;
  }
  return undefined;
}
