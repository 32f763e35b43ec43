/**
 * Cuts the texts of members and elements out of JSON that JSON.parse has taken already. Bodies are kept as these
 * cuts, never as a value written out again, so that big numbers, `1.0`, key order and doubled keys stay as the
 * service sent them. Every function here relies on valid JSON and does not check it.
 */

/** A member of an object: its name, and where its key, its value and it begin and end. */
export interface MemberSpan {
  name: string;
  /** Where its key begins. */
  start: number;
  valueStart: number;
  end: number;
}

/** The members of the object that `text` is, in order, doubled keys included. Empty when it is no object. */
export function memberSpans(text: string): MemberSpan[] {
  const members: MemberSpan[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return members;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const start = at;
    const keyEnd = valueEnd(text, start);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, valueStart);
    members.push({ name: keyOf(text.slice(start, keyEnd)), start, valueStart, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/**
 * Text of each member's value, by key, of the object `text` is. The last of doubled keys wins, as in JSON.parse. Empty
 * when `text` is no object.
 */
export function memberTexts(text: string): Map<string, string> {
  return new Map(memberSpans(text).map(({ name, valueStart, end }) => [name, text.slice(valueStart, end)]));
}

/** Most keys have no escapes, and there are many in a stream. */
function keyOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** Text of each element of the array `text` is. Empty when it is none. */
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

/** Where the value that starts at `at` ends. */
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

/** Behind the quote that closes the string opened at `at`; the text's end where none does. */
export function stringEnd(text: string, at: number): number {
  const end = closedStringEnd(text, at);
  return end === -1 ? text.length : end;
}

/** Behind the quote that closes the string opened at `at`; -1 where none does. */
export function closedStringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1))
    if (!isEscaped(text, quote)) return quote + 1;
  return -1;
}

/** Whether an odd number of backslashes is before the quote at `quoteAt`. */
export function isEscaped(text: string, quoteAt: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quoteAt - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

/** Behind the blank space that JSON allows from `at` on. */
export function skipSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.exec(text);
  return space.lastIndex;
}

/** The parsed value, or undefined for a text that is no JSON. */
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
