import { closedStringEnd, parseJson } from '../../../src-preload/json-spans.ts';

/** The words in a body that a user might search for: the keys, strings and numbers of its JSON. Pure. */

/** A string of this length without a blank is data, not words. */
const dataFromChars = 1_024;
const blank = /\s/;
const dataRun = new RegExp(`[^\\s]{${dataFromChars + 1},}`, 'g');
/** Base64 with line breaks, as in mails and PEM files. */
const wrappedData = /^[A-Za-z0-9+/_\-\r\n]+(?:=+\s*|[^\S\r\n]\s*)?$/;
/** A longer body or chunk is not parsed for the index: the strings in its beginning are extracted. */
export const parsedChars = 1_048_576;
export const scannedChars = 4_194_304;
/** Errors are often JSON in a JSON string (field notes: Status and result). Deeper nesting does not occur. */
const nestedDepth = 3;

/** The words of a text that is JSON, or else the text itself. At most `cap` characters. */
export function proseOfBody(text: string, cap: number): string {
  const words = collector(cap);
  if (text.length > parsedChars) {
    if (/^\s*[[{"]/.test(text)) scanStrings(text.slice(0, scannedChars), words);
    else words.add(text.slice(0, scannedChars));
    return words.text();
  }
  const value = parseJson(text);
  if (value === undefined) words.add(text);
  else collect(value, words);
  return words.text();
}

interface Words {
  add(piece: string): void;
  isFull(): boolean;
  text(): string;
}

function collector(cap: number): Words {
  const pieces: string[] = [];
  let chars = 0;
  return {
    add(piece) {
      if (chars >= cap) return;
      const kept = withoutData(
        piece.length > 2 * cap + dataFromChars ? piece.slice(0, 2 * cap + dataFromChars) : piece,
      ).slice(0, cap - chars);
      if (kept === '') return;
      pieces.push(kept);
      chars += kept.length + 1;
    },
    isFull: () => chars >= cap,
    text: () => pieces.join('\n'),
  };
}

/** Leaves out base64 and other data: long runs without a blank. */
export function withoutData(text: string): string {
  if (text.length <= dataFromChars) return text;
  if (wrappedData.test(text)) return '';
  return hasLongRun(text) ? text.replace(dataRun, ' ') : text;
}

/**
 * Whether there is a longer run of characters without a blank than words have. It checks from the end of a possible
 * run, so that prose is skipped in large steps.
 */
function hasLongRun(text: string): boolean {
  let from = 0;
  while (from + dataFromChars < text.length) {
    let at = from + dataFromChars;
    while (at >= from && !blank.test(text.charAt(at))) at -= 1;
    if (at < from) return true;
    from = at + 1;
  }
  return false;
}

/** Adds the keys, strings and numbers of a parsed body. */
function collect(body: unknown, words: Words): void {
  /** If the same name is nested a hundred thousand times, it is added once. */
  let outerName: string | null = null;
  walkJson(body, 0, {
    member(name, nested) {
      if (name !== outerName) words.add(name);
      outerName = name;
      return nested;
    },
    leaf(value, nested) {
      outerName = null;
      if (typeof value === 'number') words.add(String(value));
      if (typeof value !== 'string') return null;
      const inner = nested < nestedDepth && /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
      if (inner !== undefined) return { value: inner, context: nested + 1 };
      words.add(value);
      return null;
    },
    isDone: words.isFull,
  });
}

/** Extracts the string literals of JSON that is too long to parse. */
export function scanStrings(json: string, words: Pick<Words, 'add' | 'isFull'>): void {
  let at = 0;
  while (!words.isFull()) {
    const open = json.indexOf('"', at);
    if (open < 0) return;
    const end = closedStringEnd(json, open);
    if (end === -1) return;
    const literal = parseJson(json.slice(open, end));
    if (typeof literal === 'string') words.add(literal);
    at = end;
  }
}

/** What a walk visits. `C` is the visitor's context of a place, passed from each value to those inside it. */
export interface JsonVisitor<C> {
  /** A member of an object, before its value. Returns the context of that place. */
  member(name: string, context: C): C;
  /** A string, number, boolean or null. A returned value is walked instead: JSON in a string. */
  leaf(value: unknown, context: C): { value: unknown; context: C } | null;
  /** True if nothing more is wanted. */
  isDone(): boolean;
}

/** An array or object on the way down, and the position in it. */
interface Level<C> {
  values: readonly unknown[];
  /** Null for an array. */
  names: readonly string[] | null;
  at: number;
  context: C;
}

/**
 * Walks a value from JSON in the order of its text, however deeply it is nested: a service may send a hundred thousand
 * levels (ruling 43).
 */
export function walkJson<C>(root: unknown, context: C, visitor: JsonVisitor<C>): void {
  const levels: Level<C>[] = [{ values: [root], names: null, at: 0, context }];
  while (!visitor.isDone()) {
    const level = levels.at(-1);
    if (level === undefined) return;
    if (level.at === level.values.length) {
      levels.pop();
      continue;
    }
    const name = level.names?.[level.at];
    let value = level.values[level.at];
    let inner = name === undefined ? level.context : visitor.member(name, level.context);
    level.at += 1;
    while (typeof value !== 'object' || value === null) {
      const replaced = visitor.leaf(value, inner);
      if (replaced === null) break;
      value = replaced.value;
      inner = replaced.context;
    }
    if (Array.isArray(value)) levels.push({ values: value, names: null, at: 0, context: inner });
    else if (typeof value === 'object' && value !== null) {
      levels.push({ values: Object.values(value), names: Object.keys(value), at: 0, context: inner });
    }
  }
}
