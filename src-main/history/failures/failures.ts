import { hourMs } from '../../../src-preload/durations.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { NamedCause } from '../../../src-preload/failure-cause.ts';
import { isFailure, statusWordOf } from '../../../src-preload/history.ts';
import type { AlikeFailures, Job } from '../../../src-preload/job.ts';
import { atomically, number, statement, text, textOrNull, unflushed, withoutWaiting, type Row } from '../file/row.ts';
import { findJob, readJobs } from '../jobs/jobs.ts';
import { muteOf } from './mutes.ts';
import { signatureOf, type Signature } from './signature.ts';

/** How many failed jobs are assigned in one step of idle time, so that each step is short. */
const jobsPerStep = 60;
/** How much of a traceback is read for its frame. */
const readChars = 65_536;

/** `sortFailures` in idle time. No call waits for it, and after a crash it is repeated. */
export function sortInIdleTime(db: DatabaseSync): boolean {
  if (statement(db, 'SELECT 1 AS found FROM failures_unsorted LIMIT 1').get() === undefined) return false;
  return withoutWaiting(db, () => unflushed(db, () => sortFailures(db)));
}

/** Assigns failed jobs that have no cause yet, newest first. Returns whether there are more. */
export function sortFailures(db: DatabaseSync): boolean {
  const ids = statement(db, 'SELECT job FROM failures_unsorted ORDER BY job DESC LIMIT ?')
    .all(jobsPerStep)
    .map((row) => number(row, 'job'));
  if (ids.length === 0) return false;
  atomically(db, () => {
    for (const id of ids) sortOne(db, id);
  });
  return ids.length === jobsPerStep;
}

/** How many failed jobs have no cause yet. */
export function countUnsorted(db: DatabaseSync): number {
  const row = statement(db, 'SELECT count(*) AS jobs FROM failures_unsorted').get();
  return row === undefined ? 0 : number(row, 'jobs');
}

/** Assigns a job to its cause, or removes it from its former one because it was retried or is no longer a failure. */
function sortOne(db: DatabaseSync, id: number): void {
  statement(db, 'DELETE FROM failures_unsorted WHERE job = ?').run(id);
  statement(db, 'DELETE FROM failures WHERE job = ?').run(id);
  const [job] = readJobs(db, [id]);
  if (job === undefined || !isFailure(statusWordOf(job))) return;
  const cause = findCause(db, job, signatureOf(job, readErrorText(db, id, job)));
  const atMs = job.finishedSeenAtMs ?? job.createdAtMs;
  statement(db, 'INSERT INTO failures (job, cause, at_ms, hour) VALUES (?, ?, ?, ?)').run(
    id,
    cause,
    atMs,
    Math.floor(atMs / hourMs),
  );
}

function readErrorText(db: DatabaseSync, id: number, job: Job): string | null {
  const row = statement(
    db,
    'SELECT substr(error_text, 1, ?) AS error_text FROM attempts WHERE job = ? AND number = ?',
  ).get(readChars, id, job.attempt);
  return row === undefined ? null : textOrNull(row, 'error_text');
}

/** The cause of a job's failure, which is determined now if it was not before. Null if it did not fail. */
export function causeOfJob(db: DatabaseSync, key: string): NamedCause | null {
  const found = findJob(db, key);
  if (found === null) return null;
  return atomically(db, () => {
    sortOne(db, found.id);
    const row = statement(
      db,
      `SELECT c.id, c.endpoint_id, c.message, (SELECT count(*) FROM failures WHERE cause = c.id) AS jobs
      FROM failures f JOIN failure_causes c ON c.id = f.cause WHERE f.job = ?`,
    ).get(found.id);
    if (row === undefined) return null;
    return {
      id: number(row, 'id'),
      endpointId: text(row, 'endpoint_id'),
      message: text(row, 'message'),
      jobs: number(row, 'jobs'),
    };
  });
}

/**
 * The cause of a job's failure, and how many jobs failed for it, this one included. It need not be assigned yet, and
 * nothing is written. Null if it did not fail, or if no job was assigned to its cause so far.
 */
export function alikeOf(db: DatabaseSync, { id, job }: { id: number; job: Job }): AlikeFailures | null {
  if (!isFailure(statusWordOf(job))) return null;
  const row = readCauseRow(db, job, signatureOf(job, readErrorText(db, id, job)));
  if (row === undefined) return null;
  const causeId = number(row, 'id');
  const counted = statement(db, 'SELECT total(jobs) AS jobs FROM failure_hours WHERE cause = ?').get(causeId);
  const isCounted = statement(db, 'SELECT 1 AS found FROM failures WHERE job = ? AND cause = ?').get(id, causeId);
  const jobs = counted === undefined ? 0 : number(counted, 'jobs');
  return { causeId, jobs: jobs + (isCounted === undefined ? 1 : 0) };
}

/** Those of the jobs, by key, that failed for a muted cause. They need not be assigned yet. */
export function mutedAmong(db: DatabaseSync, keys: readonly string[], nowMs: number): string[] {
  if (statement(db, 'SELECT 1 AS found FROM failure_causes WHERE muted_at_ms IS NOT NULL LIMIT 1').get() === undefined)
    return [];
  return keys.filter((key) => {
    const found = findJob(db, key);
    if (found === null || !isFailure(statusWordOf(found.job))) return false;
    const { id, job } = found;
    const cause = readCauseRow(db, job, signatureOf(job, readErrorText(db, id, job)));
    return cause !== undefined && muteOf(db, cause, nowMs) !== null;
  });
}

function readCauseRow(db: DatabaseSync, job: Job, { message, frame }: Signature): Row | undefined {
  return statement(
    db,
    `SELECT id, muted_at_ms, muted_until_ms, rises_above, mute_reason FROM failure_causes
    WHERE connection_id = ? AND endpoint_id = ? AND message = ? AND frame = ?`,
  ).get(job.connectionId, job.endpointId, message, frame);
}

/** The id of a cause. It is created with its first job. */
function findCause(db: DatabaseSync, job: Job, signature: Signature): number {
  const known = readCauseRow(db, job, signature);
  if (known !== undefined) return number(known, 'id');
  const { lastInsertRowid } = statement(
    db,
    'INSERT INTO failure_causes (connection_id, endpoint_id, message, frame) VALUES (?, ?, ?, ?)',
  ).run(job.connectionId, job.endpointId, signature.message, signature.frame);
  return Number(lastInsertRowid);
}
