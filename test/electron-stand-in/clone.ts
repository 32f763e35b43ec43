import { deserialize, serialize } from 'node:v8';
import { createCodec } from './page/codec.ts';
import type { Encoded } from './page/codec.ts';

const codec = createCodec({
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  decode: (text) => new Uint8Array(Buffer.from(text, 'base64')),
});

/** A structured clone, with Electron's message if the value cannot be cloned. */
export function clone(value: unknown): unknown {
  let copy: unknown;
  try {
    copy = deserialize(serialize(value));
  } catch {
    throw new Error('An object could not be cloned.');
  }
  return copy;
}

/** Encodes a value for a page. Throws what Electron throws for a value that cannot be cloned. */
export function toPage(value: unknown): Encoded {
  return codec.encode(clone(value));
}

/** Decodes a value from a page. */
export function fromPage(encoded: Encoded): unknown {
  return codec.decode(encoded);
}
