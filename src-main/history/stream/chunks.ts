import type { DatabaseSync } from 'node:sqlite';
import type { StreamChunk } from '../../../src-preload/job.ts';
import { digestOf, type DigestOptions, type FoundChunks, type StreamPage } from '../../../src-preload/stream-digest.ts';
import { pieceOfChunk, plainPattern } from '../../../src-preload/stream-text.ts';
import { packText, unpackText } from '../file/packed.ts';
import { bytes, number, statement } from '../file/row.ts';
import type { NewChunk, StreamChars } from '../records.ts';
import type { StoredChunk } from './repair-chunks.ts';

/**
 * Chunks are saved in rows of many: `[[receivedAtMs, outputJson, metricsJson], ...]` as JSON, compressed; a rebuilt
 * chunk has a 1 after that. A row is written once and never changed, except for a stream that is completed when its job
 * ends. JSON keeps any string exactly, including lone surrogates.
 */
const rowChunks = 256;
const rowChars = 262_144;

/** An attempt of a job, by the id of the job's row. */
export interface AttemptOf {
  rowId: number;
  attempt: number;
}

/** Adds `chunks` after those of the attempt, and returns them with their seq. */
export function appendChunks(
  db: DatabaseSync,
  { rowId, attempt }: AttemptOf,
  chunks: readonly NewChunk[],
  receivedAtMs: number,
): StreamChunk[] {
  return writeChunks(
    db,
    { rowId, attempt },
    countChunks(db, { rowId, attempt }),
    chunks.map(({ outputJson, metricsJson }) => ({ outputJson, metricsJson, receivedAtMs })),
  );
}

/** Replaces all chunks of the attempt with `chunks`. */
export function replaceChunks(db: DatabaseSync, { rowId, attempt }: AttemptOf, chunks: readonly StoredChunk[]): void {
  statement(db, 'DELETE FROM chunk_batches WHERE job = ? AND attempt = ?').run(rowId, attempt);
  writeChunks(db, { rowId, attempt }, 0, chunks);
}

function writeChunks(
  db: DatabaseSync,
  { rowId, attempt }: AttemptOf,
  firstSeq: number,
  chunks: readonly StoredChunk[],
): (StoredChunk & StreamChunk)[] {
  let seq = firstSeq;
  const placed: (StoredChunk & StreamChunk)[] = [];
  let entries: Entry[] = [];
  let chars = 0;
  const flush = (): void => {
    if (entries.length === 0) return;
    const { encoding, data } = packText(JSON.stringify(entries));
    statement(
      db,
      'INSERT INTO chunk_batches (job, attempt, first_seq, count, encoding, data) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(rowId, attempt, seq - entries.length, entries.length, encoding, data);
    entries = [];
    chars = 0;
  };
  for (const chunk of chunks) {
    const { receivedAtMs, outputJson, metricsJson } = chunk;
    entries.push(
      chunk.isRebuilt === true ? [receivedAtMs, outputJson, metricsJson, 1] : [receivedAtMs, outputJson, metricsJson],
    );
    placed.push({ seq, ...chunk });
    seq += 1;
    chars += chunk.outputJson.length + (chunk.metricsJson?.length ?? 0);
    if (entries.length >= rowChunks || chars >= rowChars) flush();
  }
  flush();
  return placed;
}

type Entry = [receivedAtMs: number, outputJson: string, metricsJson: string | null, isRebuilt?: 1];

/** How many chunks of an attempt are saved. */
export function countChunks(db: DatabaseSync, { rowId, attempt }: AttemptOf): number {
  const last = statement(
    db,
    'SELECT first_seq, count FROM chunk_batches WHERE job = ? AND attempt = ? ORDER BY first_seq DESC LIMIT 1',
  ).get(rowId, attempt);
  return last === undefined ? 0 : number(last, 'first_seq') + number(last, 'count');
}

/** Which chunks are read: from `fromSeq` on, in order. */
interface WantedChunks {
  fromSeq?: number;
  limit?: number;
  /** It ends after those that reach this many characters. */
  maxChars?: number;
}

/** Chunks of an attempt; all if nothing limits them. */
export function readChunks(
  db: DatabaseSync,
  { rowId, attempt }: AttemptOf,
  { fromSeq = 0, limit = Infinity, maxChars = Infinity }: WantedChunks = {},
): (StoredChunk & StreamChunk)[] {
  const start = statement(
    db,
    'SELECT max(first_seq) AS seq FROM chunk_batches WHERE job = ? AND attempt = ? AND first_seq <= ?',
  ).get(rowId, attempt, fromSeq);
  const firstSeq = start === undefined || start['seq'] === null ? 0 : number(start, 'seq');
  const rows = statement(
    db,
    'SELECT first_seq, encoding, data FROM chunk_batches WHERE job = ? AND attempt = ? AND first_seq >= ? ORDER ' +
      'BY first_seq',
  );
  const found: (StoredChunk & StreamChunk)[] = [];
  let chars = 0;
  for (const row of rows.iterate(rowId, attempt, firstSeq)) {
    let seq = number(row, 'first_seq');
    for (const [receivedAtMs, outputJson, metricsJson, isRebuilt] of readEntries(
      unpackText({ encoding: number(row, 'encoding'), data: bytes(row, 'data') }),
    )) {
      if (found.length >= limit || chars >= maxChars) return found;
      if (seq >= fromSeq) {
        found.push({ seq, outputJson, metricsJson, receivedAtMs, ...(isRebuilt === 1 ? { isRebuilt: true } : {}) });
        chars += outputJson.length + (metricsJson?.length ?? 0);
      }
      seq += 1;
    }
    if (found.length >= limit || chars >= maxChars) return found;
  }
  return found;
}

function readEntries(json: string): Entry[] {
  const entries: unknown = JSON.parse(json);
  if (!Array.isArray(entries)) throw unreadable();
  return entries.map((entry: unknown) => {
    if (!Array.isArray(entry)) throw unreadable();
    const [receivedAtMs, outputJson, metricsJson, isRebuilt]: unknown[] = entry;
    if (typeof receivedAtMs !== 'number' || typeof outputJson !== 'string') throw unreadable();
    const metrics = typeof metricsJson === 'string' ? metricsJson : null;
    return isRebuilt === 1 ? [receivedAtMs, outputJson, metrics, 1] : [receivedAtMs, outputJson, metrics];
  });
}

const unreadable = (): Error => new Error('A stored batch of stream chunks could not be read.');

/**
 * A page ends after this many chunks or characters, because reading it must not delay a commit. A larger chunk is a
 * page of its own.
 */
const pageChunks = 4_000;
const pageChars = 524_288;
/** The first page of a stream has no more than some screens, because its text is what a window waits for. */
const firstPageChars = 65_536;

/** All chunks of an attempt in order, a page at a time, so that a stream of any length can be read. */
export function* chunkPages(db: DatabaseSync, { rowId, attempt }: AttemptOf): Generator<readonly StreamChunk[]> {
  for (let fromSeq = 0; ;) {
    const page = readChunks(db, { rowId, attempt }, { fromSeq, limit: pageChunks, maxChars: pageChars });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    fromSeq = last.seq + 1;
  }
}

/** A page of an attempt's stored stream from `fromSeq` on, for a window. `options` are those of `digestOf`. */
export function readStreamPage(
  db: DatabaseSync,
  { rowId, attempt }: AttemptOf,
  fromSeq: number,
  options: DigestOptions,
): StreamPage {
  const maxChars = fromSeq === 0 ? firstPageChars : pageChars;
  const chunks = readChunks(db, { rowId, attempt }, { fromSeq, limit: pageChunks, maxChars });
  const nextSeq = fromSeq + chunks.length;
  return {
    fromSeq,
    nextSeq,
    isLast: nextSeq >= countChunks(db, { rowId, attempt }),
    firstReceivedAtMs: chunks[0]?.receivedAtMs ?? null,
    digest: digestOf(chunks, options),
  };
}

/** How long the text of as much as one page of the stream is, as `digestOf` joins it with the data of media. */
export function countStreamChars(db: DatabaseSync, { rowId, attempt }: AttemptOf, fromSeq: number): StreamChars {
  const chunks = readChunks(db, { rowId, attempt }, { fromSeq, limit: pageChunks, maxChars: pageChars });
  const nextSeq = fromSeq + chunks.length;
  return {
    chars: chunks.reduce((sum, { outputJson }) => sum + pieceOfChunk(outputJson).text.length, 0),
    nextSeq,
    isLast: nextSeq >= countChunks(db, { rowId, attempt }),
  };
}

/** Finds chunks whose output has `wanted` in it, upper or lower case alike, in as much as one page of the stream. */
export function findInChunks(
  db: DatabaseSync,
  { rowId, attempt }: AttemptOf,
  fromSeq: number,
  wanted: string,
): FoundChunks {
  const chunks = readChunks(db, { rowId, attempt }, { fromSeq, limit: pageChunks, maxChars: pageChars });
  const nextSeq = fromSeq + chunks.length;
  const pattern = plainPattern(wanted);
  return {
    seqs: chunks.filter(({ outputJson }) => outputJson.search(pattern) !== -1).map(({ seq }) => seq),
    nextSeq,
    isLast: nextSeq >= countChunks(db, { rowId, attempt }),
  };
}

/**
 * The chunks of one attempt from two histories. A service returns each chunk once, so two clients that read the same
 * stream may have a part each: nothing that either has is left out. Null: the chunks here are complete.
 */
export function mergeChunks(mine: readonly StoredChunk[], theirs: readonly StoredChunk[]): StoredChunk[] | null {
  const unmatched = countsOf(mine);
  const missing = theirs.filter((chunk) => !take(unmatched, chunk));
  if (missing.length === 0) return null;
  // All of mine are among theirs, which is the stream in its order.
  if (missing.length === theirs.length - mine.length) return [...theirs];
  return [...mine, ...missing].sort((a, b) => a.receivedAtMs - b.receivedAtMs);
}

const nameOf = ({ receivedAtMs, outputJson, metricsJson }: StoredChunk): string =>
  JSON.stringify([receivedAtMs, outputJson, metricsJson]);

function countsOf(chunks: readonly StoredChunk[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const chunk of chunks) counts.set(nameOf(chunk), (counts.get(nameOf(chunk)) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, chunk: StoredChunk): boolean {
  const count = counts.get(nameOf(chunk)) ?? 0;
  counts.set(nameOf(chunk), count - 1);
  return count > 0;
}
