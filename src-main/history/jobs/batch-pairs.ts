import type { DatabaseSync } from 'node:sqlite';
import type { BatchPair } from '../../../src-preload/batch.ts';
import { number, numberOrNull, statement, text } from '../file/row.ts';

/**
 * The jobs of one row in two batches, and how far all such pairs are judged. `at`: which of them, from 0, or the last
 * one if there are fewer; null: the first that is not judged. Null if they have no row in common.
 */
export function readBatchPair(db: DatabaseSync, batchId: string, withId: string, at: number | null): BatchPair | null {
  const pairs = pairsOf(db, batchId, withId);
  const unjudged = pairs.findIndex((pair) => !isJudged(pair));
  const firstUnjudged = unjudged === -1 ? null : unjudged;
  const shownAt = Math.min(at ?? firstUnjudged ?? 0, pairs.length - 1);
  const shown = pairs[shownAt];
  if (shown === undefined) return null;
  const aheadBy = (side: 0 | 1): number =>
    pairs.filter(({ marks: [first, second] }) => {
      if (first === null || second === null) return false;
      return side === 0 ? first > second : second > first;
    }).length;
  return {
    at: shownAt,
    row: shown.row,
    keys: shown.keys,
    total: pairs.length,
    judged: pairs.filter(isJudged).length,
    ahead: [aheadBy(0), aheadBy(1)],
    firstUnjudged,
  };
}

interface MarkedPair {
  row: number;
  keys: [string, string];
  marks: [number | null, number | null];
}

function isJudged({ marks }: MarkedPair): boolean {
  return !marks.includes(null);
}

/** By their rows. Both batches are read whole: joined by SQL, each row of one would read all of the other. */
function pairsOf(db: DatabaseSync, batchId: string, withId: string): MarkedPair[] {
  const others = new Map(markedRows(db, withId).map((each) => [each.row, each]));
  return markedRows(db, batchId).flatMap(({ row, key, mark }): MarkedPair[] => {
    const other = others.get(row);
    return other === undefined ? [] : [{ row, keys: [key, other.key], marks: [mark, other.mark] }];
  });
}

function markedRows(db: DatabaseSync, batchId: string): { row: number; key: string; mark: number | null }[] {
  return statement(
    db,
    `SELECT batch_row, key, mark FROM jobs INDEXED BY jobs_by_batch
    WHERE batch_id = ? AND batch_row IS NOT NULL ORDER BY id`,
  )
    .all(batchId)
    .map((row) => ({ row: number(row, 'batch_row'), key: text(row, 'key'), mark: numberOrNull(row, 'mark') }))
    .sort((one, other) => one.row - other.row);
}
