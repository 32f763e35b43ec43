/** D-Bus messages in their wire format (D-Bus Specification: Message Protocol), little-endian, as far as used here. */

const kinds = ['invalid', 'call', 'return', 'error', 'signal'] as const;

/** Where a message leads or comes from, and which call it answers. */
export interface BusHeader {
  path?: string;
  interface?: string;
  member?: string;
  errorName?: string;
  replyTo?: number;
  destination?: string;
  sender?: string;
}

export interface BusMessage extends BusHeader {
  kind: (typeof kinds)[number];
  serial: number;
  signature: string;
  body: Buffer;
}

/** Codes of the header's fields, and their types. */
const fieldCodes = [
  ['path', 1, 'o'],
  ['interface', 2, 's'],
  ['member', 3, 's'],
  ['errorName', 4, 's'],
  ['replyTo', 5, 'u'],
  ['destination', 6, 's'],
  ['sender', 7, 's'],
] as const;
const signatureCode = 8;

/** The body of a message: its types, and their values as bytes. */
export interface BusBody {
  signature: string;
  bytes: Buffer;
}

/** A body of texts alone. */
export function textsBody(...texts: string[]): BusBody {
  let bytes = Buffer.alloc(0);
  for (const text of texts) bytes = Buffer.concat([padded(bytes, 4), textBytes(text)]);
  return { signature: 's'.repeat(texts.length), bytes };
}

/** One message as bytes. */
export function messageBytes(
  kind: BusMessage['kind'],
  serial: number,
  header: BusHeader,
  body: BusBody = textsBody(),
): Buffer {
  let fields = Buffer.alloc(0);
  const add = (code: number, type: string, value: Buffer): void => {
    const field = Buffer.from([code, 1, ...Buffer.from(type), 0]);
    fields = Buffer.concat([padded(fields, 8), field, value]);
  };
  for (const [name, code, type] of fieldCodes) {
    const value = header[name];
    if (value === undefined) continue;
    add(code, type, typeof value === 'number' ? numberBytes(value) : textBytes(value));
  }
  if (body.signature !== '') add(signatureCode, 'g', signatureBytes(body.signature));
  const start = Buffer.from([...Buffer.from('l'), kinds.indexOf(kind), 0, 1]);
  const sizes = [numberBytes(body.bytes.length), numberBytes(serial), numberBytes(fields.length)];
  return Buffer.concat([padded(Buffer.concat([start, ...sizes, fields]), 8), body.bytes]);
}

/** The whole messages at the start of what was received, and the bytes after them. */
export function readMessages(received: Buffer): { messages: BusMessage[]; rest: Buffer } {
  const messages: BusMessage[] = [];
  let rest = received;
  while (rest.length >= 16) {
    const bodyBytes = rest.readUInt32LE(4);
    const fieldsEnd = 16 + rest.readUInt32LE(12);
    const bodyAt = aligned(fieldsEnd, 8);
    if (rest.length < bodyAt + bodyBytes) break;
    messages.push({
      kind: kinds[rest[1] ?? 0] ?? 'invalid',
      serial: rest.readUInt32LE(8),
      ...readFields(rest.subarray(16, fieldsEnd)),
      body: rest.subarray(bodyAt, bodyAt + bodyBytes),
    });
    rest = rest.subarray(bodyAt + bodyBytes);
  }
  return { messages, rest };
}

function readFields(fields: Buffer): BusHeader & { signature: string } {
  const header: BusHeader & { signature: string } = { signature: '' };
  let at = 0;
  for (;;) {
    at = aligned(at, 8);
    const code = fields[at];
    const [value] = readFrom(fields, at + 1, 'v', (end) => (at = end));
    if (code === undefined || value === undefined) return header;
    if (code === signatureCode) header.signature = String(value);
    const name = fieldCodes.find((field) => field[1] === code)?.[0];
    if (name === 'replyTo') header.replyTo = Number(value);
    else if (name !== undefined) header[name] = String(value);
  }
}

/**
 * The values in a body, up to the first of a type that is not used here. A variant is read as what is in it, even if
 * that is a variant again.
 */
export function bodyValues({ signature, body }: Pick<BusMessage, 'signature' | 'body'>): (string | number)[] {
  return readFrom(body, 0, signature, () => undefined);
}

function readFrom(bytes: Buffer, start: number, types: string, onEnd: (end: number) => void): (string | number)[] {
  const values: (string | number)[] = [];
  let at = start;
  const fits = (size: number): boolean => at + size <= bytes.length;
  for (const written of types) {
    let type = written;
    while (type === 'v') {
      const length = bytes[at] ?? 0;
      type = bytes.toString('latin1', at + 1, at + 1 + length);
      at += length + 2;
    }
    if (type === 'g') {
      const length = bytes[at] ?? 0;
      if (!fits(length + 2)) break;
      values.push(bytes.toString('latin1', at + 1, at + 1 + length));
      at += length + 2;
    } else if ('sobu'.includes(type) && type.length === 1) {
      at = aligned(at, 4);
      if (!fits(4)) break;
      const number = bytes.readUInt32LE(at);
      at += 4;
      if (type === 'b' || type === 'u') values.push(number);
      else {
        if (!fits(number + 1)) break;
        values.push(bytes.toString('utf8', at, at + number));
        at += number + 1;
      }
    } else break;
    onEnd(at);
  }
  return values;
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([numberBytes(bytes.length), bytes, Buffer.from([0])]);
}

/** The bytes of a signature, which has its length in one byte. */
function signatureBytes(signature: string): Buffer {
  return Buffer.from([signature.length, ...Buffer.from(signature), 0]);
}

function aligned(at: number, to: number): number {
  return at + ((to - (at % to)) % to);
}

function padded(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length, to) - bytes.length)]);
}
