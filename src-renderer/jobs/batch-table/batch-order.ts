import type { CostRate } from '../../../src-preload/cost.ts';
import { valueOf, type BatchColumn, type BatchRow, type PlainValue } from './batch-columns.ts';

/** The order of a batch's rows: by a column's id. Null: by row. */
export type BatchSort = { column: string; isDescending: boolean } | null;

/**
 * The keys of the rows in order: numbers by size and before texts, texts by their characters, rows without a value
 * always last. Equal rows are in row order.
 */
export function orderOf(
  rows: readonly BatchRow[],
  sort: BatchSort,
  columns: readonly BatchColumn[],
  rates: readonly CostRate[],
): string[] {
  const byRow = rows.toSorted((one, other) => rowOf(one) - rowOf(other));
  const column = sort === null ? undefined : columns.find(({ id }) => id === sort.column);
  if (sort === null || column === undefined) return byRow.map(({ job }) => job.key);
  const turn = sort.isDescending ? -1 : 1;
  return byRow
    .map((row) => ({ key: row.job.key, value: valueOf(column, row, rates) }))
    .sort((one, other) => compare(one.value, other.value, turn))
    .map(({ key }) => key);
}

function rowOf({ job }: BatchRow): number {
  return job.batchRow ?? 0;
}

function compare(one: PlainValue, other: PlainValue, turn: 1 | -1): number {
  if (one === null || other === null) return (one === null ? 1 : 0) - (other === null ? 1 : 0);
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * turn;
  if (typeof one === 'number') return -turn;
  if (typeof other === 'number') return turn;
  return (one < other ? -1 : one > other ? 1 : 0) * turn;
}

/** How many rows would have another place if they were sorted now. */
export function countMoved(shown: readonly string[], sorted: readonly string[]): number {
  return sorted.filter((key, at) => shown[at] !== key).length;
}

/** Keys in the order shown, with those that came since behind them, and without those that are gone. */
export function keptOrder(shown: readonly string[], sorted: readonly string[]): readonly string[] {
  const present = new Set(sorted);
  const known = new Set(shown);
  const kept = shown.filter((key) => present.has(key));
  const added = sorted.filter((key) => !known.has(key));
  return kept.length === shown.length && added.length === 0 ? shown : [...kept, ...added];
}
