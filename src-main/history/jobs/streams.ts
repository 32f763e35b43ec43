import type { DatabaseSync } from 'node:sqlite';
import type { Job, StreamChunk } from '../../../src-preload/job.ts';
import { atomically } from '../file/row.ts';
import type { RepairedStream, NewChunk } from '../records.ts';
import { suspectedRepeats, withSuspectedRepeats } from '../stream/suspected-repeats.ts';
import { readDocument, removeDocument, writeDocument } from '../file/documents.ts';
import { appendChunks, countChunks, readChunks, replaceChunks, mergeChunks } from '../stream/chunks.ts';
import { repairedChunks, type StoredChunk } from '../stream/repair-chunks.ts';
import { noteImages } from './images.ts';
import { writeChunkCount } from './attempts.ts';
import { readBody } from './bodies.ts';
import { findJob, requireJob, writeCounts } from './jobs.ts';
import { markDirty, markReread } from '../file/unindexed-jobs.ts';

/** Adds chunks to an attempt and counts them there, and on the job if the attempt is its current one. */
export function commitChunks(
  db: DatabaseSync,
  { key, attempt }: { key: string; attempt: number },
  chunks: readonly NewChunk[],
  receivedAtMs: number,
): StreamChunk[] {
  return atomically(db, () => {
    const { id, job } = requireJob(db, key);
    if (chunks.length === 0) return [];
    const placed = appendChunks(db, { rowId: id, attempt }, chunks, receivedAtMs);
    const chunkCount = countChunks(db, { rowId: id, attempt });
    writeChunkCount(db, id, attempt, chunkCount);
    if (job.attempt === attempt) writeCounts(db, id, chunkCount, job.requestCount);
    noteImages(
      db,
      id,
      chunks.map(({ outputJson }) => outputJson),
    );
    markDirty(db, id, false);
    return placed;
  });
}

/**
 * Stores what is noted as left out of an attempt's stream in its place, and removes the note: both or neither, so that
 * it is never stored twice. Returns how many chunks the attempt then has.
 */
export function storeSuspectedRepeats(db: DatabaseSync, key: string, attempt: number): number {
  return atomically(db, () => {
    const placed = requireJob(db, key);
    const chunkCount = countChunks(db, { rowId: placed.id, attempt });
    const noteId = suspectedRepeats.id({ key, attempt });
    const note = readDocument(db, suspectedRepeats.kind, noteId);
    if (note === null) return chunkCount;
    const suspected = suspectedRepeats.schema.parse(JSON.parse(note));
    const stored = readChunks(db, { rowId: placed.id, attempt }, { limit: chunkCount });
    const stream = withSuspectedRepeats(stored, suspected, (equal, { receivedAtMs }) => ({ ...equal, receivedAtMs }));
    putStream(db, placed, attempt, stream);
    removeDocument(db, suspectedRepeats.kind, noteId);
    return stream.length;
  });
}

/**
 * Gives an attempt the chunks of the same attempt of `fromKey`, a job with the same id at the service, if all of its
 * own are among them; and the same note of what is left out. Returns how many chunks the attempt then has. Null:
 * nothing was changed.
 */
export function copyStream(db: DatabaseSync, key: string, attempt: number, fromKey: string): number | null {
  return atomically(db, () => {
    const [placed, from] = [requireJob(db, key), findJob(db, fromKey)];
    if (from === null) return null;
    const chunksOf = (id: number): StoredChunk[] =>
      readChunks(db, { rowId: id, attempt }, { limit: countChunks(db, { rowId: id, attempt }) });
    const [own, theirs] = [chunksOf(placed.id), chunksOf(from.id)];
    if (own.length >= theirs.length || mergeChunks(own, theirs)?.length !== theirs.length) return null;
    putStream(db, placed, attempt, theirs);
    const note = readDocument(db, suspectedRepeats.kind, suspectedRepeats.id({ key: fromKey, attempt }));
    const noteId = suspectedRepeats.id({ key, attempt });
    if (note === null) removeDocument(db, suspectedRepeats.kind, noteId);
    else writeDocument(db, suspectedRepeats.kind, noteId, note);
    return theirs.length;
  });
}

function putStream(
  db: DatabaseSync,
  { id, job }: { id: number; job: Job },
  attempt: number,
  chunks: readonly StoredChunk[],
): void {
  replaceChunks(db, { rowId: id, attempt }, chunks);
  writeChunkCount(db, id, attempt, chunks.length);
  if (job.attempt === attempt) writeCounts(db, id, chunks.length, job.requestCount);
  markReread(db, id);
}

/** Completes the chunks of an attempt by its saved output. Null if nothing was missing, or nothing proves what was. */
export function repairStream(db: DatabaseSync, key: string, attempt: number, nowMs: number): RepairedStream | null {
  return atomically(db, () => {
    const { id, job } = requireJob(db, key);
    const receivedCount = countChunks(db, { rowId: id, attempt });
    const output = receivedCount === 0 ? null : readBody(db, id, { part: 'output', attempt });
    const repaired =
      output === null
        ? null
        : repairedChunks(readChunks(db, { rowId: id, attempt }, { limit: receivedCount }), output.text, nowMs);
    if (repaired === null) return null;
    putStream(db, { id, job }, attempt, repaired);
    const rebuiltCount = repaired.filter(({ isRebuilt }) => isRebuilt === true).length;
    return { chunkCount: repaired.length, rebuiltCount, repeatedCount: receivedCount + rebuiltCount - repaired.length };
  });
}
