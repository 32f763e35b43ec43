import type { DatabaseSync } from 'node:sqlite';
import type { Attempt, RequestRecord } from '../../../src-preload/job.ts';
import { flag, number, numberOrNull, oneOf, statement, text, textOrNull, type Row } from '../file/row.ts';
import { countChunks } from '../stream/chunks.ts';

/**
 * Inserts or replaces one attempt by its number. Its chunk count is what is stored, whatever the caller believed.
 * Answers whether the words it can be found by changed.
 */
export function writeAttempt(db: DatabaseSync, job: number, attempt: Attempt): boolean {
  const before = statement(db, 'SELECT error_text, worker_id FROM attempts WHERE job = ? AND number = ?').get(
    job,
    attempt.number,
  );
  statement(
    db,
    `INSERT OR REPLACE INTO attempts
    (job, number, started_at_ms, status, delay_time_ms, execution_time_ms, worker_id, error_text, has_output,
      output_bytes, chunk_count, finished_seen_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    job,
    attempt.number,
    attempt.startedAtMs,
    attempt.status,
    attempt.delayTimeMs,
    attempt.executionTimeMs,
    attempt.workerId,
    attempt.errorText,
    Number(attempt.hasOutput),
    attempt.outputBytes,
    countChunks(db, job, attempt.number),
    attempt.finishedSeenAtMs,
  );
  return (before?.['error_text'] ?? null) !== attempt.errorText || (before?.['worker_id'] ?? null) !== attempt.workerId;
}

/** Writes the number of chunks an attempt has by now, if the attempt is known yet. */
export function writeChunkCount(db: DatabaseSync, job: number, attempt: number, chunkCount: number): void {
  statement(db, 'UPDATE attempts SET chunk_count = ? WHERE job = ? AND number = ?').run(chunkCount, job, attempt);
}

/** All attempts of a job, first to last. */
export function readAttempts(db: DatabaseSync, job: number): Attempt[] {
  return statement(db, 'SELECT * FROM attempts WHERE job = ? ORDER BY number').all(job).map(attemptOf);
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

/** What an attempt says in words, for the search: error texts and worker ids. */
export function attemptWords(db: DatabaseSync, job: number): { errors: string[]; workerIds: string[] } {
  const rows = statement(db, 'SELECT error_text, worker_id FROM attempts WHERE job = ? ORDER BY number').all(job);
  return {
    errors: rows.flatMap((row) => (row['error_text'] === null ? [] : [text(row, 'error_text')])),
    workerIds: rows.flatMap((row) => (row['worker_id'] === null ? [] : [text(row, 'worker_id')])),
  };
}

const methods = ['GET', 'POST'] as const;

/** Adds request records of a job. The caller raises the job's count. */
export function insertRequests(db: DatabaseSync, job: number, requests: readonly Omit<RequestRecord, 'id'>[]): void {
  const insert = statement(
    db,
    `INSERT INTO requests
      (job, at_ms, method, operation, path, http_status, took_ms, bytes_received, failure_kind, note)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const request of requests) {
    insert.run(
      job,
      request.atMs,
      request.method,
      request.operation,
      request.path,
      request.httpStatus,
      request.tookMs,
      request.bytesReceived,
      request.failureKind,
      request.note,
    );
  }
}

/** All requests made for a job, oldest first. */
export function readRequests(db: DatabaseSync, job: number): RequestRecord[] {
  return statement(db, 'SELECT * FROM requests WHERE job = ? ORDER BY id')
    .all(job)
    .map((row) => ({
      id: number(row, 'id'),
      atMs: number(row, 'at_ms'),
      method: oneOf(row, 'method', methods),
      operation: text(row, 'operation'),
      path: text(row, 'path'),
      httpStatus: numberOrNull(row, 'http_status'),
      tookMs: number(row, 'took_ms'),
      bytesReceived: number(row, 'bytes_received'),
      failureKind: textOrNull(row, 'failure_kind'),
      note: textOrNull(row, 'note'),
    }));
}
