import { parseJson } from '../../src-preload/json-spans.ts';
import { kindBits, kindOf, valueText, type JsonIndex } from './json-index.ts';

/** An array of at least this many numbers is shown as one vector, such as an embedding. */
const minOfVector = 16;
/** A longer text is not read for one line of a tree. */
const maxChars = 2_000_000;

/** Whether a value is a long array with only numbers. Pure. */
export function isVector(index: JsonIndex, node: number): boolean {
  return (
    kindOf(index, node) === 'array' &&
    index.holds[node] === kindBits.number &&
    (index.members[node] ?? 0) >= minOfVector
  );
}

export interface VectorFacts {
  count: number;
  min: number;
  max: number;
  /** The Euclidean norm. */
  norm: number;
}

const known = new WeakMap<JsonIndex, Map<number, VectorFacts | null>>();

/** The figures of a vector. Null if it is too long, or its text is cut. Cached per text. */
export function vectorFacts(index: JsonIndex, node: number): VectorFacts | null {
  const facts = known.get(index) ?? new Map<number, VectorFacts | null>();
  known.set(index, facts);
  const before = facts.get(node);
  if (before !== undefined) return before;
  const size = (index.end[node] ?? 0) - (index.valueStart[node] ?? 0);
  const found = size > maxChars ? null : factsOf(parseJson(valueText(index, node)));
  facts.set(node, found);
  return found;
}

function factsOf(value: unknown): VectorFacts | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  let [min, max, squares] = [Infinity, -Infinity, 0];
  for (const number of value) {
    if (typeof number !== 'number') return null;
    min = Math.min(min, number);
    max = Math.max(max, number);
    squares += number * number;
  }
  return { count: value.length, min, max, norm: Math.sqrt(squares) };
}
