import type { DatabaseSync } from 'node:sqlite';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { attemptWords } from './attempts.ts';
import { readBody } from './bodies.ts';
import { readChunks } from './chunks.ts';
import type { LeftOutOfSearch } from './history.ts';
import { findJob, readJobs } from './jobs.ts';
import { packText, unpackText } from './packing.ts';
import { atomically, bytes, number, statement, unflushed, withoutWaiting } from './row.ts';
import { fieldBorder, foldText, indexBorder } from './search-fold.ts';
import { marksOf } from './search-marks.ts';
import { codeWords, partsText } from './search-parts.ts';
import { forgetLeftOut, noteLeftOut, readLeftOut, tryLeftOutAgain } from './search-left-out.ts';
import { createStreamText, proseOfBody } from './search-text.ts';
import type { StreamText } from './search-text.ts';
import { isDamage, isIndexDamage, isStorageTrouble } from './storage-error.ts';

/** Text of one job that is searched; what exceeds it is kept, but not found by its words. */
export const indexedChars = 262_144;
const inputChars = 98_304;
const errorChars = 32_768;
/** A body is read this far for the index. */
const readBytes = 4_194_304;
const chunksAtOnce = 2_000;

/**
 * While a job streams, indexing it at every chunk would cost the square of its length. In idle moments it is indexed
 * again when its text grew by a quarter or this long passed; before a search also when it is small.
 */
const quietMs = 5_000;
const smallChars = 65_536;
const growth = 1.25;
/** Streaming jobs are looked at this often in idle moments. */
const sweepMs = 1_000;
/** Jobs indexed in one transaction: a few milliseconds, after which waiting calls come first. */
const jobsPerStep = 32;
/**
 * Before a search at most this many, newest first: after a migration there may be a million to index, and nobody waits
 * for that.
 */
const jobsBeforeSearch = 500;

interface Progress {
  attempt: number;
  nextSeq: number;
  stream: StreamText;
  indexedAtMs: number;
  charsAtIndexing: number;
}

/** Brings the search index up to what is stored. */
export interface SearchIndexer {
  /** Makes what was committed findable, but for the newest words of long texts still being streamed. */
  beforeSearch(nowMs: number): void;
  /** One short step of what is to do in idle moments. Answers whether another step is due at once. */
  idleStep(nowMs: number): boolean;
  /** The chunks of this job are others than those read so far. */
  streamReplaced(key: string): void;
}

/** Notes that a job's index is behind. `isUrgent`: next idle moment; else when enough chunks came. */
export function markDirty(db: DatabaseSync, job: number, isUrgent: boolean): void {
  if (isUrgent)
    statement(
      db,
      'INSERT INTO search_dirty (job, is_urgent) VALUES (?, 1) ON CONFLICT (job) DO UPDATE SET is_urgent = 1',
    ).run(job);
  else statement(db, 'INSERT OR IGNORE INTO search_dirty (job, is_urgent) VALUES (?, 0)').run(job);
}

export interface SearchIndexerOptions {
  /** Told when another job's text could not be indexed, or one could again. */
  onLeftOut?: (leftOut: LeftOutOfSearch) => void;
  /** Told when damage was met in what a job holds. */
  onDamage?: () => void;
}

/**
 * `db` is open at the newest schema. What is still to index is kept in the database, so that a crash forgets nothing.
 * Each job is indexed by itself: one whose text cannot be read costs no other its place (ruling 43).
 */
export function createSearchIndexer(db: DatabaseSync, options: SearchIndexerOptions = {}): SearchIndexer {
  const { onLeftOut = () => {}, onDamage = () => {} } = options;
  /** Streams being gathered, so that each chunk is read once. */
  const streams = new Map<number, Progress>();
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  let isLeftOutTried = false;

  const isDue = (id: number, job: Job, nowMs: number, dueBelowChars: number): boolean => {
    const progress = streams.get(id);
    if (progress === undefined || !isLive(job) || progress.attempt !== job.attempt) return true;
    const chars = gather(db, id, progress).chars();
    return (
      chars < dueBelowChars || nowMs - progress.indexedAtMs >= quietMs || chars > progress.charsAtIndexing * growth
    );
  };

  const indexJob = (id: number, job: Job, nowMs: number): void => {
    let progress = streams.get(id);
    if (progress === undefined || progress.attempt !== job.attempt) {
      progress = {
        attempt: job.attempt,
        nextSeq: 0,
        stream: createStreamText(indexedChars),
        indexedAtMs: nowMs,
        charsAtIndexing: 0,
      };
    }
    const stream = gather(db, id, progress);
    writeIndex(db, id, job, readProse(db, id, job, stream.text()));
    progress.indexedAtMs = nowMs;
    progress.charsAtIndexing = stream.chars();
    if (isLive(job) && job.chunkCount > 0) streams.set(id, progress);
    else streams.delete(id);
    statement(db, 'DELETE FROM search_dirty WHERE job = ?').run(id);
  };

  /** Answers whether it was left out, or is no longer. */
  const indexApart = (id: number, job: Job, nowMs: number, isWanted: (id: number, job: Job) => boolean): boolean => {
    try {
      return atomically(db, () => {
        if (!isWanted(id, job)) return false;
        indexJob(id, job, nowMs);
        return forgetLeftOut(db, id);
      });
    } catch (error) {
      // Neither a disk that refuses nor a broken index says anything about this job.
      if (!db.isTransaction || isIndexDamage(error) || (isStorageTrouble(error) && !isDamage(error))) throw error;
      if (isDamage(error)) onDamage();
      streams.delete(id);
      writeIndex(db, id, job, nothingRead);
      statement(db, 'DELETE FROM search_dirty WHERE job = ?').run(id);
      return noteLeftOut(db, id);
    }
  };

  const indexJobs = (ids: readonly number[], nowMs: number, isWanted: (id: number, job: Job) => boolean): void => {
    if (ids.length === 0) return;
    const isNews = atomically(db, () =>
      ids
        .map((id) => {
          const [job] = readJobs(db, [id]);
          return job !== undefined && indexApart(id, job, nowMs, isWanted);
        })
        .includes(true),
    );
    if (isNews) onLeftOut(readLeftOut(db));
  };
  const dirty = (condition: string, limit: number): number[] =>
    statement(db, `SELECT job FROM search_dirty WHERE ${condition} LIMIT ?`)
      .all(limit)
      .map((row) => number(row, 'job'));

  return {
    beforeSearch(nowMs) {
      try {
        withoutWaiting(db, () => {
          indexJobs(dirty('is_urgent = 1 ORDER BY job DESC', jobsBeforeSearch), nowMs, () => true);
          indexJobs(dirty('is_urgent = 0 ORDER BY job DESC', jobsBeforeSearch), nowMs, (id, job) =>
            isDue(id, job, nowMs, smallChars),
          );
        });
      } catch (error) {
        // Where nothing can be written, what is indexed is searched all the same.
        if (!isStorageTrouble(error) || isDamage(error)) throw error;
      }
    },
    idleStep: (nowMs) =>
      withoutWaiting(db, () =>
        unflushed(db, () => {
          if (!isLeftOutTried) tryLeftOutAgain(db);
          isLeftOutTried = true;
          // Oldest first: rows added in rising order fill their pages, in falling order they leave them half empty.
          const urgent = dirty('is_urgent = 1 ORDER BY job', jobsPerStep);
          indexJobs(urgent, nowMs, () => true);
          if (urgent.length > 0) return true;
          if (nowMs - sweptAtMs < sweepMs) return false;
          sweptAtMs = nowMs;
          indexJobs(dirty('is_urgent = 0 ORDER BY job', jobsBeforeSearch), nowMs, (id, job) =>
            isDue(id, job, nowMs, 0),
          );
          return false;
        }),
      ),
    streamReplaced(key) {
      const found = findJob(db, key);
      if (found !== null) streams.delete(found.id);
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

/** What a job is searched by beside its title, ids and tags. */
interface Prose {
  error: string;
  input: string;
  /** Parts that are searched apart stand between borders. */
  output: string;
  workerIds: string[];
}

const nothingRead: Prose = { error: '', input: '', output: '', workerIds: [] };

function readProse(db: DatabaseSync, id: number, job: Job, streamed: string): Prose {
  let left = indexedChars;
  const take = (prose: string): string => {
    const kept = prose.slice(0, left);
    left -= kept.length;
    return kept;
  };
  const { errors, workerIds } = attemptWords(db, id);
  const error = take(
    [job.note ?? '', ...errors.map((raw) => proseOfBody(raw, errorChars)), ...bodyProse(db, id, 'error', errorChars)]
      .join('\n')
      .slice(0, errorChars),
  );
  const input = take(bodyProse(db, id, 'input', inputChars).join('\n'));
  const output = take(
    [streamed, ...earlierStreams(db, id, job.attempt), ...bodyProse(db, id, 'output', left)]
      .filter((prose) => prose !== '')
      .join('\n'),
  );
  return { error, input, output, workerIds };
}

function writeIndex(db: DatabaseSync, id: number, job: Job, { error, input, output, workerIds }: Prose): void {
  const ids = [job.key, job.jobId ?? '', job.endpointId, ...workerIds].filter((word) => word !== '').join('\n');
  const title = [job.title, ...job.tags].join('\n');

  const prose = [title, ids, error, input, ...output.split(fieldBorder)].map(foldText);
  const parts = partsText([...ids.split('\n'), ...job.tags, ...codeWords(`${title}\n${error}\n${input}\n${output}`)]);
  statement(db, 'DELETE FROM search WHERE rowid = ?').run(id);
  statement(db, 'INSERT INTO search (rowid, words) VALUES (?, ?)').run(
    id,
    [...prose, parts, ...marksOf(job)].join(indexBorder),
  );
  const { encoding, data } = packText(
    [error, output, input, ids, title].filter((field) => field !== '').join(fieldBorder),
  );
  statement(db, 'INSERT OR REPLACE INTO search_texts (job, encoding, data) VALUES (?, ?, ?)').run(id, encoding, data);
}

function bodyProse(db: DatabaseSync, id: number, part: 'input' | 'output' | 'error', cap: number): string[] {
  return statement(db, 'SELECT attempt FROM bodies WHERE job = ? AND part = ? ORDER BY attempt DESC')
    .all(id, part)
    .map((row) => proseOfBody(readBody(db, id, part, number(row, 'attempt'), readBytes)?.text ?? '', cap));
}

/** Streamed text of the attempts before a retry. */
function earlierStreams(db: DatabaseSync, id: number, currentAttempt: number): string[] {
  return statement(
    db,
    'SELECT DISTINCT attempt FROM chunk_batches WHERE job = ? AND attempt <> ? ORDER BY attempt DESC',
  )
    .all(id, currentAttempt)
    .map((row) => {
      const attempt = number(row, 'attempt');
      return gather(db, id, {
        attempt,
        nextSeq: 0,
        stream: createStreamText(indexedChars),
        indexedAtMs: 0,
        charsAtIndexing: 0,
      }).text();
    });
}

/** The text a job is searched by, fields apart; empty when it is not indexed yet. */
export function readSearchText(db: DatabaseSync, key: string): string {
  const row = statement(
    db,
    'SELECT t.encoding, t.data FROM jobs AS j JOIN search_texts AS t ON t.job = j.id WHERE j.key = ?',
  ).get(key);
  return row === undefined ? '' : unpackText({ encoding: number(row, 'encoding'), data: bytes(row, 'data') });
}
