import { decodeString } from '../../src-preload/json-spans.ts';
import type { Steps } from '../stream/use-steps.ts';
import { kindBits, keyToken, kindOf, valueText, type JsonIndex, type JsonKind } from './json-index.ts';

/** A summary of a column. */
export interface JsonColumn {
  key: string;
  /** The kind of all its values, or `mixed`. */
  kind: JsonKind | 'mixed';
  /** How many rows lack this key. */
  missing: number;
  /** How many different values there are, counted up to `maxDistinct`. */
  distinct: number;
  /** The range of its numbers, of the lengths of its strings, or of the sizes of its objects and arrays. */
  range: { min: number; max: number } | null;
  /** How many numbers are in each twelfth of their range. Null without a range of numbers. */
  histogram: readonly number[] | null;
}

/** An array of objects as rows and columns. */
export interface JsonTable {
  /** The array. */
  node: number;
  /** The object of each row. */
  rows: Int32Array;
  columns: readonly JsonColumn[];
  /** The value at row times columns plus column. -1 if the row has no such key. */
  cells: Int32Array;
  /** How many further keys are not shown. */
  leftOut: number;
}

const maxTables = 20;
const maxColumns = 100;
export const maxDistinct = 10_000;
const bars = 12;
const rowsAStep = 40;

/** The arrays of objects that are worth a table, those with the most rows first. */
export function* tablesIn(index: JsonIndex): Steps<number[]> {
  const found: number[] = [];
  for (let node = 0; node < index.count; node += 1) {
    if (node % 20_000 === 19_999) yield;
    if (index.holds[node] !== kindBits.object || (index.members[node] ?? 0) < 2 || kindOf(index, node) !== 'array')
      continue;
    found.push(node);
    if (found.length > maxTables * 2) keepLargest(index, found, maxTables);
  }
  keepLargest(index, found, maxTables);
  return found;
}

function keepLargest(index: JsonIndex, found: number[], max: number): void {
  found.sort((one, other) => (index.members[other] ?? 0) - (index.members[one] ?? 0) || one - other);
  found.length = Math.min(found.length, max);
}

/** Lays out an array of objects as a table. */
export function* readTable(index: JsonIndex, node: number): Steps<JsonTable> {
  const rows = new Int32Array(index.members[node] ?? 0);
  const places = new Map<string, number>();
  /** The same key nearly always has the same text, and decoding it costs more than a lookup. */
  const byToken = new Map<string, number>();
  let child = node + 1;
  const eachMember = (row: number, take: (place: number, member: number) => void): void => {
    const behind = index.next[row] ?? 0;
    for (let member = row + 1; member < behind; member = index.next[member] ?? behind) {
      const token = keyToken(index, member) ?? '""';
      let place = byToken.get(token);
      if (place === undefined) {
        const key = decodeString(token);
        place = places.get(key) ?? places.size;
        places.set(key, place);
        byToken.set(token, place);
      }
      take(place, member);
    }
  };
  for (let at = 0; at < rows.length; at += 1) {
    rows[at] = child;
    if (places.size <= maxColumns) eachMember(child, () => {});
    child = index.next[child] ?? 0;
    if (at % rowsAStep === 0) yield;
  }
  const width = Math.min(places.size, maxColumns);
  const cells = new Int32Array(rows.length * width).fill(-1);
  for (let at = 0; at < rows.length; at += 1) {
    eachMember(rows[at] ?? 0, (place, member) => {
      if (place < width) cells[at * width + place] = member;
    });
    if (at % rowsAStep === 0) yield;
  }
  const columns: JsonColumn[] = [];
  for (const key of [...places.keys()].slice(0, width))
    columns.push(yield* readColumn(index, cells, width, columns.length, key));
  return { node, rows, columns, cells, leftOut: places.size - width };
}

function* readColumn(
  index: JsonIndex,
  cells: Int32Array,
  width: number,
  place: number,
  key: string,
): Steps<JsonColumn> {
  const distinct = new Set<string>();
  let kinds = 0;
  let missing = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let at = place; at < cells.length; at += width) {
    if ((at - place) % (width * rowsAStep * 4) === 0) yield;
    const node = cells[at] ?? -1;
    if (node === -1) {
      missing += 1;
      continue;
    }
    const kind = kindOf(index, node);
    const text = valueText(index, node);
    kinds |= kindBits[kind];
    if (distinct.size < maxDistinct) distinct.add(text);
    const size = sizeOf(index, node, kind, text);
    if (size === null) continue;
    min = Math.min(min, size);
    max = Math.max(max, size);
  }
  const names: readonly JsonKind[] = ['object', 'array', 'string', 'number', 'word'];
  const kind = names.find((name) => kindBits[name] === kinds) ?? 'mixed';
  const range = kind !== 'mixed' && min <= max ? { min, max } : null;
  return {
    key,
    kind,
    missing,
    distinct: distinct.size,
    range,
    histogram:
      kind === 'number' && range !== null && range.min < range.max
        ? yield* readHistogram(index, cells, width, place, range)
        : null,
  };
}

/** The number that a column's range is made of. Null for words. */
function sizeOf(index: JsonIndex, node: number, kind: JsonKind, text: string): number | null {
  switch (kind) {
    case 'number':
      return Number(text);
    case 'string':
      return text.length - 2;
    case 'object':
    case 'array':
      return index.members[node] ?? 0;
    case 'word':
      return null;
  }
}

function* readHistogram(
  index: JsonIndex,
  cells: Int32Array,
  width: number,
  place: number,
  { min, max }: { min: number; max: number },
): Steps<number[]> {
  const counts = Array.from({ length: bars }, () => 0);
  for (let at = place; at < cells.length; at += width) {
    if ((at - place) % (width * rowsAStep * 4) === 0) yield;
    const node = cells[at] ?? -1;
    if (node === -1) continue;
    const share = (Number(valueText(index, node)) - min) / (max - min);
    const bar = Math.min(bars - 1, Math.floor(share * bars));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts;
}

/** The value of a cell. -1 if its row has no such key. */
export function cellAt(table: JsonTable, row: number, column: number): number {
  return table.cells[row * table.columns.length + column] ?? -1;
}

export interface TableSort {
  column: number;
  isDescending: boolean;
}

/**
 * The order of a table's rows by a column: numbers by size, then everything else by its text; rows without the key are
 * always last. Equal rows keep their order.
 */
export function* sortedRows(index: JsonIndex, table: JsonTable, sort: TableSort | null): Steps<Uint32Array> {
  const count = table.rows.length;
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  if (sort === null) return order;
  const numbers = new Float64Array(count).fill(NaN);
  const texts: string[] = [];
  for (let row = 0; row < count; row += 1) {
    const node = cellAt(table, row, sort.column);
    const text = node === -1 ? '' : valueText(index, node).slice(0, 500);
    if (node !== -1 && kindOf(index, node) === 'number') numbers[row] = Number(text);
    texts.push(text);
    if (row % 500 === 0) yield;
  }
  const turn = sort.isDescending ? -1 : 1;
  const compare = (one: number, other: number): number => {
    const isMissing = (texts[one] === '' ? 1 : 0) - (texts[other] === '' ? 1 : 0);
    if (isMissing !== 0) return isMissing;
    const [a = NaN, b = NaN] = [numbers[one], numbers[other]];
    if (!Number.isNaN(a) && !Number.isNaN(b)) return (a - b) * turn;
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? turn : -turn;
    const [left = '', right = ''] = [texts[one], texts[other]];
    return (left < right ? -1 : left > right ? 1 : 0) * turn;
  };
  return yield* merged(order, compare);
}

/** A stable bottom-up merge sort, in small steps. */
function* merged(from: Uint32Array, compare: (one: number, other: number) => number): Steps<Uint32Array> {
  let source = from;
  let target: Uint32Array = new Uint32Array(from.length);
  for (let width = 1; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += width * 2) {
      const middle = Math.min(from.length, start + width);
      const end = Math.min(from.length, start + width * 2);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at += 1) {
        const isLeft = left < middle && (right >= end || compare(source[left] ?? 0, source[right] ?? 0) <= 0);
        target[at] = source[isLeft ? left : right] ?? 0;
        if (isLeft) left += 1;
        else right += 1;
        if (at % 1_000 === 0) yield;
      }
    }
    [source, target] = [target, source];
  }
  return source;
}
