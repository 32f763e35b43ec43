import { parseJson } from '../../src-preload/json-spans.ts';
import { formatCount } from '../design/format.ts';
import { kindBits, kindOf, valueText, type JsonIndex } from './json-index.ts';

/** An array of this many numbers is a vector, such as an embedding: read as one value and not number by number. */
const leastOfVector = 16;
/** More characters are not read for a line in a tree. */
const mostChars = 2_000_000;

/** Whether a value is a long array of numbers alone. Pure. */
export function isVector(index: JsonIndex, node: number): boolean {
  return (
    kindOf(index, node) === 'array' &&
    index.holds[node] === kindBits.number &&
    (index.members[node] ?? 0) >= leastOfVector
  );
}

export interface VectorFacts {
  count: number;
  least: number;
  most: number;
  /** Its length: the root of the sum of squares. */
  norm: number;
}

const known = new WeakMap<JsonIndex, Map<number, VectorFacts | null>>();

/** Figures of a vector; null where it is too long to read for them, or its text is cut. Read once for each text. */
export function vectorFacts(index: JsonIndex, node: number): VectorFacts | null {
  const facts = known.get(index) ?? new Map<number, VectorFacts | null>();
  known.set(index, facts);
  const before = facts.get(node);
  if (before !== undefined) return before;
  const size = (index.end[node] ?? 0) - (index.valueStart[node] ?? 0);
  const found = size > mostChars ? null : factsOf(parseJson(valueText(index, node)));
  facts.set(node, found);
  return found;
}

function factsOf(value: unknown): VectorFacts | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  let [least, most, squares] = [Infinity, -Infinity, 0];
  for (const number of value) {
    if (typeof number !== 'number') return null;
    least = Math.min(least, number);
    most = Math.max(most, number);
    squares += number * number;
  }
  return { count: value.length, least, most, norm: Math.sqrt(squares) };
}

/** `min −0.12, max 0.31, norm 1.00`. */
export function vectorText({ least, most, norm }: VectorFacts): string {
  return `min ${figure(least)}, max ${figure(most)}, norm ${figure(norm)}`;
}

/** Three digits that count; a minus sign that is as wide as a plus. */
function figure(value: number): string {
  const size = Math.abs(value);
  const isPlain = size === 0 || (size >= 0.001 && size < 1_000_000);
  const text = isPlain
    ? size >= 1_000
      ? formatCount(Math.round(size))
      : Number(size.toPrecision(3)).toString()
    : size.toExponential(2);
  return value < 0 ? `−${text}` : text;
}
