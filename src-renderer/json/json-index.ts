/**
 * Where every value of a JSON text is, without parsing the values: numbers keep every digit, and keys their order and
 * duplicates, and an incomplete text shows everything that is there. The places are in typed arrays, so that millions
 * of values do not delay the garbage collector.
 */

import { closedStringEnd } from '../../src-preload/json-spans.ts';
import { isCutScalar } from '../stream/json-lines.ts';
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
const mostValues = 4_000_000;
const valuesAStep = 400;

type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'comma-or-close' | 'end';

const spaces = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Reads the places of all values, in small steps. Never throws, however deeply the text is nested. */
export function* indexJson(text: string, most = mostValues): Steps<JsonIndex> {
  const index = emptyIndex(text);
  let at = 0;
  let holder = -1;
  let depth = 0;
  let keyStart = -1;
  let expects: Expected = 'value';
  let yielded = 0;

  const skip = (): void => {
    if (text.charCodeAt(at) > 32) return;
    spaces.lastIndex = at;
    spaces.exec(text);
    at = spaces.lastIndex;
  };
  const isObject = (): boolean => holder !== -1 && text.charCodeAt(index.valueStart[holder] ?? 0) === openBrace;
  const finish = (state: JsonIndex['state']): JsonIndex => {
    index.state = state;
    // What is still open ends with the text.
    for (let open = holder; open !== -1; open = index.parent[open] ?? -1) {
      index.end[open] = Math.min(at, text.length);
      index.next[open] = index.count;
    }
    return index;
  };
  const add = (kind: JsonKind, end: number): void => {
    if (index.count === index.start.length) grow(index);
    const node = index.count;
    index.start[node] = keyStart === -1 ? at : keyStart;
    index.valueStart[node] = at;
    index.end[node] = end;
    index.next[node] = node + 1;
    index.parent[node] = holder;
    if (holder !== -1) {
      index.members[holder] = (index.members[holder] ?? 0) + 1;
      index.holds[holder] = (index.holds[holder] ?? 0) | kindBits[kind];
    }
    index.count += 1;
    index.deepest = Math.max(index.deepest, depth);
    keyStart = -1;
    at = end;
    expects = holder === -1 ? 'end' : 'comma-or-close';
  };

  for (;;) {
    skip();
    if (at >= text.length) return finish(expects === 'end' ? 'whole' : 'cut');
    if (index.count >= most) return finish('too-many');
    if (index.count - yielded >= valuesAStep) {
      yielded = index.count;
      yield;
    }
    const char = text.charCodeAt(at);
    if (expects === 'end') return finish('not-json');
    if (char === closeBrace || char === closeBracket) {
      const canClose = expects === 'comma-or-close' || expects === 'value-or-close' || expects === 'key-or-close';
      if (!canClose || holder === -1 || (char === closeBrace) !== isObject()) return finish('not-json');
      at += 1;
      index.end[holder] = at;
      index.next[holder] = index.count;
      holder = index.parent[holder] ?? -1;
      depth -= 1;
      expects = holder === -1 ? 'end' : 'comma-or-close';
      continue;
    }
    if (expects === 'comma-or-close') {
      if (char !== comma) return finish('not-json');
      at += 1;
      expects = isObject() ? 'key' : 'value';
      continue;
    }
    if (expects === 'key' || expects === 'key-or-close') {
      if (char !== quote) return finish('not-json');
      const end = closedStringEnd(text, at);
      if (end === -1) return finish('cut');
      keyStart = at;
      at = end;
      skip();
      if (at >= text.length) return finish('cut');
      if (text.charCodeAt(at) !== colon) return finish('not-json');
      at += 1;
      expects = 'value';
      continue;
    }
    if (char === openBrace || char === openBracket) {
      add(char === openBrace ? 'object' : 'array', at + 1);
      holder = index.count - 1;
      depth += 1;
      expects = char === openBrace ? 'key-or-close' : 'value-or-close';
      continue;
    }
    if (char === quote) {
      const end = closedStringEnd(text, at);
      add('string', end === -1 ? text.length : end);
      if (end === -1) return finish('cut');
      continue;
    }
    scalar.lastIndex = at;
    const token = scalar.exec(text)?.[0] ?? '';
    if (token === '') return finish(isCutScalar(text.slice(at, at + 6)) ? 'cut' : 'not-json');
    add(/^[tfn]/.test(token) ? 'word' : 'number', at + token.length);
  }
}

function emptyIndex(text: string): JsonIndex {
  // Few texts have more values than this, and unused memory costs nothing.
  const room = Math.max(16, Math.min(mostValues, Math.ceil(text.length / 4)));
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
