import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBatchPair } from '../../../../src-main/history/jobs/batch-pairs.ts';
import { insertBatch } from '../../../../src-main/history/jobs/batches.ts';
import { judge } from '../../../../src-main/history/jobs/judgements.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import type { Mark } from '../../../../src-preload/judgement.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const keyOf = (id: string, row: number): string => `${id}-${String(row).padStart(4, '0')}`;

function addBatch(db: DatabaseSync, id: string, count: number): void {
  const limits = { maxLive: null, stopAfterFailures: null };
  insertBatch(
    db,
    { id, name: id, connectionId: 'c1', endpointId: 'echo', operation: 'run', createdAtMs: 7, limits },
    Array.from({ length: count }, (_, at) => aNewJob({ key: keyOf(id, at + 1), batchId: id, batchRow: at + 1 })),
  );
}

it('pairs of two batches are their common rows in order, with the same tally as a count from scratch', () => {
  const marked = fc.record({
    id: fc.constantFrom('a', 'b'),
    row: fc.integer({ min: 1, max: 6 }),
    mark: fc.constantFrom<Mark | null>(1, 3, 5, null),
  });
  const deleted = fc.array(fc.record({ id: fc.constantFrom('a', 'b'), row: fc.integer({ min: 1, max: 6 }) }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(marked, { maxLength: 20 }), deleted, (changes, removals) => {
      const db = aDatabase();
      addBatch(db, 'a', 6);
      addBatch(db, 'b', 5);
      const marks = new Map<string, Mark | null>();
      for (const { id, row, mark } of changes) {
        judge(db, keyOf(id, row), { mark });
        marks.set(keyOf(id, row), mark);
      }
      for (const { id, row } of removals) removeJob(db, keyOf(id, row));
      const hasRow = (id: string, row: number): boolean => !removals.some((each) => each.id === id && each.row === row);
      const rows = [1, 2, 3, 4, 5].filter((row) => hasRow('a', row) && hasRow('b', row));
      const markOf = (id: string, row: number): Mark | null => marks.get(keyOf(id, row)) ?? null;
      const judged = rows.filter((row) => markOf('a', row) !== null && markOf('b', row) !== null);
      const unjudged = rows.findIndex((row) => !judged.includes(row));
      rows.forEach((row, at) =>
        expect(readBatchPair(db, 'a', 'b', at)).toEqual({
          at,
          row,
          keys: [keyOf('a', row), keyOf('b', row)],
          total: rows.length,
          judged: judged.length,
          ahead: [
            judged.filter((each) => (markOf('a', each) ?? 0) > (markOf('b', each) ?? 0)).length,
            judged.filter((each) => (markOf('b', each) ?? 0) > (markOf('a', each) ?? 0)).length,
          ],
          firstUnjudged: unjudged === -1 ? null : unjudged,
        }),
      );
      expect(readBatchPair(db, 'a', 'b', null)?.at).toBe(rows.length === 0 ? undefined : Math.max(0, unjudged));
      expect(readBatchPair(db, 'a', 'b', 99)?.at).toBe(rows.length === 0 ? undefined : rows.length - 1);
    }),
    { numRuns: 30 },
  );
});

it('two batches without a common row have no pair', () => {
  const db = aDatabase();
  addBatch(db, 'a', 2);
  expect(readBatchPair(db, 'a', 'nowhere', null)).toBeNull();
});
