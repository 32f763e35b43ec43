import { closedStringEnd, parseJson } from '../../../src-preload/json-spans.ts';

/** The place of the cursor in an unfinished input. */
export interface CursorPlace {
  kind: 'key' | 'value';
  /** The path of keys. For a value, its own key is last. */
  path: string[];
  /** Where the typed text begins, after a quote if there is one. */
  from: number;
  /** Where it ends, including the closing quote. */
  to: number;
  isQuoted: boolean;
  /** Keys that the same object already has. */
  taken: ReadonlySet<string>;
}

interface Level {
  isObject: boolean;
  key: string | null;
  isAfterColon: boolean;
  /** There was a value since the last comma or bracket. */
  hasValue: boolean;
  keys: Set<string>;
}

/** A place, and the object that it is in, with the index of that object among the open ones. */
interface FoundPlace {
  place: Omit<CursorPlace, 'taken'>;
  level: Level;
  depth: number;
}

/** A longer input usually contains a file, and searching it at each key press would cause delays. */
const longest = 300_000;
const word = /[^\s,:{}[\]"]+/y;

/**
 * What the cursor is at, in a text that need not be valid: a key of an object, a value under a key, or (null) anything
 * else, such as an element of a list. Pure.
 */
export function cursorPlace(text: string, cursor: number): CursorPlace | null {
  if (text.length > longest) return null;
  const stack: Level[] = [];
  let found: FoundPlace | null = null;
  let at = 0;
  /** Searched for only once a line: all of an input may be in one. */
  let lineEnd = -1;
  while (at < text.length) {
    const level = stack.at(-1);
    // After the cursor, only the other keys of its object are needed.
    if (found !== null && stack[found.depth] !== found.level) break;
    if (found === null && at >= cursor) {
      found = level === undefined ? null : placeIn(stack, { from: cursor, to: cursor, isQuoted: false });
      if (found === null) return null;
    }
    const char = text.charAt(at);
    if (char === '"' || isWordAt(text, at)) {
      if (lineEnd < at) lineEnd = lineEndAfter(text, at);
      const end = char === '"' ? stringEnd(text, at, lineEnd) : wordEnd(text, at);
      if (
        found === null &&
        at < cursor &&
        (cursor < end.to || (cursor === end.to && !(char === '"' && end.isClosed)))
      ) {
        found = placeIn(stack, { from: char === '"' ? at + 1 : at, to: end.to, isQuoted: char === '"' });
        if (found === null) return null;
      } else {
        take(level, text.slice(at, end.to), char === '"');
      }
      at = end.to;
    } else {
      step(stack, char);
      at += 1;
    }
  }
  if (found === null && cursor >= text.length && stack.length > 0)
    found = placeIn(stack, { from: cursor, to: cursor, isQuoted: false });
  return found === null ? null : { ...found.place, taken: found.level.keys };
}

function isWordAt(text: string, at: number): boolean {
  word.lastIndex = at;
  return word.test(text);
}

function wordEnd(text: string, at: number): { to: number; isClosed: boolean } {
  word.lastIndex = at;
  word.test(text);
  return { to: word.lastIndex, isClosed: true };
}

function lineEndAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** An unclosed string ends with its line. */
function stringEnd(text: string, at: number, lineEnd: number): { to: number; isClosed: boolean } {
  const end = closedStringEnd(text.slice(0, lineEnd), at);
  return end === -1 ? { to: lineEnd, isClosed: false } : { to: end, isClosed: true };
}

function placeIn(stack: readonly Level[], span: { from: number; to: number; isQuoted: boolean }): FoundPlace | null {
  const depth = stack.length - 1;
  const level = stack[depth];
  if (level === undefined || !level.isObject || level.hasValue || stack.some(({ isObject }) => !isObject)) return null;
  const above = stack.slice(0, -1).map(({ key }) => key ?? '');
  if (!level.isAfterColon)
    return level.key === null ? { place: { kind: 'key', path: above, ...span }, level, depth } : null;
  return { place: { kind: 'value', path: [...above, level.key ?? ''], ...span }, level, depth };
}

function take(level: Level | undefined, token: string, isString: boolean): void {
  if (level === undefined) return;
  if (!level.isObject || level.isAfterColon) {
    level.hasValue = true;
    return;
  }
  const read = isString ? parseJson(token) : token;
  level.key = typeof read === 'string' ? read : token;
  level.keys.add(level.key);
}

function step(stack: Level[], char: string): void {
  const level = stack.at(-1);
  if (char === '{' || char === '[') {
    stack.push({ isObject: char === '{', key: null, isAfterColon: false, hasValue: false, keys: new Set() });
  } else if (char === '}' || char === ']') {
    stack.pop();
    const outer = stack.at(-1);
    if (outer !== undefined) outer.hasValue = true;
  } else if (level !== undefined && char === ':') {
    level.isAfterColon = true;
  } else if (level !== undefined && char === ',') {
    level.isAfterColon = false;
    level.hasValue = false;
    level.key = null;
  }
}
