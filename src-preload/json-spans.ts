/**
 * Cuts the texts of members and elements out of valid JSON. Bodies are kept as these texts and never written again from
 * values, so that large numbers, `1.0`, key order and duplicate keys stay as the service sent them. No function here
 * checks that the JSON is valid.
 */

/**
 * The text of each member's value of an object, by key. The last of duplicate keys wins, as in JSON.parse. Empty if
 * `text` is not an object.
 */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return members;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = valueEnd(text, at);
    const key = keyOf(text.slice(at, keyEnd));
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = valueEnd(text, from);
    members.set(key, text.slice(from, to));
    at = skipSpace(text, to);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/** Most keys have no escapes, and a stream has many keys. */
function keyOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The text of each element of an array. Empty if `text` is not an array. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '[') return elements;
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== ']') {
    const to = valueEnd(text, at);
    elements.push(text.slice(at, to));
    at = skipSpace(text, to);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return elements;
}

const space = /[ \t\n\r]*/y;
const scalar = /[^\s,\]}]*/y;
const structural = /["[\]{}]/g;
const backslash = 92;

/** The end of the value that begins at `at`. */
function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first !== '{' && first !== '[') {
    scalar.lastIndex = at;
    scalar.exec(text);
    return scalar.lastIndex;
  }
  let depth = 0;
  for (let next = at; ;) {
    structural.lastIndex = next;
    const found = structural.exec(text);
    if (found === null) return text.length;
    if (found[0] === '"') {
      next = stringEnd(text, found.index);
      continue;
    }
    depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    next = found.index + 1;
    if (depth === 0) return next;
  }
}

/** The index after the closing quote of the string at `at`, or the text's end without one. */
export function stringEnd(text: string, at: number): number {
  const end = closedStringEnd(text, at);
  return end === -1 ? text.length : end;
}

/** The index after the closing quote of the string at `at`, or -1 without one. */
export function closedStringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1))
    if (!isEscaped(text, quote)) return quote + 1;
  return -1;
}

/** Whether the quote at `quoteAt` is escaped: an odd number of backslashes precedes it. */
export function isEscaped(text: string, quoteAt: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quoteAt - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

/** The index after the white space at `at`. */
export function skipSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.exec(text);
  return space.lastIndex;
}

/** The parsed value, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Decoded text of a string token (with its quotes), or the raw inside when it is cut or broken. */
export function decodeString(token: string): string {
  try {
    const value: unknown = JSON.parse(token);
    if (typeof value === 'string') return value;
  } catch {
    // A cut token has no closing quote; its raw inside is the best there is.
  }
  return token.replace(/^"/, '');
}

/** Whether a value from JSON is an object: not an array and not null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
