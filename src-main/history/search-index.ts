import type { DatabaseSync } from 'node:sqlite';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { attemptWords } from './attempts.ts';
import { readBody } from './bodies.ts';
import { readChunks } from './chunks.ts';
import { readJobs } from './jobs.ts';
import { packText, unpackText } from './packing.ts';
import { atomically, bytes, number, statement } from './row.ts';
import { foldText } from './search-fold.ts';
import { codeWords, partsColumn } from './search-parts.ts';
import { fieldBorder } from './search-snippet.ts';
import { createStreamText, proseOfBody } from './search-text.ts';
import type { StreamText } from './search-text.ts';

/** Text of one job that is searched; what exceeds it is kept, but not found by its words. */
export const indexedChars = 262_144;
const inputChars = 98_304;
const errorChars = 32_768;
/** A body is read this far for the index. */
const readBytes = 4_194_304;
const chunksAtOnce = 2_000;

/** A live job with much text is indexed again when it grew by a quarter or this long passed: indexing stays linear in what comes. */
const quietMs = 5_000;
const smallChars = 65_536;

interface Progress {
  attempt: number;
  nextSeq: number;
  stream: StreamText;
  indexedAtMs: number;
  charsAtIndexing: number;
}

/** Brings the search index up to what is stored. */
export interface SearchIndexer {
  /**
   * Indexes up to `limit` of the jobs that changed, ended and small ones at once, long live ones now and then.
   * Answers whether there is more to do now.
   */
  refresh(nowMs: number, limit: number): boolean;
}

/** `db` is open at the newest schema. What is still to index is kept in the database, so that a crash forgets nothing. */
export function createSearchIndexer(db: DatabaseSync): SearchIndexer {
  /** Streams being gathered, so that each chunk is read once. */
  const streams = new Map<number, Progress>();

  const isDue = (id: number, job: Job, nowMs: number): boolean => {
    const progress = streams.get(id);
    if (progress === undefined || !isLive(job) || progress.attempt !== job.attempt) return true;
    const chars = gather(db, id, progress).chars();
    return chars < smallChars || nowMs - progress.indexedAtMs >= quietMs || chars > progress.charsAtIndexing * 1.25;
  };

  const indexJob = (id: number, job: Job, nowMs: number): void => {
    let progress = streams.get(id);
    if (progress === undefined || progress.attempt !== job.attempt) {
      progress = { attempt: job.attempt, nextSeq: 0, stream: createStreamText(indexedChars), indexedAtMs: nowMs, charsAtIndexing: 0 };
    }
    const stream = gather(db, id, progress);
    writeIndex(db, id, job, stream.text());
    progress.indexedAtMs = nowMs;
    progress.charsAtIndexing = stream.chars();
    if (isLive(job) && job.chunkCount > 0) streams.set(id, progress);
    else streams.delete(id);
  };

  return {
    refresh(nowMs, limit) {
      let done = 0;
      let afterId = Number.MAX_SAFE_INTEGER;
      return atomically(db, () => {
        while (done < limit) {
          const ids = statement(db, 'SELECT job FROM search_dirty WHERE job < ? ORDER BY job DESC LIMIT 64').all(afterId).map((row) => number(row, 'job'));
          if (ids.length === 0) return false;
          for (const id of ids) {
            afterId = id;
            const [job] = readJobs(db, [id]);
            if (job === undefined || !isDue(id, job, nowMs)) continue;
            indexJob(id, job, nowMs);
            statement(db, 'DELETE FROM search_dirty WHERE job = ?').run(id);
            done += 1;
            if (done >= limit) break;
          }
        }
        return true;
      });
    },
  };
}

/** Reads the chunks that came since the last look. */
function gather(db: DatabaseSync, id: number, progress: Progress): StreamText {
  while (progress.stream.chars() < indexedChars) {
    const chunks = readChunks(db, id, progress.attempt, progress.nextSeq, chunksAtOnce);
    for (const chunk of chunks) progress.stream.add(chunk.outputJson);
    progress.nextSeq += chunks.length;
    if (chunks.length < chunksAtOnce) break;
  }
  return progress.stream;
}

function writeIndex(db: DatabaseSync, id: number, job: Job, streamed: string): void {
  let left = indexedChars;
  const take = (prose: string): string => {
    const kept = prose.slice(0, left);
    left -= kept.length;
    return kept;
  };
  const words = attemptWords(db, id);
  const error = take([job.note ?? '', ...words.errors.map((raw) => proseOfBody(raw, errorChars)), ...bodyProse(db, id, 'error', errorChars)].join('\n').slice(0, errorChars));
  const input = take(bodyProse(db, id, 'input', inputChars).join('\n'));
  const output = take([streamed, ...earlierStreams(db, id, job.attempt), ...bodyProse(db, id, 'output', left)].filter((prose) => prose !== '').join('\n'));
  const ids = [job.key, job.jobId ?? '', job.endpointId, ...words.workerIds].filter((word) => word !== '').join('\n');
  const title = [job.title, ...job.tags].join('\n');

  const parts = partsColumn([...ids.split('\n'), ...job.tags, ...codeWords(`${title}\n${error}\n${input}\n${output}`)]);
  statement(db, 'DELETE FROM search WHERE rowid = ?').run(id);
  statement(db, 'INSERT INTO search (rowid, title, input, output, error, parts) VALUES (?, ?, ?, ?, ?, ?)')
    .run(id, foldText(`${title}\n${ids}`), foldText(input), foldText(output), foldText(error), parts);
  const { encoding, data } = packText([error, output, input, ids, title].filter((field) => field !== '').join(fieldBorder));
  statement(db, 'INSERT OR REPLACE INTO search_texts (job, encoding, data) VALUES (?, ?, ?)').run(id, encoding, data);
}

function bodyProse(db: DatabaseSync, id: number, part: 'input' | 'output' | 'error', cap: number): string[] {
  return statement(db, 'SELECT attempt FROM bodies WHERE job = ? AND part = ? ORDER BY attempt DESC').all(id, part)
    .map((row) => proseOfBody(readBody(db, id, part, number(row, 'attempt'), readBytes)?.text ?? '', cap));
}

/** Streamed text of the attempts before a retry. */
function earlierStreams(db: DatabaseSync, id: number, currentAttempt: number): string[] {
  return statement(db, 'SELECT DISTINCT attempt FROM chunk_batches WHERE job = ? AND attempt <> ? ORDER BY attempt DESC').all(id, currentAttempt).map((row) => {
    const attempt = number(row, 'attempt');
    return gather(db, id, { attempt, nextSeq: 0, stream: createStreamText(indexedChars), indexedAtMs: 0, charsAtIndexing: 0 }).text();
  });
}

/** The text a job is searched by, fields apart; empty when it is not indexed yet. */
export function readSearchText(db: DatabaseSync, key: string): string {
  const row = statement(db, 'SELECT t.encoding, t.data FROM jobs AS j JOIN search_texts AS t ON t.job = j.id WHERE j.key = ?').get(key);
  return row === undefined ? '' : unpackText({ encoding: number(row, 'encoding'), data: bytes(row, 'data') });
}

/** True while the index misses changes. */
export function hasDirty(db: DatabaseSync): boolean {
  return statement(db, 'SELECT 1 AS yes FROM search_dirty LIMIT 1').get() !== undefined;
}
