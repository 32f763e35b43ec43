import { bufferOf } from './json-scan.ts';

/** The numbers that Python writes into JSON, which does not have them. */
const names = [Number.NaN, Infinity, -Infinity].map((number) => Buffer.from(String(number)));
const firstBytes: ReadonlySet<number> = new Set(names.map(([first = 0]) => first));
/** What can be part of a longer word or number. */
const wordBytes: ReadonlySet<number> = new Set(
  Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.+-'),
);
const quote = 0x22;
const backslash = 0x5c;

/**
 * The bytes of a text with the bare words NaN, Infinity and -Infinity as JSON strings, and how many there are. Words
 * within strings stay. Null if there is none.
 */
export function withNumberNamesQuoted(came: Uint8Array): { bytes: Uint8Array<ArrayBuffer>; count: number } | null {
  const bytes = bufferOf(came);
  let count = 0;
  visitNames(bytes, () => (count += 1));
  if (count === 0) return null;
  const named = new Uint8Array(bytes.length + 2 * count);
  let from = 0;
  let to = 0;
  const copy = (end: number): void => {
    named.set(bytes.subarray(from, end), to);
    to += end - from;
    from = end;
  };
  visitNames(bytes, (start, end) => {
    copy(start);
    named[to++] = quote;
    copy(end);
    named[to++] = quote;
  });
  copy(bytes.length);
  return { bytes: named, count };
}

/** In their order. Two passes need no list of them, which would be larger than a reply of nothing else. */
function visitNames(bytes: Buffer, visit: (start: number, end: number) => void): void {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
      continue;
    }
    if (!firstBytes.has(byte ?? quote)) continue;
    const name = names.find((each) => each[0] === byte && each.every((letter, index) => bytes[at + index] === letter));
    if (name === undefined || wordBytes.has(bytes[at - 1] ?? quote) || wordBytes.has(bytes[at + name.length] ?? quote))
      continue;
    visit(at, at + name.length);
    at += name.length - 1;
  }
}

/** The place of the quote that ends the string at `start`, or the end of the text. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
