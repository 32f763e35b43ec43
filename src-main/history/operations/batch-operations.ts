import type { JobCells, JobImage } from '../../../src-preload/batch-table.ts';
import type { Batch, BatchList, BatchPair } from '../../../src-preload/batch.ts';
import { readBatchPair } from '../jobs/batch-pairs.ts';
import {
  insertBatch,
  readBatchRows,
  readBatches,
  readBatchesById,
  readLimitedBatches,
  readPausedBatches,
  renameBatch,
  setBatchPaused,
} from '../jobs/batches.ts';
import { readJobCells, readJobImage } from '../jobs/job-cells.ts';
import { commit } from '../jobs/jobs.ts';
import type { BatchRecord, BatchRow, JobCommit } from '../records.ts';
import type { CallContext } from './call-context.ts';

/** Batches, and rows that are saved in one transaction. */
export const batchOperations = {
  /** Keeps rows in the thread's memory until `insertBatch` or `commitStaged` saves them; see jobs/staged-rows.ts. */
  stageBatchRows: ({ stagedRows }: CallContext, id: string, rows: JobCommit[]): void => stagedRows.add(id, rows),
  /**
   * Saves the batch with all rows staged for it, or nothing. Staged rows are dropped in either case. `rowCount`: how
   * many were staged.
   */
  insertBatch({ db, stagedRows, cache }: CallContext, batch: BatchRecord, rowCount: number): void {
    cache.forBatch(rowCount);
    insertBatch(db, batch, stagedRows.take(batch.id, rowCount));
  },
  /**
   * Saves all changes staged under this id in one transaction, or nothing. Staged rows are dropped in either case. For
   * many jobs that are not of a batch: thousands per second.
   */
  commitStaged({ db, stagedRows, cache }: CallContext, id: string, rowCount: number): void {
    cache.forBatch(rowCount);
    commit(db, stagedRows.take(id, rowCount));
  },
  dropStagedBatch: ({ stagedRows }: CallContext, id: string): void => stagedRows.drop(id),
  /** The newest ones, of one connection or of all, each with its rows counted. */
  batches: ({ db, counter, startOfTodayMs }: CallContext, connectionId: string | null): BatchList => ({
    batches: readBatches(db, connectionId),
    revision: counter.read(startOfTodayMs).revision,
  }),
  batchesById: ({ db }: CallContext, ids: string[]): Batch[] => readBatchesById(db, ids),
  /** The jobs of one row in two batches; `at` null: the first pair not judged. Null if they have no row in common. */
  batchPair: ({ db }: CallContext, batchId: string, withId: string, at: number | null): BatchPair | null =>
    readBatchPair(db, batchId, withId, at),
  pausedBatches: ({ db }: CallContext): string[] => readPausedBatches(db),
  limitedBatches: ({ db }: CallContext): Batch[] => readLimitedBatches(db),
  /** Null if there is no such batch. */
  renameBatch: ({ db }: CallContext, id: string, name: string): Batch | null => renameBatch(db, id, name),
  /** `isUndo`: resumed as if it had not been paused; its failures are not counted from zero again. */
  setBatchPaused: ({ db }: CallContext, id: string, isPaused: boolean, isUndo = false): Batch | null =>
    setBatchPaused(db, id, isPaused, isUndo),
  /**
   * Rows after the job `afterKey` (null: from the first), in order: up to `limit`, fewer if they are large, none at the
   * end.
   */
  batchRows: ({ db }: CallContext, id: string, afterKey: string | null, limit: number): BatchRow[] =>
    readBatchRows(db, id, afterKey, limit),
  /** What a table shows of these jobs, for the first `passed` of them: fewer if their bodies are large. */
  jobCells: ({ db }: CallContext, keys: string[]): { cells: JobCells[]; passed: number } => readJobCells(db, keys),
  /** The first image of a job's output. Null if there is none. */
  jobImage: ({ db }: CallContext, key: string): JobImage | null => readJobImage(db, key),
};
