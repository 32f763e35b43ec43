import type { DatabaseSync } from 'node:sqlite';
import type { Job, StreamChunk } from '../../../src-preload/job.ts';
import { atomically } from '../file/row.ts';
import type { MendedStream, NewChunk } from '../records.ts';
import { leftOutChunks, withLeftOut } from '../stream/left-out.ts';
import { readDocument, removeDocument } from '../file/documents.ts';
import { appendChunks, countChunks, readChunks, replaceChunks } from '../stream/chunks.ts';
import { mendedChunks, type StoredChunk } from '../stream/mend-chunks.ts';
import { noteImages } from './images.ts';
import { writeChunkCount, readBody } from './job-details.ts';
import { requireJob, writeCounts } from './jobs.ts';
import { markDirty, markReread } from '../file/dirty.ts';

/** Adds chunks to an attempt and counts them there, and on the job if the attempt is its current one. */
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
  chunks: readonly StoredChunk[],
): void {
  replaceChunks(db, id, attempt, chunks);
  writeChunkCount(db, id, attempt, chunks.length);
  if (job.attempt === attempt) writeCounts(db, id, chunks.length, job.requestCount);
  markReread(db, id);
}

/** Completes the chunks of an attempt by its saved output. Null if nothing was missing, or nothing proves what was. */
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
