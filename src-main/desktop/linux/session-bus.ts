import { connect, type Socket } from 'node:net';
import { within } from '../../time/timers.ts';
import { bodyValues, messageBytes, readMessages, textsBody, type BusBody, type BusMessage } from './bus-message.ts';

/** The bus name of the program that draws tray icons on Linux. GNOME has none without an extension. */
export const trayWatcher = 'org.kde.StatusNotifierWatcher';

const answerMs = 2_000;

/** A call of a program on the session's bus. */
interface BusCall {
  destination: string;
  path: string;
  interface: string;
  member: string;
  body?: BusBody;
}

/** A connection to the session's bus. */
export interface SessionBus {
  /** The answer, which may be an error. Null if the connection ended first. */
  call(call: BusCall): Promise<BusMessage | null>;
  /** Calls the listener with each signal that matches the rule (D-Bus Specification: Match Rules). */
  onSignal(rule: string, listener: (signal: BusMessage) => void): void;
  close(): void;
}

const bus = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/** Connects to the session's bus. Null if there is none, at another kind of address, or it does not answer. */
export async function openSessionBus(environment: NodeJS.ProcessEnv): Promise<SessionBus | null> {
  const path = /unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(environment['DBUS_SESSION_BUS_ADDRESS'] ?? '');
  const [, kind, place] = path ?? [];
  if (place === undefined) return null;
  const socket = connect(kind === 'abstract' ? `\0${place}` : decodeURIComponent(place));
  const isIn = Promise.withResolvers<boolean>();
  const opened = conversation(socket, isIn.resolve);
  if ((await within(isIn.promise, answerMs)) === true) return opened;
  opened.close();
  return null;
}

/** Signs in, and then passes on what is received: answers to their calls, signals to the listeners. */
function conversation(socket: Socket, onSignedIn: (isIn: boolean) => void): SessionBus {
  const waiting = new Map<number, (answer: BusMessage | null) => void>();
  const listeners: ((signal: BusMessage) => void)[] = [];
  let lastSerial = 0;
  let isIn = false;
  let received: Buffer = Buffer.alloc(0);

  function call(wanted: BusCall): Promise<BusMessage | null> {
    const { body, ...header } = wanted;
    lastSerial += 1;
    const answer = Promise.withResolvers<BusMessage | null>();
    if (socket.destroyed) answer.resolve(null);
    else {
      waiting.set(lastSerial, answer.resolve);
      socket.write(messageBytes('call', lastSerial, header, body));
    }
    return answer.promise;
  }

  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (!isIn) {
      const end = received.indexOf('\r\n');
      if (end < 0) return;
      isIn = received.subarray(0, end).toString().startsWith('OK ');
      onSignedIn(isIn);
      if (!isIn) return;
      received = received.subarray(end + 2);
      socket.write('BEGIN\r\n');
      void call({ ...bus, member: 'Hello' });
    }
    const { messages, rest } = readMessages(received);
    received = rest;
    for (const message of messages) {
      if (message.kind === 'signal') for (const listener of listeners) listener(message);
      if (message.replyTo === undefined) continue;
      waiting.get(message.replyTo)?.(message);
      waiting.delete(message.replyTo);
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    onSignedIn(false);
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  return {
    call,
    onSignal(rule, listener) {
      listeners.push(listener);
      void call({ ...bus, member: 'AddMatch', body: textsBody(rule) });
    },
    close: () => void socket.destroy(),
  };
}

/** Whether a name on the session's bus has an owner. Null if that cannot be found out. */
export async function hasBusOwner(name: string, environment: NodeJS.ProcessEnv): Promise<boolean | null> {
  const opened = await openSessionBus(environment);
  if (opened === null) return null;
  const answer = await within(opened.call({ ...bus, member: 'NameHasOwner', body: textsBody(name) }), answerMs);
  opened.close();
  if (answer?.kind !== 'return') return null;
  const [hasOwner] = bodyValues(answer);
  return hasOwner === undefined ? null : hasOwner !== 0;
}
