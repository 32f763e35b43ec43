import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  bodyValues,
  messageBytes,
  readMessages,
  textsBody,
  type BusHeader,
  type BusBody,
  type BusMessage,
} from '../../src-main/desktop/linux/bus-message.ts';

/** The desktop's portal for settings, on a real bus, which checks every message that passes through it. */
export interface PrivatePortal {
  /** The user chooses another: 0 no preference, 1 dark, 2 light. It sends a signal. */
  choose(scheme: number): void;
  close(): void;
}

const name = 'org.freedesktop.portal.Desktop';
const path = '/org/freedesktop/portal/desktop';
const settings = 'org.freedesktop.portal.Settings';
const group = 'org.freedesktop.appearance';
const bus = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/** Starts one. Portals before 2022 have `Read` only, which answers with a variant within a variant. */
export async function startPrivatePortal(
  { DBUS_SESSION_BUS_ADDRESS: address = '' }: Record<string, string>,
  first: number,
  { isOld = false } = {},
): Promise<PrivatePortal> {
  let scheme = first;
  let serial = 0;
  const socket = await signedIn(address);
  const send = (kind: BusMessage['kind'], header: BusHeader, body?: BusBody): void =>
    void socket.write(messageBytes(kind, (serial += 1), header, body));

  function answer({ serial: replyTo, sender = '', member, ...call }: BusMessage): void {
    const header = { replyTo, destination: sender };
    const isAsked = bodyValues(call).join() === `${group},color-scheme`;
    if (member === 'Read' && isAsked) {
      const nested = Buffer.concat([Buffer.from([1, ...Buffer.from('v'), 0]), numberVariant(scheme, 3)]);
      send('return', header, { signature: 'v', bytes: nested });
    } else if (member === 'ReadOne' && isAsked && !isOld)
      send('return', header, { signature: 'v', bytes: numberVariant(scheme, 0) });
    else send('error', { ...header, errorName: 'org.freedesktop.DBus.Error.UnknownMethod' }, textsBody('None here.'));
  }

  const owned = Promise.withResolvers<void>();
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const { messages, rest } = readMessages(Buffer.concat([received, chunk]));
    received = Buffer.from(rest);
    for (const message of messages) {
      if (message.kind === 'call') answer(message);
      if (message.replyTo === 2) owned.resolve();
    }
  });
  send('call', { ...bus, member: 'Hello' });
  const wanted = textsBody(name);
  send('call', { ...bus, member: 'RequestName' }, { signature: 'su', bytes: withNumber(wanted.bytes, 0) });
  await owned.promise;
  return {
    choose(next) {
      scheme = next;
      const { bytes } = textsBody(group, 'color-scheme');
      const body = { signature: 'ssv', bytes: Buffer.concat([bytes, numberVariant(next, bytes.length)]) };
      send('signal', { path, interface: settings, member: 'SettingChanged' }, body);
    },
    close: () => void socket.destroy(),
  };
}

async function signedIn(address: string): Promise<Socket> {
  const [, kind, place = ''] = /unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(address) ?? [];
  const socket = connect(kind === 'abstract' ? `\0${place}` : decodeURIComponent(place));
  socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`);
  await once(socket, 'data');
  socket.write('BEGIN\r\n');
  return socket;
}

function withNumber(bytes: Buffer, value: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4), numberBytes(value)]);
}

/** A variant with a number in it, as it is at this place of a body: a number begins at a multiple of four. */
function numberVariant(value: number, at: number): Buffer {
  const signature = [1, ...Buffer.from('u'), 0];
  return Buffer.concat([
    Buffer.from(signature),
    Buffer.alloc((4 - ((at + signature.length) % 4)) % 4),
    numberBytes(value),
  ]);
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
