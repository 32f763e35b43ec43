import { expect, test } from 'vitest';
import type { DatabaseSync } from 'node:sqlite';
import { insertBatch, readBatches, readBatchesById } from '../../../../src-main/history/jobs/batches.ts';
import { readFacets } from '../../../../src-main/history/jobs/facets.ts';
import { commit, recordRequests } from '../../../../src-main/history/jobs/jobs.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { writeDocument } from '../../../../src-main/history/file/documents.ts';
import { noBatchLimits } from '../../../../src-preload/batch.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

/** How many rows each table has that can hold something of a job. */
function rowsOf(db: DatabaseSync): Record<string, unknown> {
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'search_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'facets');
  const texts = ['search_texts', 'search_dirty', 'search_removed', 'search_left_out', 'search_docsize'];
  return Object.fromEntries(
    [...tables, ...texts].map((name) => [name, db.prepare(`SELECT count(*) AS n FROM ${name}`).get()?.['n']]),
  );
}

function keepAll(db: DatabaseSync, key: string): void {
  commit(db, [
    {
      ...aNewJob({ key, tags: ['one'], phase: 'finished', status: 'COMPLETED' }, '{"prompt": "violet"}'),
      bodies: [{ part: 'output', attempt: 1, text: '"x"' }],
      attempt: {
        number: 1,
        startedAtMs: 1,
        status: 'COMPLETED',
        delayTimeMs: 1,
        executionTimeMs: 1,
        workerId: null,
        errorText: null,
        hasOutput: true,
        outputBytes: 3,
        chunkCount: 0,
        finishedSeenAtMs: 2,
      },
    },
  ]);
  commitChunks(db, { key, attempt: 1 }, [{ outputJson: '"x"', metricsJson: null }], 1);
  const path = '/v2/echo/status/1';
  const request = { method: 'GET', operation: 'status', path, httpStatus: 200, failureKind: null, note: null } as const;
  recordRequests(db, key, [{ ...request, atMs: 1, tookMs: 1, bytesReceived: 1 }]);
  writeDocument(db, 'left-out-chunks', `${key} 1`, '[]');
}

const found = (db: DatabaseSync, text: string): number =>
  listJobs(db, { ...emptyFilter, text }, { limit: 10, startOfTodayMs: 0 }).jobs.length;

test('nothing of a deleted job is left in any table, and the others are unchanged', () => {
  const db = aDatabase();
  const indexer = new SearchIndexer(db);
  keepAll(db, 'k1');
  while (indexer.idleStep(1_000));
  const before = rowsOf(db);
  keepAll(db, 'k2');
  while (indexer.idleStep(2_000));
  expect(found(db, 'violet')).toBe(2);
  expect(removeJob(db, 'k2')).toBe(true);
  // At once, though its words are still in the index.
  expect(found(db, 'violet')).toBe(1);
  while (indexer.idleStep(3_000));
  expect(rowsOf(db)).toEqual(before);
  expect(found(db, 'violet')).toBe(1);
  expect(readFacets(db).map(({ jobs }) => jobs)).toEqual([1]);
  expect(listJobs(db, { ...emptyFilter, tags: ['one'] }, { limit: 10, startOfTodayMs: 0 })).toMatchObject({
    total: 1,
    allTotal: 1,
  });
});

test('deleting a missing job changes nothing', () => {
  const db = aDatabase();
  keepAll(db, 'k1');
  const before = rowsOf(db);
  expect(removeJob(db, 'nobody')).toBe(false);
  expect(rowsOf(db)).toEqual(before);
});

test('a batch counts its remaining rows, and is no longer listed without any', () => {
  const db = aDatabase();
  const batch = {
    id: 'b1',
    name: 'Nightly',
    connectionId: 'c1',
    endpointId: 'e',
    operation: 'run',
    createdAtMs: 1,
    limits: noBatchLimits,
  } as const;
  const row = (key: string, batchRow: number) => aNewJob({ key, phase: 'finished', batchId: 'b1', batchRow });
  insertBatch(db, batch, [row('k1', 1), row('k2', 2)]);
  removeJob(db, 'k1');
  expect(readBatches(db, null).map(({ total }) => total)).toEqual([1]);
  removeJob(db, 'k2');
  expect(readBatches(db, null)).toEqual([]);
  expect(readBatchesById(db, ['b1'])).toMatchObject([{ total: 0, name: '' }]);
});
