import type { DatabaseSync } from 'node:sqlite';
import { failedRows, type Batch } from '../../../src-preload/batch.ts';
import { isStorageTrouble } from '../file/integrity.ts';
import { atomically, flag, number, numberOrNull, oneOf, statement, text, type Row } from '../file/row.ts';
import type { BatchRecord, BatchRow, JobCommit } from '../records.ts';
import { countsBegin, noteUnreadBatch, readCountsOf } from './batch-counts.ts';
import { inputBody, readBody } from './bodies.ts';
import { commit, idBefore, readJobs } from './jobs.ts';
import { wasSentAgain } from './lineage.ts';

const operations = ['run', 'runsync'] as const;
/** The most batches in an answer: the newest. Counting one for the first time reads all its rows. */
export const maxListed = 200;
/** A page of rows with their inputs ends after this many characters. */
const pageChars = 2_000_000;

/** Saves a batch and all its rows, or nothing of it. */
export function insertBatch(db: DatabaseSync, batch: BatchRecord, rows: readonly JobCommit[]): void {
  const { maxLive, stopAfterFailures } = batch.limits;
  atomically(db, () => {
    statement(
      db,
      'INSERT INTO batches (id, name, connection_id, endpoint_id, operation, created_at_ms, total, is_paused, ' +
        'most_live, stop_after_failures, stop_at_failures) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)',
    ).run(
      batch.id,
      batch.name,
      batch.connectionId,
      batch.endpointId,
      batch.operation,
      batch.createdAtMs,
      rows.length,
      maxLive,
      stopAfterFailures,
      stopAfterFailures,
    );
    countsBegin(db, batch.id);
    commit(db, rows);
  });
}

/**
 * The newest batches of a connection, or of all, that have rows. One that cannot be read does not keep the others from
 * being listed: it is noted as changed, so that it is reported when it can be read.
 */
export function readBatches(db: DatabaseSync, connectionId: string | null): Batch[] {
  const rows =
    connectionId === null
      ? statement(db, 'SELECT * FROM batches WHERE total > 0 ORDER BY id DESC LIMIT ?').all(maxListed)
      : statement(db, 'SELECT * FROM batches WHERE connection_id = ? AND total > 0 ORDER BY id DESC LIMIT ?').all(
          connectionId,
          maxListed,
        );
  return rows.flatMap((row) => {
    try {
      return batchOf(db, row);
    } catch (error) {
      if (isStorageTrouble(error)) throw error;
      noteUnreadBatch(db, text(row, 'id'));
      return [];
    }
  });
}

/** Those of `ids` that exist. Without rows if all were deleted. */
export function readBatchesById(db: DatabaseSync, ids: readonly string[]): Batch[] {
  return ids.flatMap((id) => {
    const row = statement(db, 'SELECT * FROM batches WHERE id = ?').get(id);
    return row === undefined ? [] : [batchOf(db, row)];
  });
}

/** Ids of the batches that the user has paused. */
export function readPausedBatches(db: DatabaseSync): string[] {
  return statement(db, 'SELECT id FROM batches WHERE is_paused = 1')
    .all()
    .map((row) => text(row, 'id'));
}

/** Batches with unsent rows that their limits may hold back. */
export function readLimitedBatches(db: DatabaseSync): Batch[] {
  return statement(
    db,
    'SELECT * FROM batches WHERE (most_live IS NOT NULL OR stop_after_failures IS NOT NULL) AND EXISTS ' +
      "(SELECT 1 FROM jobs INDEXED BY jobs_by_batch_state WHERE batch_id = batches.id AND phase = 'waiting')",
  )
    .all()
    .map((row) => batchOf(db, row));
}

/** Null if there is no such batch. */
export function renameBatch(db: DatabaseSync, id: string, name: string): Batch | null {
  return atomically(db, () => {
    statement(db, 'UPDATE batches SET name = ? WHERE id = ?').run(name, id);
    return readBatchesById(db, [id])[0] ?? null;
  });
}

/** Null if there is no such batch. A resumed batch gets its full number of allowed failures again. */
export function setBatchPaused(db: DatabaseSync, id: string, isPaused: boolean, isUndo = false): Batch | null {
  return atomically(db, () => {
    statement(db, 'UPDATE batches SET is_paused = ? WHERE id = ?').run(Number(isPaused), id);
    if (!isPaused && !isUndo) {
      const failures = failedRows({ counts: readCountsOf(db, id) });
      statement(db, 'UPDATE batches SET stop_at_failures = stop_after_failures + ? WHERE id = ?').run(failures, id);
    }
    return readBatchesById(db, [id])[0] ?? null;
  });
}

/**
 * Up to `limit` rows after the job `afterKey` (null: from the first), in order, with inputs. Fewer if these are large.
 */
export function readBatchRows(db: DatabaseSync, id: string, afterKey: string | null, limit: number): BatchRow[] {
  const rows: BatchRow[] = [];
  let chars = 0;
  for (const jobId of idsOfBatch(db, id, afterKey, limit)) {
    const [job] = readJobs(db, [jobId]);
    if (job === undefined) continue;
    const inputText = readBody(db, jobId, inputBody)?.text ?? '';
    rows.push({ job, inputText, isSentAgain: wasSentAgain(db, job.key, 0) });
    chars += inputText.length;
    if (chars >= pageChars) break;
  }
  return rows;
}

/** The ids of up to `limit` rows after the job `afterKey` (null: from the first), in order. */
export function idsOfBatch(db: DatabaseSync, id: string, afterKey: string | null, limit: number): number[] {
  // The job itself may have been deleted. Keys ascend as the ids do.
  const afterId = afterKey === null ? Number.MIN_SAFE_INTEGER : idBefore(db, afterKey);
  return statement(
    db,
    'SELECT id FROM jobs INDEXED BY jobs_by_batch WHERE batch_id = ? AND id >= ? AND key > ? ORDER BY id LIMIT ?',
  )
    .all(id, afterId, afterKey ?? '', limit)
    .map((row) => number(row, 'id'));
}

function batchOf(db: DatabaseSync, row: Row): Batch {
  const id = text(row, 'id');
  const counts = readCountsOf(db, id);
  const stopsAt = numberOrNull(row, 'stop_at_failures');
  return {
    id,
    name: text(row, 'name'),
    connectionId: text(row, 'connection_id'),
    endpointId: text(row, 'endpoint_id'),
    operation: oneOf(row, 'operation', operations),
    createdAtMs: number(row, 'created_at_ms'),
    total: number(row, 'total'),
    isPaused: flag(row, 'is_paused'),
    limits: {
      maxLive: numberOrNull(row, 'most_live'),
      stopAfterFailures: numberOrNull(row, 'stop_after_failures'),
    },
    failuresLeft: stopsAt === null ? null : Math.max(0, stopsAt - failedRows({ counts })),
    counts,
  };
}
