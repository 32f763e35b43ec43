import type { DatabaseSync } from 'node:sqlite';
import type { Attempt } from '../../../src-preload/job.ts';
import { flag, number, numberOrNull, statement, text, textOrNull, type Row } from '../file/row.ts';
import { countChunks } from '../stream/chunks.ts';

/**
 * Inserts or replaces an attempt by its number. Its chunk count is that of the stored chunks, whatever the caller
 * passes. Returns whether its searchable text changed.
 */
export function writeAttempt(db: DatabaseSync, rowId: number, attempt: Attempt): boolean {
  const before = statement(db, 'SELECT error_text, worker_id FROM attempts WHERE job = ? AND number = ?').get(
    rowId,
    attempt.number,
  );
  putAttempt(db, 'INSERT OR REPLACE', rowId, attempt, countChunks(db, { rowId, attempt: attempt.number }));
  return (before?.['error_text'] ?? null) !== attempt.errorText || (before?.['worker_id'] ?? null) !== attempt.workerId;
}

/** As `writeAttempt`, for a new job. */
export function insertAttempt(db: DatabaseSync, rowId: number, attempt: Attempt): boolean {
  putAttempt(db, 'INSERT', rowId, attempt, 0);
  return attempt.errorText !== null || attempt.workerId !== null;
}

function putAttempt(
  db: DatabaseSync,
  put: 'INSERT' | 'INSERT OR REPLACE',
  rowId: number,
  attempt: Attempt,
  chunkCount: number,
): void {
  statement(
    db,
    `${put} INTO attempts
    (job, number, started_at_ms, status, delay_time_ms, execution_time_ms, worker_id, error_text, has_output,
      output_bytes, chunk_count, finished_seen_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    rowId,
    attempt.number,
    attempt.startedAtMs,
    attempt.status,
    attempt.delayTimeMs,
    attempt.executionTimeMs,
    attempt.workerId,
    attempt.errorText,
    Number(attempt.hasOutput),
    attempt.outputBytes,
    chunkCount,
    attempt.finishedSeenAtMs,
  );
}

/** Writes the present number of chunks of an attempt, if the attempt exists. */
export function writeChunkCount(db: DatabaseSync, rowId: number, attempt: number, chunkCount: number): void {
  statement(db, 'UPDATE attempts SET chunk_count = ? WHERE job = ? AND number = ?').run(chunkCount, rowId, attempt);
}

/** All attempts of a job, first to last. */
export function readAttempts(db: DatabaseSync, rowId: number): Attempt[] {
  return statement(db, 'SELECT * FROM attempts WHERE job = ? ORDER BY number').all(rowId).map(attemptOf);
}

function attemptOf(row: Row): Attempt {
  return {
    number: number(row, 'number'),
    startedAtMs: number(row, 'started_at_ms'),
    status: textOrNull(row, 'status'),
    delayTimeMs: numberOrNull(row, 'delay_time_ms'),
    executionTimeMs: numberOrNull(row, 'execution_time_ms'),
    workerId: textOrNull(row, 'worker_id'),
    errorText: textOrNull(row, 'error_text'),
    hasOutput: flag(row, 'has_output'),
    outputBytes: number(row, 'output_bytes'),
    chunkCount: number(row, 'chunk_count'),
    finishedSeenAtMs: numberOrNull(row, 'finished_seen_at_ms'),
  };
}

/** The searchable texts of a job's attempts: error texts and worker ids. */
export function attemptTexts(db: DatabaseSync, rowId: number): { errors: string[]; workerIds: string[] } {
  const rows = statement(db, 'SELECT error_text, worker_id FROM attempts WHERE job = ? ORDER BY number').all(rowId);
  return {
    errors: rows.flatMap((row) => (row['error_text'] === null ? [] : [text(row, 'error_text')])),
    workerIds: rows.flatMap((row) => (row['worker_id'] === null ? [] : [text(row, 'worker_id')])),
  };
}
