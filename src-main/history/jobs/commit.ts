import type { DatabaseSync } from 'node:sqlite';
import { isLive } from '../../../src-preload/job.ts';
import type { Job, RequestRecord, StreamChunk } from '../../../src-preload/job.ts';
import { statusWordOf } from '../../../src-preload/history.ts';
import { atomically, statement } from '../file/row.ts';
import type { JobCommit, MendedStream, NewChunk } from '../records.ts';
import { leftOutChunks, withLeftOut } from '../stream/left-out.ts';
import { readDocument, removeDocument } from '../file/documents.ts';
import { appendChunks, countChunks, readChunks, replaceChunks } from '../stream/chunks.ts';
import { mendedChunks } from '../stream/mend-chunks.ts';
import type { KeptChunk } from '../stream/mend-chunks.ts';
import { insertRequests, writeAttempt, writeChunkCount } from './attempts-and-requests.ts';
import { insertSubmission, readBody, writeBody } from './bodies.ts';
import { findJob, insertJob, replaceJob, requireJob, updateJob, writeCounts, writeTags } from './jobs.ts';

/** Applies all changes or none. Answers the jobs as they now stand. */
export function commit(db: DatabaseSync, changes: readonly JobCommit[]): Job[] {
  return atomically(db, () => changes.map((change) => applyChange(db, change)));
}

function applyChange(db: DatabaseSync, change: JobCommit): Job {
  const kept = findJob(db, change.job.key);
  const placed = kept === null ? insertJob(db, change.job) : replaceJob(db, kept, change.job);
  const { id } = placed;
  if (kept === null) {
    insertSubmission(
      db,
      id,
      change.submission ?? { inputText: '', policy: change.job.policy, webhook: null, waitMs: null, s3ProfileId: null },
    );
  }
  const isAttemptReworded = change.attempt !== undefined && writeAttempt(db, id, change.attempt);
  for (const body of change.bodies ?? []) writeBody(db, id, body.part, body.attempt, body.text);
  const requests = change.requests ?? [];
  const job = requests.length === 0 ? placed.job : addRequests(db, id, placed.job, requests);
  if (kept === null || isAttemptReworded || change.bodies !== undefined || isReworded(kept.job, job))
    markDirty(db, id, true);
  return job;
}

/** True when the job would be found by other words or filters now. */
function isReworded(before: Job, after: Job): boolean {
  return (
    before.title !== after.title ||
    JSON.stringify(before.reason) !== JSON.stringify(after.reason) ||
    before.jobId !== after.jobId ||
    isLive(before) !== isLive(after) ||
    statusWordOf(before) !== statusWordOf(after)
  );
}

function addRequests(db: DatabaseSync, id: number, job: Job, requests: readonly Omit<RequestRecord, 'id'>[]): Job {
  insertRequests(db, id, requests);
  const requestCount = job.requestCount + requests.length;
  writeCounts(db, id, job.chunkCount, requestCount);
  return { ...job, requestCount };
}

/** Adds request records to a job that is kept. */
export function recordRequests(db: DatabaseSync, key: string, requests: readonly Omit<RequestRecord, 'id'>[]): void {
  atomically(db, () => {
    const { id, job } = requireJob(db, key);
    addRequests(db, id, job, requests);
  });
}

/** Adds chunks to an attempt and counts them there, and on the job when the attempt is its current one. */
export function commitChunks(
  db: DatabaseSync,
  key: string,
  attempt: number,
  chunks: readonly NewChunk[],
  receivedAtMs: number,
): StreamChunk[] {
  return atomically(db, () => {
    const { id, job } = requireJob(db, key);
    if (chunks.length === 0) return [];
    const placed = appendChunks(db, id, attempt, chunks, receivedAtMs);
    const chunkCount = countChunks(db, id, attempt);
    writeChunkCount(db, id, attempt, chunkCount);
    if (job.attempt === attempt) writeCounts(db, id, chunkCount, job.requestCount);
    markDirty(db, id, false);
    return placed;
  });
}

/**
 * Stores what is noted as left out of an attempt's stream in its place there, and removes the note: both or neither, so
 * that it is never stored twice. Answers how many chunks the attempt then has.
 */
export function storeLeftOut(db: DatabaseSync, key: string, attempt: number): number {
  return atomically(db, () => {
    const placed = requireJob(db, key);
    const chunkCount = countChunks(db, placed.id, attempt);
    const noteId = leftOutChunks.id({ key, attempt });
    const note = readDocument(db, leftOutChunks.kind, noteId);
    if (note === null) return chunkCount;
    const leftOut = leftOutChunks.schema.parse(JSON.parse(note));
    const stored = readChunks(db, placed.id, attempt, 0, chunkCount);
    const stream = withLeftOut(stored, leftOut, (equal, { receivedAtMs }) => ({ ...equal, receivedAtMs }));
    putStream(db, placed, attempt, stream);
    removeDocument(db, leftOutChunks.kind, noteId);
    return stream.length;
  });
}

function putStream(
  db: DatabaseSync,
  { id, job }: { id: number; job: Job },
  attempt: number,
  chunks: readonly KeptChunk[],
): void {
  replaceChunks(db, id, attempt, chunks);
  writeChunkCount(db, id, attempt, chunks.length);
  if (job.attempt === attempt) writeCounts(db, id, chunks.length, job.requestCount);
  markDirty(db, id, true);
}

/** Mends the chunks of an attempt by its kept output. Null when nothing was to be mended, or nothing proves how. */
export function mendStream(db: DatabaseSync, key: string, attempt: number, nowMs: number): MendedStream | null {
  return atomically(db, () => {
    const { id, job } = requireJob(db, key);
    const receivedCount = countChunks(db, id, attempt);
    const output = receivedCount === 0 ? null : readBody(db, id, 'output', attempt, null);
    const mended =
      output === null ? null : mendedChunks(readChunks(db, id, attempt, 0, receivedCount), output.text, nowMs);
    if (mended === null) return null;
    putStream(db, { id, job }, attempt, mended);
    const rebuiltCount = mended.filter(({ isRebuilt }) => isRebuilt === true).length;
    return { chunkCount: mended.length, rebuiltCount, repeatedCount: receivedCount + rebuiltCount - mended.length };
  });
}

/** Sets or takes away the user's star. Null when there is no such job. */
export function setStarred(db: DatabaseSync, key: string, isStarred: boolean): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null || kept.job.isStarred === isStarred) return kept?.job ?? null;
    markDirty(db, kept.id, true);
    return updateJob(db, kept.id, { ...kept.job, isStarred }).job;
  });
}

/** Replaces the user's tags. Null when there is no such job. */
export function setTags(db: DatabaseSync, key: string, tags: readonly string[]): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null) return null;
    markDirty(db, kept.id, true);
    return writeTags(db, kept, tags).job;
  });
}

/** Marks jobs as seen. Answers those that were not. */
export function markSeen(db: DatabaseSync, keys: readonly string[]): Job[] {
  return atomically(db, () =>
    keys.flatMap((key) => {
      const kept = findJob(db, key);
      return kept === null || kept.job.isSeen ? [] : [updateJob(db, kept.id, { ...kept.job, isSeen: true }).job];
    }),
  );
}

/**
 * Notes that the search index is behind this job. `isUrgent`: it is indexed at the next idle moment; otherwise once
 * enough chunks came.
 */
function markDirty(db: DatabaseSync, job: number, isUrgent: boolean): void {
  if (isUrgent)
    statement(
      db,
      'INSERT INTO search_dirty (job, is_urgent) VALUES (?, 1) ON CONFLICT (job) DO UPDATE SET is_urgent = 1',
    ).run(job);
  else statement(db, 'INSERT OR IGNORE INTO search_dirty (job, is_urgent) VALUES (?, 0)').run(job);
}
