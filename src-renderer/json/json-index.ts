/**
 * Where every value of a JSON text is, without parsing the values: numbers keep every digit, and keys their order and
 * duplicates, and an incomplete text shows everything that is there. The places are in typed arrays, so that millions
 * of values do not delay the garbage collector.
 */

import { closedStringEnd } from '../../src-preload/json-spans.ts';
import { JsonTokens } from '../../src-preload/json-tokens.ts';
import type { Steps } from '../stream/use-steps.ts';

/** The kind of a value, from its first character. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

/**
 * The values of a text in the order of their beginnings, an object or array before its content. A value has the same
 * number in every longer text with the same beginning.
 */
export interface JsonIndex {
  text: string;
  /** How many values there are. The arrays may be longer. */
  count: number;
  /** Where a value begins, including its key. Ascending. */
  start: Int32Array;
  /** Where it begins without its key. */
  valueStart: Int32Array;
  /** The index after its last character. */
  end: Int32Array;
  /** The number of the first value after it that is not inside it. */
  next: Int32Array;
  /** The number of the object or array that contains it. -1 for the first. */
  parent: Int32Array;
  /** How many keys or items it has. */
  members: Int32Array;
  /** The kinds of all its keys or items, as bits of `kindBits`. */
  holds: Uint8Array;
  /**
   * `whole`: one complete JSON value. `cut`: the text ends early. `too-many`: more values than `most`. `not-json`: it
   * contains something else.
   */
  state: 'whole' | 'cut' | 'too-many' | 'not-json';
  /** The depth of the deepest value. */
  deepest: number;
  /** For the result of a filter: which values of which text the items of the first value are. */
  origin?: { whole: JsonIndex; nodes: Int32Array };
}

export const kindBits: Readonly<Record<JsonKind, number>> = { object: 1, array: 2, string: 4, number: 8, word: 16 };

/** A text with more values is shown as text, because their places alone would take more than a hundred megabytes. */
const maxValues = 4_000_000;
const valuesAStep = 400;

const quote = 34;
const openBracket = 91;
const openBrace = 123;

/** Reads the places of all values, in small steps. Never throws, however deeply the text is nested. */
export function* indexJson(text: string, max = maxValues): Steps<JsonIndex> {
  const index = emptyIndex(text);
  const tokens = new JsonTokens(text);
  let holder = -1;
  let yielded = 0;
  for (;;) {
    if (index.count - yielded >= valuesAStep) {
      yielded = index.count;
      yield;
    }
    const kind = tokens.next();
    if (kind === 'whole' || kind === 'cut' || kind === 'not-json') return finish(index, kind, holder, tokens.start);
    if (index.count >= max) return finish(index, 'too-many', holder, tokens.start);
    if (kind === 'close') {
      index.end[holder] = tokens.end;
      index.next[holder] = index.count;
      holder = index.parent[holder] ?? -1;
    } else {
      add(index, tokens, holder, kind === 'open' ? tokens.depth - 1 : tokens.depth);
      if (kind === 'open') holder = index.count - 1;
    }
  }
}

/** Adds the value of a token, which is inside `holder` and `depth` brackets. */
function add(index: JsonIndex, tokens: JsonTokens, holder: number, depth: number): void {
  if (index.count === index.start.length) grow(index);
  const node = index.count;
  index.start[node] = tokens.keyStart === -1 ? tokens.start : tokens.keyStart;
  index.valueStart[node] = tokens.start;
  index.end[node] = tokens.end;
  index.next[node] = node + 1;
  index.parent[node] = holder;
  if (holder !== -1) {
    index.members[holder] = (index.members[holder] ?? 0) + 1;
    index.holds[holder] = (index.holds[holder] ?? 0) | kindBits[kindOf(index, node)];
  }
  index.count += 1;
  index.deepest = Math.max(index.deepest, depth);
}

/** Ends an index at `at`: what is still open ends there. */
function finish(index: JsonIndex, state: JsonIndex['state'], holder: number, at: number): JsonIndex {
  index.state = state;
  for (let open = holder; open !== -1; open = index.parent[open] ?? -1) {
    index.end[open] = Math.min(at, index.text.length);
    index.next[open] = index.count;
  }
  return index;
}

function emptyIndex(text: string): JsonIndex {
  // Few texts have more values than this, and unused memory costs nothing.
  const room = Math.max(16, Math.min(maxValues, Math.ceil(text.length / 4)));
  const places = (): Int32Array => new Int32Array(room);
  return {
    text,
    count: 0,
    start: places(),
    valueStart: places(),
    end: places(),
    next: places(),
    parent: places(),
    members: places(),
    holds: new Uint8Array(room),
    state: 'cut',
    deepest: 0,
  };
}

function grow(index: JsonIndex): void {
  const longer = (from: Int32Array): Int32Array => {
    const to = new Int32Array(from.length * 2);
    to.set(from);
    return to;
  };
  index.start = longer(index.start);
  index.valueStart = longer(index.valueStart);
  index.end = longer(index.end);
  index.next = longer(index.next);
  index.parent = longer(index.parent);
  index.members = longer(index.members);
  const holds = new Uint8Array(index.holds.length * 2);
  holds.set(index.holds);
  index.holds = holds;
}

/** The kind of a value. */
export function kindOf(index: JsonIndex, node: number): JsonKind {
  const char = index.text.charCodeAt(index.valueStart[node] ?? 0);
  if (char === openBrace) return 'object';
  if (char === openBracket) return 'array';
  if (char === quote) return 'string';
  return char === 45 || (char >= 48 && char <= 57) ? 'number' : 'word';
}

/** The key of a value as it is in the text, with its quotes. Null for an item or the first value. */
export function keyToken(index: JsonIndex, node: number): string | null {
  const start = index.start[node] ?? 0;
  return start === index.valueStart[node] ? null : index.text.slice(start, keyEnd(index, node));
}

/** The index after the key of a member. */
export function keyEnd(index: JsonIndex, node: number): number {
  return closedStringEnd(index.text, index.start[node] ?? 0);
}

/** The text of a value, unchanged. */
export function valueText(index: JsonIndex, node: number): string {
  return index.text.slice(index.valueStart[node] ?? 0, index.end[node] ?? 0);
}

/** The values directly inside an object or array, in order. */
export function* childrenOf(index: JsonIndex, node: number): Generator<number, undefined> {
  const behind = index.next[node] ?? 0;
  for (let child = node + 1; child < behind; child = index.next[child] ?? behind) yield child;
}

/** A value's position among its siblings, from 0. */
export function positionOf(index: JsonIndex, node: number): number {
  const holder = index.parent[node] ?? -1;
  if (holder === -1) return 0;
  let position = 0;
  for (let child = holder + 1; child < node; child = index.next[child] ?? node) position += 1;
  return position;
}

/** The innermost value at a place of the text. -1 before the first. */
export function valueAt(index: JsonIndex, place: number): number {
  let low = 0;
  let high = index.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((index.start[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
