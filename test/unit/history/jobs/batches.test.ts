import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedBatches } from '../../../../src-main/history/jobs/batch-counts.ts';
import { JobCounter } from '../../../../src-main/history/jobs/counts.ts';
import { commit, findJob } from '../../../../src-main/history/jobs/jobs.ts';
import type { BatchRecord } from '../../../../src-main/history/records.ts';
import {
  insertBatch,
  readBatchRows,
  readBatches,
  readBatchesById,
  readLimitedBatches,
  readPausedBatches,
  renameBatch,
  setBatchPaused,
} from '../../../../src-main/history/jobs/batches.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { migrate, readVersion, schemaVersion } from '../../../../src-main/history/file/migrations.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { batchStates, noRows } from '../../../../src-preload/batch.ts';
import type { BatchState } from '../../../../src-preload/batch.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { plansOf } from '../../../kit/query-plans.ts';
import { aNewJob, aDatabase, aFolder } from '../a-database.ts';

const record = (id: string, changes: Partial<BatchRecord> = {}): BatchRecord => ({
  id,
  name: `Batch ${id}`,
  connectionId: 'c1',
  endpointId: 'echo',
  operation: 'run',
  createdAtMs: 7,
  limits: { maxLive: null, stopAfterFailures: null },
  ...changes,
});
const keyOf = (id: string, row: number): string => `${id}-${String(row).padStart(4, '0')}`;
const rowsOf = (id: string, count: number, job: (row: number) => Partial<Job> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    aNewJob(
      {
        key: keyOf(id, index + 1),
        batchId: id,
        batchRow: index + 1,
        phase: 'waiting',
        status: null,
        jobId: null,
        ...job(index + 1),
      },
      `{"row":${index + 1}}`,
    ),
  );

/** What a job of each state looks like. */
const inState: Record<BatchState, Partial<Job>> = {
  waiting: { phase: 'waiting', status: null },
  sending: { phase: 'submitting', status: null },
  active: { phase: 'active', status: 'IN_QUEUE' },
  completed: { phase: 'finished', status: 'COMPLETED' },
  failed: { phase: 'finished', status: 'TIMED_OUT' },
  cancelled: { phase: 'finished', status: 'CANCELLED' },
  refused: { phase: 'refused', status: null },
  unknown: { phase: 'outcome-unknown', status: null },
  gone: { phase: 'gone', status: 'IN_PROGRESS' },
  orphaned: { phase: 'orphaned', status: 'IN_PROGRESS' },
};

describe('a batch', () => {
  it('is saved with all its rows or not at all', () => {
    const db = aDatabase();
    insertBatch(db, record('b1'), rowsOf('b1', 3));
    expect(readBatchesById(db, ['b1', 'none'])).toEqual([
      {
        ...record('b1'),
        total: 3,
        isPaused: false,
        failuresLeft: null,
        counts: { ...noRows, waiting: 3 },
      },
    ]);
    // A row of a batch that is not saved.
    expect(() =>
      insertBatch(db, record('b2'), [...rowsOf('b2', 2), aNewJob({ key: 'b2-9999', batchId: 'nobody', batchRow: 3 })]),
    ).toThrow(/FOREIGN KEY/);
    expect(readBatches(db, null).map(({ id }) => id)).toEqual(['b1']);
    expect(listJobs(db, emptyFilter, { limit: 1, startOfTodayMs: 0 }).allTotal).toBe(3);
  });

  it('counts every row in one state, whatever happened to them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...batchStates), { minLength: 1, maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...batchStates)), { maxLength: 30 }),
        (first, changes) => {
          const { db } = openDatabase(':memory:', 0);
          insertBatch(db, record('other'), rowsOf('other', 2));
          insertBatch(
            db,
            record('b1'),
            rowsOf('b1', first.length, (row) => inState[first[row - 1] ?? 'waiting']),
          );
          const now = [...first];
          for (const [at, state] of changes) {
            const row = at % now.length;
            now[row] = state;
            const job = findJob(db, keyOf('b1', row + 1))?.job;
            if (job !== undefined) commit(db, [{ job: { ...job, ...inState[state] } }]);
          }
          const counts = Object.fromEntries(
            batchStates.map((state) => [state, now.filter((each) => each === state).length]),
          );
          expect(readBatchesById(db, ['b1'])[0]?.counts).toEqual(counts);
          expect(findJob(db, keyOf('b1', 1))?.job).toMatchObject({ batchId: 'b1', batchRow: 1 });
          db.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is paused and resumed, and listed newest first by its connection', () => {
    const db = aDatabase();
    insertBatch(db, record('b1'), rowsOf('b1', 1));
    insertBatch(db, record('b2', { connectionId: 'c2' }), rowsOf('b2', 1));
    insertBatch(db, record('b3'), rowsOf('b3', 1));
    expect(setBatchPaused(db, 'b1', true)?.isPaused).toBe(true);
    expect(readPausedBatches(db)).toEqual(['b1']);
    expect(setBatchPaused(db, 'b1', false)?.isPaused).toBe(false);
    expect([readPausedBatches(db), setBatchPaused(db, 'none', true)]).toEqual([[], null]);
    expect(renameBatch(db, 'b1', 'Tone sweep')?.name).toBe('Tone sweep');
    expect([readBatchesById(db, ['b1'])[0]?.name, renameBatch(db, 'none', 'x')]).toEqual(['Tone sweep', null]);
    expect(readBatches(db, 'c1').map(({ id }) => id)).toEqual(['b3', 'b1']);
    expect(readBatches(db, null).map(({ id }) => id)).toEqual(['b3', 'b2', 'b1']);
  });

  it('knows how many failures it has left, and starts again with as many when it is resumed', () => {
    const db = aDatabase();
    const limits = { maxLive: 2, stopAfterFailures: 3 };
    const states = [inState.failed, inState.refused, inState.completed, inState.waiting];
    insertBatch(
      db,
      record('b1', { limits }),
      rowsOf('b1', 4, (row) => states[row - 1] ?? {}),
    );
    insertBatch(
      db,
      record('b2', { limits }),
      rowsOf('b2', 1, () => inState.completed),
    );
    insertBatch(db, record('b3'), rowsOf('b3', 1));
    expect(readLimitedBatches(db)).toMatchObject([{ id: 'b1', limits, failuresLeft: 1 }]);
    expect(setBatchPaused(db, 'b1', true)).toMatchObject({ failuresLeft: 1 });
    // A pause that is undone does not count from zero.
    expect(setBatchPaused(db, 'b1', false, true)).toMatchObject({ isPaused: false, failuresLeft: 1 });
    expect(setBatchPaused(db, 'b1', true)).toMatchObject({ failuresLeft: 1 });
    expect(setBatchPaused(db, 'b1', false)).toMatchObject({ failuresLeft: 3 });
    expect(readBatchesById(db, ['b3'])).toMatchObject([{ failuresLeft: null }]);
  });

  it('returns its rows in pages, first to last, with their inputs', () => {
    const db = aDatabase();
    insertBatch(db, record('b1'), rowsOf('b1', 5));
    commit(db, [aNewJob({ key: 'b1-0002a' })]);
    const first = readBatchRows(db, 'b1', null, 2);
    const rest = readBatchRows(db, 'b1', keyOf('b1', 2), 10);
    expect([first, rest].map((page) => page.map(({ job: { batchRow }, inputText }) => [batchRow, inputText]))).toEqual([
      [
        [1, '{"row":1}'],
        [2, '{"row":2}'],
      ],
      [
        [3, '{"row":3}'],
        [4, '{"row":4}'],
        [5, '{"row":5}'],
      ],
    ]);
    expect(readBatchRows(db, 'b1', keyOf('b1', 5), 10)).toEqual([]);
  });

  it('ends a page early if its rows are large', () => {
    const db = aDatabase();
    const large = JSON.stringify({ filling: 'x'.repeat(1_200_000) });
    insertBatch(
      db,
      record('b1'),
      rowsOf('b1', 4).map((row) => ({
        ...row,
        ...(row.submission === undefined ? {} : { submission: { ...row.submission, inputText: large } }),
      })),
    );
    expect(readBatchRows(db, 'b1', null, 10)).toHaveLength(2);
  });
});

describe('a history from before there were batches', () => {
  it('keeps its jobs, which belong to no batch, and accepts batches from then on', () => {
    const path = join(aFolder(), 'history.db');
    const old = new DatabaseSync(path);
    migrate(old, 2);
    old.exec(`
      INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen) VALUES (1, 'c', 'text', 'finished', 'completed', 0, 0);
      INSERT INTO jobs (id, key, facet, job_id, connection_id, base_url, endpoint_id, operation, title, tags_json, phase, status, attempt, created_at_ms, policy_json, input_bytes, output_bytes,
        is_result_saved, is_without_output, chunk_count, request_count, is_starred, is_seen, is_cancelling)
      VALUES (65536, 'a1', 1, 'job-1', 'c', 'http://127.0.0.1', 'text', 'run', 'Old harbour', '[]', 'finished', 'COMPLETED', 1, 5, '{}', 2, 2, 1, 0, 0, 0, 1, 0, 0);
      INSERT INTO submissions (job, policy_json) VALUES (65536, '{}');
    `);
    old.close();
    const { db, setAside } = openDatabase(path, 0);
    expect([setAside, readVersion(db)]).toEqual([null, schemaVersion]);
    expect(findJob(db, 'a1')?.job).toMatchObject({
      title: 'Old harbour',
      batchId: null,
      batchRow: null,
      isStarred: true,
    });
    insertBatch(db, record('b1'), rowsOf('b1', 2));
    expect(
      listJobs(db, { ...emptyFilter, batchId: 'b1' }, { limit: 10, startOfTodayMs: 0 }).jobs.map(
        ({ batchRow }) => batchRow,
      ),
    ).toEqual([2, 1]);
    expect(listJobs(db, emptyFilter, { limit: 10, startOfTodayMs: 0 }).total).toBe(3);
    expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    db.close();
  });
});

it('a batch that cannot be read does not keep the others from being listed, and is reported when it can be', () => {
  const db = aDatabase();
  new JobCounter(db, 0).read(0);
  insertBatch(db, record('b1'), rowsOf('b1', 1));
  insertBatch(db, record('b2'), rowsOf('b2', 1));
  const changed = (): string[] =>
    changedBatches(
      db,
      (id) => readBatchesById(db, [id]),
      () => {},
    ).batches.map(({ id }) => id);
  expect(changed()).toEqual(['b1', 'b2']);
  // Not by a trigger, as what is damaged on the disk.
  db.exec("DROP TRIGGER batch_changed; UPDATE batches SET operation = 'unheard of' WHERE id = 'b1'");
  expect(readBatches(db, null).map(({ id }) => id)).toEqual(['b2']);
  expect(changed()).toEqual([]);
  db.exec("UPDATE batches SET operation = 'run'");
  expect(changed()).toEqual(['b1']);
});

describe('ten thousand rows', () => {
  it('are counted from the index alone', () => {
    const db = aDatabase();
    insertBatch(db, record('b1'), rowsOf('b1', 1));
    const plans = plansOf(db, () => readBatchesById(db, ['b1']));
    expect(plans.filter(({ sql }) => sql.includes('GROUP BY'))).toMatchObject([
      { steps: ['SEARCH jobs USING COVERING INDEX jobs_by_batch_state (batch_id=?)'] },
    ]);
  });
});
