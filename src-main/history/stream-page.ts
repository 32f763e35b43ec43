import type { DatabaseSync } from 'node:sqlite';
import { digestOf } from '../../src-preload/stream-digest.ts';
import type { StreamPage } from '../../src-preload/stream-digest.ts';
import { countChunks, readChunks } from './chunks.ts';

/**
 * A page ends behind so many chunks or characters: its reading must not keep a commit waiting. A larger chunk is a page
 * of its own.
 */
const pageChunks = 4_000;
const pageChars = 524_288;

/** What is stored of an attempt's stream from place `fromSeq` on, read for a window. */
export function readStreamPage(db: DatabaseSync, job: number, attempt: number, fromSeq: number): StreamPage {
  const chunks = readChunks(db, job, attempt, fromSeq, pageChunks, pageChars);
  const nextSeq = fromSeq + chunks.length;
  return {
    fromSeq,
    nextSeq,
    isLast: nextSeq >= countChunks(db, job, attempt),
    firstReceivedAtMs: chunks[0]?.receivedAtMs ?? null,
    digest: digestOf(chunks),
  };
}
