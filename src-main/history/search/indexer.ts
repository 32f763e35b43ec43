import type { DatabaseSync } from 'node:sqlite';
import { isLive, type Job } from '../../../src-preload/job.ts';
import { atomically, number, statement, text, unflushed, withoutWaiting } from '../file/row.ts';
import { isDamage, isIndexDamage, isStorageTrouble } from '../file/integrity.ts';
import { lookForImages } from '../jobs/images.ts';
import { findJob, readPlaced } from '../jobs/jobs.ts';
import type { LeftOutOfSearch } from '../records.ts';
import { gather, indexedChars, nothingRead, readProse, writeIndex, type StreamProgress } from './job-text.ts';
import { createStreamText } from './stream-text.ts';

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
 * As many where so many wait: each transaction leaves a part of the index by itself, and putting the parts together is
 * what costs most when they are small.
 */
const jobsPerLongStep = 192;
/**
 * Before a search at most this many, newest first: after a migration there may be a million to index, and nobody waits
 * for that.
 */
const jobsBeforeSearch = 500;

interface Progress extends StreamProgress {
  indexedAtMs: number;
  charsAtIndexing: number;
}

export interface SearchIndexerOptions {
  /** Called when another job's text could not be indexed, or one could again. */
  onLeftOut?: (leftOut: LeftOutOfSearch) => void;
  /** Called when damage was met in what a job holds. */
  onDamage?: () => void;
}

/**
 * Brings the search index up to what is stored. What is still to index is kept in the database, so that a crash forgets
 * nothing. Each job is indexed by itself: one whose text cannot be read costs no other its place (ruling 43).
 */
export class SearchIndexer {
  readonly #db: DatabaseSync;
  readonly #onLeftOut: (leftOut: LeftOutOfSearch) => void;
  readonly #onDamage: () => void;
  /** Streams being gathered, so that each chunk is read once. */
  readonly #streams = new Map<number, Progress>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  #isLeftOutTried = false;

  /** `db` is open at the newest schema. */
  constructor(db: DatabaseSync, { onLeftOut = () => {}, onDamage = () => {} }: SearchIndexerOptions = {}) {
    this.#db = db;
    this.#onLeftOut = onLeftOut;
    this.#onDamage = onDamage;
  }

  /** Makes what was committed findable, but for the newest words of long texts still being streamed. */
  beforeSearch(nowMs: number): void {
    try {
      withoutWaiting(this.#db, () => {
        this.#indexJobs(this.#dirty('is_urgent = 1 ORDER BY job DESC', jobsBeforeSearch), nowMs, () => true);
        this.#indexJobs(this.#dirty('is_urgent = 0 ORDER BY job DESC', jobsBeforeSearch), nowMs, (id, job) =>
          this.#isDue(id, job, nowMs, smallChars),
        );
      });
    } catch (error) {
      // Where nothing can be written, what is indexed is searched all the same.
      if (!isStorageTrouble(error) || isDamage(error)) throw error;
    }
  }

  /** One short step of what is to do in idle moments. Answers whether another step is due at once. */
  idleStep(nowMs: number): boolean {
    return withoutWaiting(this.#db, () => unflushed(this.#db, () => this.#step(nowMs)));
  }

  /** The chunks of this job are others than those read so far. */
  streamReplaced(key: string): void {
    const found = findJob(this.#db, key);
    if (found !== null) this.#streams.delete(found.id);
  }

  #step(nowMs: number): boolean {
    if (!this.#isLeftOutTried) tryLeftOutAgain(this.#db);
    this.#isLeftOutTried = true;
    // Oldest first: rows added in rising order fill their pages, in falling order they leave them half empty.
    const urgent = this.#dirty('is_urgent = 1 ORDER BY job', jobsPerLongStep);
    const isLong = urgent.length === jobsPerLongStep;
    this.#indexJobs(isLong ? urgent : urgent.slice(0, jobsPerStep), nowMs, () => true);
    if (urgent.length > 0) return true;
    if (atomically(this.#db, () => lookForImages(this.#db))) return true;
    if (nowMs - this.#sweptAtMs < sweepMs) return false;
    this.#sweptAtMs = nowMs;
    this.#indexJobs(this.#dirty('is_urgent = 0 ORDER BY job', jobsBeforeSearch), nowMs, (id, job) =>
      this.#isDue(id, job, nowMs, 0),
    );
    return false;
  }

  #dirty(condition: string, limit: number): number[] {
    return statement(this.#db, `SELECT job FROM search_dirty WHERE ${condition} LIMIT ?`)
      .all(limit)
      .map((row) => number(row, 'job'));
  }

  #isDue(id: number, job: Job, nowMs: number, dueBelowChars: number): boolean {
    const progress = this.#streams.get(id);
    if (progress === undefined || !isLive(job) || progress.attempt !== job.attempt) return true;
    const chars = gather(this.#db, id, progress).chars();
    return (
      chars < dueBelowChars || nowMs - progress.indexedAtMs >= quietMs || chars > progress.charsAtIndexing * growth
    );
  }

  #indexJobs(ids: readonly number[], nowMs: number, isWanted: (id: number, job: Job) => boolean): void {
    if (ids.length === 0) return;
    const index = (id: number, job: Job): boolean => {
      if (!isWanted(id, job)) return false;
      this.#indexJob(id, job, nowMs);
      return forgetLeftOut(this.#db, id);
    };
    const all = (one: (id: number, job: Job) => boolean): boolean =>
      atomically(this.#db, () =>
        readPlaced(this.#db, ids)
          .map(({ id, job }) => one(id, job))
          .includes(true),
      );
    let isNews: boolean;
    try {
      isNews = all(index);
    } catch (error) {
      if (isNoJobsFault(error)) throw error;
      // With a savepoint for each, which the full-text index writes out: three times the work, and seldom needed.
      isNews = all((id, job) => this.#indexApart(id, job, () => index(id, job)));
    }
    if (isNews) this.#onLeftOut(readLeftOut(this.#db));
  }

  /** Indexes one job by itself. Answers whether it was left out just now, or is no longer. */
  #indexApart(id: number, job: Job, index: () => boolean): boolean {
    const db = this.#db;
    try {
      return atomically(db, index);
    } catch (error) {
      if (!db.isTransaction || isNoJobsFault(error)) throw error;
      if (isDamage(error)) this.#onDamage();
      this.#streams.delete(id);
      writeIndex(db, id, job, nothingRead);
      statement(db, 'DELETE FROM search_dirty WHERE job = ?').run(id);
      return noteLeftOut(db, id);
    }
  }

  #indexJob(id: number, job: Job, nowMs: number): void {
    const db = this.#db;
    const known = this.#streams.get(id);
    const progress =
      known?.attempt === job.attempt
        ? known
        : {
            attempt: job.attempt,
            nextSeq: 0,
            stream: createStreamText(indexedChars),
            indexedAtMs: nowMs,
            charsAtIndexing: 0,
          };
    const stream = gather(db, id, progress);
    writeIndex(db, id, job, readProse(db, id, job, stream.text()));
    progress.indexedAtMs = nowMs;
    progress.charsAtIndexing = stream.chars();
    if (isLive(job) && job.chunkCount > 0) this.#streams.set(id, progress);
    else this.#streams.delete(id);
    statement(db, 'DELETE FROM search_dirty WHERE job = ?').run(id);
  }
}

/** Neither a disk that refuses nor a broken index says anything about the job that met it. */
function isNoJobsFault(error: unknown): boolean {
  return isIndexDamage(error) || (isStorageTrouble(error) && !isDamage(error));
}

/**
 * Which way of reading a job's text for the index this build has. Raise it when body-text.ts, stream-text.ts or
 * words.ts reads otherwise: jobs that a former way failed on are then tried again, once.
 */
const reading = 1;
const mostNamed = 3;

/** Marks a job whose text cannot be indexed. Answers whether it was not marked before. */
function noteLeftOut(db: DatabaseSync, job: number): boolean {
  const isKnown = statement(db, 'SELECT 1 AS known FROM search_left_out WHERE job = ?').get(job) !== undefined;
  statement(db, 'INSERT OR REPLACE INTO search_left_out (job, reading) VALUES (?, ?)').run(job, reading);
  return !isKnown;
}

/** Takes the mark away. Answers whether there was one. */
function forgetLeftOut(db: DatabaseSync, job: number): boolean {
  return statement(db, 'DELETE FROM search_left_out WHERE job = ?').run(job).changes > 0;
}

/** Has the jobs indexed again that a former way of reading failed on. */
function tryLeftOutAgain(db: DatabaseSync): void {
  const former = statement(db, 'SELECT 1 AS former FROM search_left_out WHERE reading <> ? LIMIT 1').get(reading);
  if (former === undefined) return;
  statement(
    db,
    `INSERT INTO search_dirty (job, is_urgent) SELECT job, 1 FROM search_left_out WHERE reading <> ?
    ON CONFLICT (job) DO UPDATE SET is_urgent = 1`,
  ).run(reading);
}

/** The jobs whose text is not in the index, newest first. */
export function readLeftOut(db: DatabaseSync): LeftOutOfSearch {
  const row = statement(db, 'SELECT count(*) AS jobs FROM search_left_out').get();
  return {
    count: row === undefined ? 0 : number(row, 'jobs'),
    first: statement(
      db,
      `SELECT j.key, j.title FROM search_left_out AS l JOIN jobs AS j ON j.id = l.job
      ORDER BY l.job DESC LIMIT ?`,
    )
      .all(mostNamed)
      .map((found) => ({ key: text(found, 'key'), title: text(found, 'title') })),
  };
}
