import { firstIndex } from '../../src-preload/first-index.ts';

/**
 * The longest common part of two sequences, by Myers' greedy algorithm ("An O(ND) difference algorithm and its
 * variations", 1986), which is quick if they differ little. If they differ much, they are first cut at the values that
 * occur once in each, as in patience diff. What still differs too much counts as replaced.
 */

/** An index in the first and one in the second sequence that have the same value. */
export type CommonPair = readonly [number, number];

/**
 * The most edits that are searched for in one stretch. Each further edit costs as much time and memory as all before
 * it.
 */
const maxEdits = 1_500;
const maxEditsBetweenAnchors = 300;
const movesAStep = 20_000;
const pairsAStep = 5_000;

/** A stretch of both sequences. */
interface Stretch {
  from: number;
  fromEnd: number;
  to: number;
  toEnd: number;
}

/** The longest series of pairs that was found, ascending in both. */
export function* commonPairs(from: Int32Array, to: Int32Array): Generator<undefined, CommonPair[]> {
  const whole: Stretch = { from: 0, fromEnd: from.length, to: 0, toEnd: to.length };
  const exact = yield* commonWithin(from, to, whole, maxEdits);
  if (exact !== null) return exact;
  const common: CommonPair[] = [];
  let behind: CommonPair = [0, 0];
  for (const anchor of [...anchorsOf(from, to), [from.length, to.length] as const]) {
    const stretch: Stretch = { from: behind[0], fromEnd: anchor[0], to: behind[1], toEnd: anchor[1] };
    for (const pair of (yield* commonWithin(from, to, stretch, maxEditsBetweenAnchors)) ?? []) common.push(pair);
    if (anchor[0] < from.length) common.push(anchor);
    behind = [anchor[0] + 1, anchor[1] + 1];
  }
  return common;
}

/** Null if there are more than `max` edits between them. */
function* commonWithin(
  from: Int32Array,
  to: Int32Array,
  stretch: Stretch,
  max: number,
): Generator<undefined, CommonPair[] | null> {
  const head: CommonPair[] = [];
  const tail: CommonPair[] = [];
  let { from: left, fromEnd, to: right, toEnd } = stretch;
  for (; left < fromEnd && right < toEnd && from[left] === to[right]; left += 1, right += 1) {
    head.push([left, right]);
    if (head.length % pairsAStep === 0) yield;
  }
  for (; left < fromEnd && right < toEnd && from[fromEnd - 1] === to[toEnd - 1]; fromEnd -= 1, toEnd -= 1) {
    tail.push([fromEnd - 1, toEnd - 1]);
    if (tail.length % pairsAStep === 0) yield;
  }
  const middle = yield* shortest(from.subarray(left, fromEnd), to.subarray(right, toEnd), max);
  if (middle === null) return null;
  for (const [one, other] of middle) head.push([left + one, right + other]);
  return head.concat(tail.reverse());
}

/** Myers' search: how far each diagonal reaches with 0, 1, 2, … edits, until one reaches the end of both. */
function* shortest(from: Int32Array, to: Int32Array, max: number): Generator<undefined, CommonPair[] | null> {
  if (from.length === 0 || to.length === 0) return [];
  const limit = Math.min(max, from.length + to.length);
  const reach = new Int32Array(2 * limit + 3);
  const middle = limit + 1;
  const trace: Int32Array[] = [];
  let moves = 0;
  for (let edits = 0; edits <= limit; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const before = nextReach(reach, middle, diagonal, edits);
      let at = before;
      while (at < from.length && at - diagonal < to.length && from[at] === to[at - diagonal]) at += 1;
      reach[middle + diagonal] = at;
      moves += 1 + at - before;
      if (at >= from.length && at - diagonal >= to.length) {
        return pairsAlong(trace, edits, from.length, to.length);
      }
      if (moves > movesAStep) {
        moves = 0;
        yield;
      }
    }
    trace.push(reach.slice(middle - edits - 1, middle + edits + 2));
  }
  return null;
}

/**
 * Where a diagonal begins with one more edit: below the end of the one above, or to the right of the end of the one
 * beneath.
 */
function nextReach(reach: Int32Array, middle: number, diagonal: number, edits: number): number {
  if (edits === 0) return 0;
  const [above, beneath] = [reach[middle + diagonal + 1] ?? 0, reach[middle + diagonal - 1] ?? 0];
  return diagonal === -edits || (diagonal !== edits && beneath < above) ? above : beneath + 1;
}

/** The way back from the end of both: each step down or to the right was an edit, the others are pairs. */
function pairsAlong(trace: readonly Int32Array[], edits: number, fromLength: number, toLength: number): CommonPair[] {
  const pairs: CommonPair[] = [];
  let [at, other] = [fromLength, toLength];
  for (let left = edits; left > 0; left -= 1) {
    const diagonal = at - other;
    const before = trace[left - 1] ?? new Int32Array();
    // Row `left - 1` has the diagonals from `-left` to `left`.
    const [above, beneath] = [before[diagonal + 1 + left] ?? 0, before[diagonal - 1 + left] ?? 0];
    const isDown = diagonal === -left || (diagonal !== left && beneath < above);
    const start = isDown ? above : beneath + 1;
    for (; at > start; at -= 1, other -= 1) pairs.push([at - 1, other - 1]);
    if (isDown) other -= 1;
    else at -= 1;
  }
  for (; at > 0 && other > 0; at -= 1, other -= 1) pairs.push([at - 1, other - 1]);
  return pairs.reverse();
}

/** The values that occur once in each, in the longest order that both share. */
function anchorsOf(from: Int32Array, to: Int32Array): CommonPair[] {
  const [places, others] = [singles(from), singles(to)];
  const pairs = [...places]
    .flatMap(([value, at]): CommonPair[] => {
      const other = others.get(value);
      return at === -1 || other === undefined || other === -1 ? [] : [[at, other]];
    })
    .sort(([one], [another]) => one - another);
  return longestAscending(pairs);
}

/** The index of each value. -1 for one that occurs more than once. */
function singles(values: Int32Array): Map<number, number> {
  const places = new Map<number, number>();
  for (const [at, value] of values.entries()) places.set(value, places.has(value) ? -1 : at);
  return places;
}

/** The longest series of pairs that ascends in the second sequence too. `pairs` ascend in the first. */
function longestAscending(pairs: readonly CommonPair[]): CommonPair[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, other]] of pairs.entries()) {
    const at = firstIndex(ends.length, (end) => (pairs[ends[end] ?? 0]?.[1] ?? 0) < other);
    before[index] = at === 0 ? -1 : (ends[at - 1] ?? -1);
    ends[at] = index;
  }
  const found: CommonPair[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) found.push(pair);
  }
  return found.reverse();
}
