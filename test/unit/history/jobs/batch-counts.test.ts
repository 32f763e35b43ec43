import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atomically, number, statement, text, textOrNull } from '../../../../src-main/history/file/row.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { changedBatches as changedBatchesOf } from '../../../../src-main/history/jobs/batch-counts.ts';
import { insertBatch, readBatchesById, setBatchPaused } from '../../../../src-main/history/jobs/batches.ts';
import { JobCounter } from '../../../../src-main/history/jobs/counts.ts';
import { phases } from '../../../../src-main/history/jobs/facets.ts';
import { commit, findJob, updateJobByKey } from '../../../../src-main/history/jobs/jobs.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { batchStateOf, noRows, type Batch, type BatchCounts } from '../../../../src-preload/batch.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { aNewJob } from '../a-database.ts';

const batchIds = ['b1', 'b2', 'b3'] as const;
const record = (id: string) => ({
  id,
  name: id,
  connectionId: 'c1',
  endpointId: 'echo',
  operation: 'run' as const,
  createdAtMs: 7,
  limits: { maxLive: null, stopAfterFailures: 2 },
});
const states = [
  { phase: 'waiting', status: null },
  { phase: 'submitting', status: null },
  { phase: 'active', status: 'IN_QUEUE' },
  { phase: 'active', status: 'IN_PROGRESS' },
  { phase: 'finished', status: 'COMPLETED' },
  { phase: 'finished', status: 'CANCELLED' },
  { phase: 'finished', status: 'FAILED' },
  { phase: 'gone', status: 'IN_QUEUE' },
] as const satisfies Partial<Job>[];

/** The changed batches, all of which can be read. */
const changedBatches = <T>(db: DatabaseSync, read: (id: string) => readonly T[]): T[] =>
  changedBatchesOf(db, read, (error) => {
    throw error;
  }).batches;

const rowOf = (batchId: string, row: number, state: Partial<Job>) =>
  aNewJob({ key: `${batchId}-${row}`, batchId, batchRow: row, ...state }, '{}');

type Step =
  | { kind: 'state'; batchId: string; row: number; state: Partial<Job> }
  | { kind: 'new row'; batchId: string; state: Partial<Job> }
  | { kind: 'moved'; batchId: string; row: number; to: string | null }
  | { kind: 'deleted'; batchId: string; row: number }
  | { kind: 'paused'; batchId: string; isPaused: boolean }
  | { kind: 'read'; batchId: string };

const batchId = fc.constantFrom(...batchIds);
const row = fc.integer({ min: 1, max: 4 });
const state = fc.constantFrom<Partial<Job>>(...states);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('state' as const), batchId, row, state }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('new row' as const), batchId, state }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('moved' as const), batchId, row, to: fc.option(batchId) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleted' as const), batchId, row }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('paused' as const), batchId, isPaused: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), batchId }) },
);

function take(db: DatabaseSync, one: Step, number: number): void {
  switch (one.kind) {
    case 'read':
      return void readBatchesById(db, [one.batchId]);
    case 'paused':
      return void setBatchPaused(db, one.batchId, one.isPaused);
    case 'new row':
      return void commit(db, [
        rowOf(one.batchId, 100 + number, one.state),
        rowOf(one.batchId, 200 + number, one.state),
      ]);
    case 'deleted':
      return void removeJob(db, `${one.batchId}-${one.row}`);
    case 'state':
    case 'moved': {
      const job = findJob(db, `${one.batchId}-${one.row}`)?.job;
      if (job === undefined) return;
      if (one.kind === 'state') commit(db, [{ job: { ...job, ...one.state } }]);
      else updateJobByKey(db, { ...job, batchId: one.to });
    }
  }
}

/** Counted from the rows of the table, as if nothing was kept. */
function countedAgain(db: DatabaseSync): Map<string, BatchCounts> {
  const counts = new Map<string, BatchCounts>(batchIds.map((id) => [id, { ...noRows }]));
  const rows = statement(
    db,
    'SELECT batch_id, phase, status, count(*) AS jobs FROM jobs WHERE batch_id IS NOT NULL GROUP BY 1, 2, 3',
  ).all();
  for (const found of rows) {
    const phase = phases.find((one) => one === found['phase']);
    const ofBatch = counts.get(text(found, 'batch_id'));
    if (phase !== undefined && ofBatch !== undefined)
      ofBatch[batchStateOf({ phase, status: textOrNull(found, 'status') })] += number(found, 'jobs');
  }
  return counts;
}

/** What is on disk about each batch, by its id. */
function onDisk(db: DatabaseSync): Map<string, string> {
  const counts = countedAgain(db);
  const rows = statement(db, 'SELECT * FROM batches').all();
  return new Map(rows.map((found) => [text(found, 'id'), JSON.stringify([found, counts.get(text(found, 'id'))])]));
}

/** Three batches that were there before this history was opened, so that their rows are not counted yet. */
function openWithBatches(): DatabaseSync {
  const { db } = openDatabase(':memory:', 0);
  for (const id of batchIds)
    insertBatch(
      db,
      record(id),
      [1, 2, 3, 4].map((at) => rowOf(id, at, states[at] ?? {})),
    );
  return db;
}

it('the counts of batches are as if counted again, whatever was written or undone, whenever they were read first', () => {
  const change = fc.record({ step, isUndone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const db = openWithBatches();
      const counter = new JobCounter(db, 0);
      for (const [at, { step: one, isUndone }] of changes.entries()) {
        const before = onDisk(db);
        const { revision } = counter.read(0);
        const undo = new Error('undone');
        const run = (): void =>
          atomically(db, () => {
            take(db, one, at);
            if (isUndone) throw undo;
          });
        if (isUndone) expect(run).toThrow(undo);
        else run();
        // Every batch that is not as before is reported once, with counts that are newer.
        const changed = [...onDisk(db)].filter(([id, now]) => before.get(id) !== now).map(([id]) => id);
        const isNewer = counter.read(0).revision > revision;
        const reported = changedBatches(db, (id) => [id]);
        expect(reported).toEqual(expect.arrayContaining(changed));
        expect(isNewer || reported.length === 0).toBe(true);
        expect(changedBatches(db, (id) => [id])).toEqual([]);
      }
      expect(new Map(readBatchesById(db, batchIds).map(({ id, counts }) => [id, counts]))).toEqual(countedAgain(db));
      db.close();
    }),
    { numRuns: 150 },
  );
});

it('a batch that cannot be read does not keep the others from being reported, and is reported when it can be', () => {
  const db = openWithBatches();
  new JobCounter(db, 0).read(0);
  changedBatches(db, (id) => [id]);
  setBatchPaused(db, 'b1', true);
  setBatchPaused(db, 'b2', true);
  const readOthers = (id: string): Batch[] => {
    if (id === 'b1') throw new Error('the disk');
    return readBatchesById(db, [id]);
  };
  const troubles: unknown[] = [];
  expect(changedBatchesOf(db, readOthers, (error) => troubles.push(error))).toMatchObject({
    batches: [{ id: 'b2', isPaused: true }],
    unread: 1,
  });
  expect(troubles).toEqual([new Error('the disk')]);
  expect(changedBatches(db, (id) => readBatchesById(db, [id]))).toMatchObject([{ id: 'b1', isPaused: true }]);
  db.close();
});

it('a new batch is reported with all its rows', () => {
  const { db } = openDatabase(':memory:', 0);
  const counter = new JobCounter(db, 0);
  counter.read(0);
  insertBatch(db, record('b1'), [rowOf('b1', 1, { phase: 'waiting', status: null })]);
  expect(counter.read(0).revision).toBe(2);
  expect(changedBatches(db, (id) => readBatchesById(db, [id]))).toMatchObject([{ id: 'b1', counts: { waiting: 1 } }]);
  db.close();
});
