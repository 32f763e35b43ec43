import { JsonTokens, type JsonTokenKind } from '../../../src-preload/json-tokens.ts';
import { closedStringEnd, decodeString, skipSpace } from '../../../src-preload/json-spans.ts';
import type { CellKind } from '../../../src-preload/batch-table.ts';

/** A value in the text of a body. */
export interface PlacedValue {
  /** Its keys joined by dots. Empty for a body that is no object. */
  path: string;
  kind: Exclude<CellKind, 'image'>;
  /** Where its JSON begins and ends in the text. */
  start: number;
  end: number;
  /** The text ends within it. */
  isCut: boolean;
}

/** Objects are opened down to this depth. Deeper ones, and arrays, are values as a whole. */
const deepest = 3;
/** Longer keys are no names of columns. */
const maxKeyChars = 200;

/**
 * The values of a body with their places, in its order. The last of duplicate keys counts, as in JSON.parse. What is
 * not JSON is one text. `text` may be the beginning of a longer body: then the values up to its end are found. At most
 * `maxValues`.
 */
export function valuesIn(text: string, maxValues = 10_000): PlacedValue[] {
  const tokens = new JsonTokens(text);
  const found = new Map<string, PlacedValue>();
  /** The paths of the open objects. */
  const open: string[] = [];
  for (let kind = tokens.next(); found.size < maxValues; kind = tokens.next()) {
    if (kind === 'whole' || kind === 'cut') break;
    if (kind === 'not-json') return open.length > 0 ? [...found.values()] : [plain(text)];
    if (kind === 'close') {
      open.pop();
      continue;
    }
    const path = pathOf(text, tokens, open.at(-1));
    if (kind === 'open' && text[tokens.start] === '{' && tokens.depth <= deepest && !isEmpty(text, tokens.end)) {
      open.push(path ?? '');
      continue;
    }
    const value = readValue(text, tokens, kind, path ?? '');
    if (path === null) continue;
    found.set(path, value);
  }
  return found.size === 0 && !/^\s*[[{"]/.test(text) && text.trim() !== '' ? [plain(text)] : [...found.values()];
}

function plain(text: string): PlacedValue {
  return { path: '', kind: 'string', start: 0, end: text.length, isCut: false };
}

/** The path of the value at the token. Null if its key is no name. */
function pathOf(text: string, { keyStart, keyEnd }: JsonTokens, parent: string | undefined): string | null {
  if (keyStart === -1) return parent ?? '';
  if (keyEnd - keyStart > maxKeyChars) return null;
  const key = decodeString(text.slice(keyStart, keyEnd));
  return parent === undefined || parent === '' ? key : `${parent}.${key}`;
}

function isEmpty(text: string, behindOpen: number): boolean {
  return text[skipSpace(text, behindOpen)] === '}';
}

function readValue(text: string, tokens: JsonTokens, kind: JsonTokenKind, path: string): PlacedValue {
  const { start } = tokens;
  if (kind === 'string') {
    const isCut = tokens.end === text.length && closedStringEnd(text, start) === -1;
    return { path, kind: 'string', start, end: tokens.end, isCut };
  }
  if (kind === 'scalar') return { path, kind: kindOfScalar(text, start), start, end: tokens.end, isCut: false };
  const around = tokens.depth - 1;
  const holder = text[start] === '{' ? 'object' : 'array';
  for (;;) {
    const inner = tokens.next();
    if (inner === 'cut' || inner === 'not-json' || inner === 'whole')
      return { path, kind: holder, start, end: text.length, isCut: true };
    if (inner === 'close' && tokens.depth === around)
      return { path, kind: holder, start, end: tokens.end, isCut: false };
  }
}

function kindOfScalar(text: string, start: number): 'number' | 'word' {
  return 'tfn'.includes(text.charAt(start)) ? 'word' : 'number';
}
