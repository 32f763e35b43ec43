import type { StreamChunk } from '../../../src-preload/job.ts';
import type { DigestOptions, FoundChunks, StreamPage } from '../../../src-preload/stream-digest.ts';
import { findJob } from '../jobs/jobs.ts';
import { commitChunks, copyStream, repairStream, storeSuspectedRepeats } from '../jobs/streams.ts';
import type { RepairedStream, NewChunk, StreamChars } from '../records.ts';
import { countStreamChars, findInChunks, readChunks, readStreamPage } from '../stream/chunks.ts';
import type { CallContext } from './call-context.ts';

/** The stored streams of jobs. */
export const streamOperations = {
  /**
   * Adds chunks after the stored ones, in the given order, and counts them on the job and its attempt. Returns them
   * with their seq (from 0).
   */
  appendChunks: (
    { db }: CallContext,
    key: string,
    attempt: number,
    chunks: NewChunk[],
    receivedAtMs: number,
  ): StreamChunk[] => commitChunks(db, { key, attempt }, chunks, receivedAtMs),
  /** A chunk that was never received and was restored from the job's output has `isRebuilt`. */
  chunks({ db }: CallContext, key: string, attempt: number, fromSeq: number, limit: number): StreamChunk[] {
    const found = findJob(db, key);
    return found === null ? [] : readChunks(db, { rowId: found.id, attempt }, { fromSeq, limit });
  },
  /** Chunks with `text` in their output, in one page of the stored stream. Null when there is no such job. */
  findChunks({ db }: CallContext, key: string, attempt: number, fromSeq: number, wanted: string): FoundChunks | null {
    const found = findJob(db, key);
    return found === null ? null : findInChunks(db, { rowId: found.id, attempt }, fromSeq, wanted);
  },
  /**
   * A page of the stored stream from that index on, its text with or without the data of images and sounds. Null if
   * there is no such job.
   */
  streamPage(
    { db }: CallContext,
    key: string,
    attempt: number,
    fromSeq: number,
    options: DigestOptions,
  ): StreamPage | null {
    const found = findJob(db, key);
    return found === null ? null : readStreamPage(db, { rowId: found.id, attempt }, fromSeq, options);
  },
  /** How long the text is that a page of the stored stream has with its media. Null if there is no such job. */
  countStreamChars({ db }: CallContext, key: string, attempt: number, fromSeq: number): StreamChars | null {
    const found = findJob(db, key);
    return found === null ? null : countStreamChars(db, { rowId: found.id, attempt }, fromSeq);
  },
  /**
   * Stores what the document `suspectedRepeats` notes of the attempt's stream, and removes that document.
   * Without one nothing changes. Returns how many chunks the attempt then has.
   */
  storeSuspectedRepeats: ({ db }: CallContext, key: string, attempt: number): number =>
    storeSuspectedRepeats(db, key, attempt),
  /**
   * Fills the gaps of a completed attempt's stream from its saved output, and removes what was sent twice; see
   * stream/repair-chunks.ts. Null: nothing was changed.
   */
  repairStream: ({ db, nowMs }: CallContext, key: string, attempt: number): RepairedStream | null =>
    repairStream(db, key, attempt, nowMs),
  /** Completes an attempt's stream by that of a job with the same id at the service. Null: nothing was changed. */
  copyStream: ({ db }: CallContext, key: string, attempt: number, fromKey: string): number | null =>
    copyStream(db, key, attempt, fromKey),
};
