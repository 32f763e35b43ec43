import type { DatabaseSync } from 'node:sqlite';
import type { BodyText } from '../../../src-preload/history.ts';
import { pack, unpack } from '../file/packed.ts';
import { bytes, number, numberOrNull, statement, text, textOrNull, flag, oneOf, type Row } from '../file/row.ts';
import type { StoredSubmission } from '../records.ts';
import { readPolicy } from './job-row.ts';
import type { Attempt, RequestRecord } from '../../../src-preload/job.ts';
import { countChunks } from '../stream/chunks.ts';

const parts = ['input', 'output', 'error', 'reply', 'printed'] as const;
export type BodyPart = (typeof parts)[number];

/**
 * The size of a piece before compression: small enough to read a preview quickly, large enough to compress well. A body
 * of one piece is in its own row. A longer one is in `body_pieces`, as are all bodies of former versions.
 */
const pieceBytes = 1_048_576;

/** Saves `text` as a body of a job, replacing the former one. The input and what was printed have attempt 0. */
export function writeBody(db: DatabaseSync, job: number, part: BodyPart, attempt: number, text: string): void {
  statement(db, 'DELETE FROM bodies WHERE job = ? AND part = ? AND attempt = ?').run(job, part, attempt);
  insertBody(db, job, part, attempt, text);
}

/** As `writeBody`, if there is none yet. */
export function insertBody(db: DatabaseSync, job: number, part: BodyPart, attempt: number, text: string): void {
  const raw = Buffer.from(text, 'utf8');
  const insert = statement(
    db,
    'INSERT INTO bodies (job, part, attempt, bytes, encoding, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  if (raw.byteLength <= pieceBytes) {
    const { encoding, data } = pack(raw);
    insert.run(job, part, attempt, raw.byteLength, encoding, data);
    return;
  }
  const { lastInsertRowid: body } = insert.run(job, part, attempt, raw.byteLength, null, null);
  for (let at = 0, piece = 0; at < raw.byteLength; at += pieceBytes, piece += 1) {
    const { encoding, data } = pack(raw.subarray(at, at + pieceBytes));
    statement(db, 'INSERT INTO body_pieces (body, number, encoding, data) VALUES (?, ?, ?, ?)').run(
      body,
      piece,
      encoding,
      data,
    );
  }
}

/** Whether such a body is saved. */
export function hasBody(db: DatabaseSync, job: number, part: BodyPart, attempt: number): boolean {
  const sql = 'SELECT 1 AS found FROM bodies WHERE job = ? AND part = ? AND attempt = ?';
  return statement(db, sql).get(job, part, attempt) !== undefined;
}

const bodyColumns = ['id', 'part', 'attempt', 'bytes', 'encoding', 'data'].join(', ');

/** A body, or its first `maxBytes` bytes, cut between characters. Null if there is none. */
export function readBody(
  db: DatabaseSync,
  job: number,
  part: BodyPart,
  attempt: number,
  maxBytes: number | null,
): BodyText | null {
  const row = statement(db, `SELECT ${bodyColumns} FROM bodies WHERE job = ? AND part = ? AND attempt = ?`).get(
    job,
    part,
    attempt,
  );
  return row === undefined ? null : bodyOf(db, row, maxBytes);
}

/** The text of a row of `bodies`, as `readBody` returns it. */
function bodyOf(db: DatabaseSync, row: Row, maxBytes: number | null): BodyText {
  const total = number(row, 'bytes');
  const wanted = Math.min(total, maxBytes ?? total);
  const raw = row['data'] === null ? piecesOf(db, number(row, 'id'), wanted) : unpackRow(row);
  const end = wanted < total ? characterStart(raw, wanted) : total;
  return { text: raw.toString('utf8', 0, end), bytes: total, isCut: end < total };
}

/** At least the first `wanted` bytes of a body in pieces, up to the end of a piece. */
function piecesOf(db: DatabaseSync, body: number, wanted: number): Buffer {
  return Buffer.concat(
    statement(db, 'SELECT encoding, data FROM body_pieces WHERE body = ? AND number < ? ORDER BY number')
      .all(body, Math.ceil(wanted / pieceBytes))
      .map(unpackRow),
  );
}

function unpackRow(row: Row): Buffer {
  return unpack({ encoding: number(row, 'encoding'), data: bytes(row, 'data') });
}

/** A body and its kind. */
export interface FoundBody extends BodyText {
  part: BodyPart;
}

/** All bodies of a job of these kinds, newest attempt first within a kind. `maxBytes` is as in `readBody`. */
export function findBodies(db: DatabaseSync, job: number, wanted: readonly BodyPart[], maxBytes: number): FoundBody[] {
  return statement(db, `SELECT ${bodyColumns} FROM bodies WHERE job = ? ORDER BY part, attempt DESC`)
    .all(job)
    .flatMap((row) => {
      const part = oneOf(row, 'part', parts);
      return wanted.includes(part) ? [{ part, ...bodyOf(db, row, maxBytes) }] : [];
    });
}

/** The nearest place at or before `at` where a UTF-8 character begins. */
function characterStart(raw: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((raw[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** Saves the submission of a new job. */
export function insertSubmission(db: DatabaseSync, job: number, submission: StoredSubmission): void {
  statement(
    db,
    'INSERT INTO submissions (job, policy_json, webhook, wait_ms, s3_profile_id) VALUES (?, ?, ?, ?, ?)',
  ).run(job, JSON.stringify(submission.policy), submission.webhook, submission.waitMs, submission.s3ProfileId);
  insertBody(db, job, 'input', 0, submission.inputText);
}

/** The submission, with the whole input. */
export function readSubmission(db: DatabaseSync, job: number): StoredSubmission {
  const row = statement(db, 'SELECT * FROM submissions WHERE job = ?').get(job);
  if (row === undefined) throw new Error('The submission of this job is missing from the history.');
  return {
    inputText: readBody(db, job, 'input', 0, null)?.text ?? '',
    policy: readPolicy(text(row, 'policy_json')),
    webhook: textOrNull(row, 'webhook'),
    waitMs: numberOrNull(row, 'wait_ms'),
    s3ProfileId: textOrNull(row, 's3_profile_id'),
  };
}

/**
 * Inserts or replaces an attempt by its number. Its chunk count is that of the stored chunks, whatever the caller
 * passes. Returns whether its searchable text changed.
 */
export function writeAttempt(db: DatabaseSync, job: number, attempt: Attempt): boolean {
  const before = statement(db, 'SELECT error_text, worker_id FROM attempts WHERE job = ? AND number = ?').get(
    job,
    attempt.number,
  );
  putAttempt(db, 'INSERT OR REPLACE', job, attempt, countChunks(db, job, attempt.number));
  return (before?.['error_text'] ?? null) !== attempt.errorText || (before?.['worker_id'] ?? null) !== attempt.workerId;
}

/** As `writeAttempt`, for a new job. */
export function insertAttempt(db: DatabaseSync, job: number, attempt: Attempt): boolean {
  putAttempt(db, 'INSERT', job, attempt, 0);
  return attempt.errorText !== null || attempt.workerId !== null;
}

function putAttempt(
  db: DatabaseSync,
  put: 'INSERT' | 'INSERT OR REPLACE',
  job: number,
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
    chunkCount,
    attempt.finishedSeenAtMs,
  );
}

/** Writes the present number of chunks of an attempt, if the attempt exists. */
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

/** The searchable texts of a job's attempts: error texts and worker ids. */
export function attemptTexts(db: DatabaseSync, job: number): { errors: string[]; workerIds: string[] } {
  const rows = statement(db, 'SELECT error_text, worker_id FROM attempts WHERE job = ? ORDER BY number').all(job);
  return {
    errors: rows.flatMap((row) => (row['error_text'] === null ? [] : [text(row, 'error_text')])),
    workerIds: rows.flatMap((row) => (row['worker_id'] === null ? [] : [text(row, 'worker_id')])),
  };
}

const methods = ['GET', 'POST'] as const;

/** Adds request records of a job. The caller updates the job's count. */
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
