/**
 * Checks JSON in bytes of UTF-8 and finds its parts, without making values: a reply may have many megabytes and any
 * depth, and its bodies are saved as these parts. No function here is recursive.
 */

/** A range of bytes, from `start` up to and without `end`. */
export interface Span {
  start: number;
  end: number;
}

/** A member of an object: the range of its value, and how many levels that nests. */
export interface Member extends Span {
  name: string;
  depth: number;
}

export interface JsonScanner {
  /** The index after the spaces at `from`. */
  skipSpace(from: number): number;
  /** The index after the value at `from`. -1 if it is invalid or incomplete. */
  valueEnd(from: number): number;
  /**
   * Visits the members of the object at `from`, in order, each when it is complete. Returns where the object ends, or
   * -1.
   */
  members(from: number, visit: (member: Member) => void): number;
  /**
   * Visits the elements of the list at `from`, each when a comma or the list's end follows. Returns where the list
   * ends, or -1.
   */
  elements(from: number, visit: (start: number, end: number) => void): number;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

const words = new Map(
  [
    ['t', 'true'],
    ['f', 'false'],
    ['n', 'null'],
  ].map(([first = '', word = '']) => [first.charCodeAt(0), Buffer.from(word)]),
);
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** A scanner of JSON in UTF-8 bytes. It makes no values and needs no stack, however deeply the text is nested. */
export function createJsonScanner(bytes: Uint8Array): JsonScanner {
  /** Whether each open level is an object. */
  let levels = new Uint8Array(64);
  let deepest = 0;

  function open(depth: number, isObject: boolean): number {
    if (depth === levels.length) {
      const more = new Uint8Array(depth * 2);
      more.set(levels);
      levels = more;
    }
    levels[depth] = isObject ? 1 : 0;
    if (depth + 1 > deepest) deepest = depth + 1;
    return depth + 1;
  }

  function valueEnd(from: number): number {
    let depth = 0;
    deepest = 0;
    let at = from;
    while (at !== -1) {
      const first = bytes[at];
      if (first === openObject || first === openList) {
        depth = open(depth, first === openObject);
        at = skipSpace(bytes, at + 1);
        if (bytes[at] !== (first === openObject ? closeObject : closeList)) {
          if (first === openObject) at = valueStart(bytes, at);
          continue;
        }
        depth -= 1;
        at += 1;
      } else {
        at = scalarEnd(bytes, at);
        if (at === -1) return -1;
      }
      // After a value: closes what ends with it, and continues with the next.
      for (;;) {
        if (depth === 0) return at;
        at = skipSpace(bytes, at);
        const isObject = levels[depth - 1] === 1;
        const next = bytes[at];
        if (next === comma) {
          at = skipSpace(bytes, at + 1);
          if (isObject) at = valueStart(bytes, at);
          break;
        }
        if (next !== (isObject ? closeObject : closeList)) return -1;
        depth -= 1;
        at += 1;
      }
    }
    return -1;
  }

  return {
    skipSpace: (from) => skipSpace(bytes, from),
    valueEnd,
    members(from, visit) {
      let at = skipSpace(bytes, from + 1);
      if (bytes[at] === closeObject) return at + 1;
      for (;;) {
        const start = valueStart(bytes, at);
        if (start === -1) return -1;
        const name = keyAt(bytes, at);
        const end = valueEnd(start);
        if (end === -1) return -1;
        const next = skipSpace(bytes, end);
        visit({ name, start, end, depth: deepest });
        if (bytes[next] === closeObject) return next + 1;
        if (bytes[next] !== comma) return -1;
        at = skipSpace(bytes, next + 1);
      }
    },
    elements(from, visit) {
      let at = skipSpace(bytes, from + 1);
      if (bytes[at] === closeList) return at + 1;
      for (;;) {
        const end = valueEnd(at);
        if (end === -1) return -1;
        const next = skipSpace(bytes, end);
        if (bytes[next] !== comma && bytes[next] !== closeList) return -1;
        visit(at, end);
        if (bytes[next] === closeList) return next + 1;
        at = skipSpace(bytes, next + 1);
      }
    },
  };
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at])
    at += 1;
  return at;
}

function stringEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === undefined || byte < 0x20) return -1;
    if (byte !== backslash) continue;
    at += 1;
    const escape = bytes[at] ?? 0;
    if (escape === 0x75) {
      for (let digit = 0; digit < 4; digit += 1) if (!isHexDigit(bytes[(at += 1)] ?? 0)) return -1;
    } else if (!escapes.has(escape)) return -1;
  }
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at] ?? 0)) at += 1;
  return at === from ? -1 : at;
}

function numberEnd(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === 0x2d ? from + 1 : from;
  let at = bytes[first] === 0x30 ? first + 1 : digitsEnd(bytes, first);
  if (at !== -1 && bytes[at] === 0x2e) at = digitsEnd(bytes, at + 1);
  if (at === -1 || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at;
  const sign = bytes[at + 1];
  return digitsEnd(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
}

function scalarEnd(bytes: Uint8Array, from: number): number {
  const byte = bytes[from] ?? 0;
  if (byte === quote) return stringEnd(bytes, from);
  const word = words.get(byte);
  if (word === undefined) return numberEnd(bytes, from);
  return word.every((letter, index) => bytes[from + index] === letter) ? from + word.length : -1;
}

/** Where the value of the key at `from` begins. */
function valueStart(bytes: Uint8Array, from: number): number {
  const keyEnd = bytes[from] === quote ? stringEnd(bytes, from) : -1;
  if (keyEnd === -1) return -1;
  const at = skipSpace(bytes, keyEnd);
  return bytes[at] === colon ? skipSpace(bytes, at + 1) : -1;
}

/** Where the JSON of a reply begins: after a byte order mark and spaces. */
export function startOfJson(bytes: Uint8Array): number {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return skipSpace(bytes, mark);
}

/** The same memory as a Buffer, which decodes texts fastest. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The bytes of a range as text. Invalid UTF-8 becomes U+FFFD. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return bufferOf(bytes).toString('utf8', start, end);
}

/** The key at `start`, which is a complete string. */
function keyAt(bytes: Uint8Array, start: number): string {
  let end = start + 1;
  let isEscaped = false;
  for (; bytes[end] !== quote; end += 1) {
    if (bytes[end] !== backslash) continue;
    isEscaped = true;
    end += 1;
  }
  return isEscaped ? String(JSON.parse(textAt(bytes, start, end + 1))) : textAt(bytes, start + 1, end);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
