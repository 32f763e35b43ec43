import type { DatabaseSync } from 'node:sqlite';
import { isLive, type Job } from '../../../src-preload/job.ts';
import { atomically, flag, number, statement, withoutWaiting } from '../file/row.ts';
import { isDamage, isIndexDamage, isStorageTrouble } from '../file/integrity.ts';
import { readPlaced } from '../jobs/jobs.ts';
import type { UnsearchableJobs } from '../records.ts';
import { settleIndexed, type IndexedRun } from '../file/unindexed-jobs.ts';
import { mergeStep, maxUnmerged } from '../file/index-file.ts';
import {
  gather,
  indexedChars,
  indexRowOf,
  lastIndexed,
  nothingRead,
  readProse,
  removeIndexed,
  writeIndex,
  type IndexRow,
  type StreamProgress,
} from './job-text.ts';
import { forgetUnsearchable, noteUnsearchable, readUnsearchable } from './unsearchable-jobs.ts';
import { createStreamText } from './stream-text.ts';

/**
 * While a job streams, indexing it at every chunk would cost the square of its length. In idle time it is indexed again
 * when its text has grown by a quarter or this long has passed; before a search also if it is small.
 */
const quietMs = 5_000;
const smallChars = 65_536;
const growth = 1.25;
/** Streaming jobs are checked this often in idle time. */
const sweepMs = 1_000;
/** How many jobs are indexed in one transaction if few wait. */
const jobsPerStep = 512;
/** As many if this many wait: more at once make fewer segments to search, but each job then takes longer to index. */
const jobsPerLongStep = 4_096;
/** Above `maxUnmerged`, each group of this many indexed jobs is followed by a step that merges more than they add. */
const jobsPerMerge = 128;
/**
 * Before a search at most this many, newest first: after a migration there may be a million to index, which takes too
 * long to wait for.
 */
export const jobsBeforeSearch = 500;

/**
 * How many jobs are read from one snapshot of the history. It lasts milliseconds, and never while the index is written,
 * because the history's log cannot start over as long as there is one.
 */
const jobsPerReading = 128;
/** How much text is read before it is written. The last job may exceed it. */
const charsPerReading = 33_554_432;

interface Dirty {
  job: number;
  change: number;
  isReread: boolean;
}

/** What to write for a job. */
interface ReadJob extends Dirty {
  /** Null: the job was deleted. */
  row: IndexRow | null;
  /** Its text could not be read; it is found by title, ids and tags. */
  isUnsearchable: boolean;
}

interface Progress extends StreamProgress {
  indexedAtMs: number;
  charsAtIndexing: number;
}

export interface SearchIndexerOptions {
  /** Called when another job's text could not be indexed, or one could again. */
  onUnsearchable?: (unsearchable: UnsearchableJobs) => void;
  /** Called if damage was found in what is saved of a job. */
  onDamage?: () => void;
  /** Called in the transaction that removes a deleted job from the index. */
  onRemoved?: () => void;
  /**
   * Called with what the index has on disk now, so that it is removed from the list. If left out, the database is the
   * history itself, and that is done here.
   */
  onIndexed?: (runs: readonly IndexedRun[]) => void;
}

/**
 * Updates the search index from what is stored. The list of what must be indexed is in the database, so that a crash
 * loses none. Each job is indexed separately, so that one whose text cannot be read does not affect others (ruling 43).
 */
export class SearchIndexer {
  readonly #db: DatabaseSync;
  readonly #onUnsearchable: (unsearchable: UnsearchableJobs) => void;
  readonly #onDamage: () => void;
  readonly #onRemoved: () => void;
  readonly #onIndexed: (runs: readonly IndexedRun[]) => void;
  /** Streams that are being collected, so that each chunk is read once. */
  readonly #streams = new Map<number, Progress>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  /** How many transactions were written since all segments were merged. At the start not known, so at least one. */
  #unmerged = 1;
  /** How many steps merge before the next jobs are indexed. */
  #mergesDue = 0;

  /** `db` has the history and its index attached, with their newest schema. Only the index is written. */
  constructor(
    db: DatabaseSync,
    { onUnsearchable = () => {}, onDamage = () => {}, onRemoved = () => {}, onIndexed }: SearchIndexerOptions = {},
  ) {
    this.#db = db;
    this.#onUnsearchable = onUnsearchable;
    this.#onDamage = onDamage;
    this.#onRemoved = onRemoved;
    this.#onIndexed = onIndexed ?? ((runs) => settleIndexed(db, runs));
    db.exec('CREATE TEMP TABLE IF NOT EXISTS search_done (job INTEGER PRIMARY KEY, change INTEGER NOT NULL)');
  }

  /** Makes what was committed searchable, except for the newest words of long texts still being streamed. */
  beforeSearch(nowMs: number): void {
    try {
      withoutWaiting(this.#db, () => {
        this.#indexJobs(this.#dirty('is_urgent = 1 ORDER BY d.job DESC', jobsBeforeSearch), nowMs, () => true);
        this.#indexJobs(this.#dirty('is_urgent = 0 ORDER BY d.job DESC', jobsBeforeSearch), nowMs, (id, job) =>
          this.#isDue(id, job, nowMs, smallChars),
        );
      });
    } catch (error) {
      // If nothing can be written, the present index is searched anyway.
      if (!isStorageTrouble(error) || isDamage(error)) throw error;
    }
  }

  /** One step of idle work. Returns whether another step is due immediately. */
  idleStep(nowMs: number): boolean {
    return withoutWaiting(this.#db, () => this.#step(nowMs));
  }

  #step(nowMs: number): boolean {
    if (this.#mergesDue > 0) {
      this.#mergesDue -= 1;
      if (this.#merge()) return true;
      this.#mergesDue = 0;
    }
    const jobs = this.#indexUrgent(nowMs);
    if (jobs > 0) {
      if (this.#unmerged >= maxUnmerged) this.#mergesDue = Math.ceil(jobs / jobsPerMerge);
      return true;
    }
    this.#sweep(nowMs);
    return this.#unmerged > 0 && this.#merge();
  }

  /** Indexes jobs that are due now. Returns how many. */
  #indexUrgent(nowMs: number): number {
    // Oldest first: rows added in ascending order fill their pages, in descending order they leave them half empty.
    const urgent = this.#dirty('is_urgent = 1 ORDER BY d.job', jobsPerLongStep);
    const isLong = urgent.length === jobsPerLongStep;
    const due = isLong ? urgent : urgent.slice(0, jobsPerStep);
    this.#indexJobs(due, nowMs, () => true);
    return due.length;
  }

  /** Indexes jobs that stream, if they are due. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < sweepMs) return;
    this.#sweptAtMs = nowMs;
    this.#indexJobs(this.#dirty('is_urgent = 0 ORDER BY d.job', jobsBeforeSearch), nowMs, (id, job) =>
      this.#isDue(id, job, nowMs, 0),
    );
  }

  /** Merges segments of the index for some milliseconds. Returns whether there may be more to merge. */
  #merge(): boolean {
    const isMore = mergeStep(this.#db);
    if (!isMore) this.#unmerged = 0;
    return isMore;
  }

  /** What is not indexed yet, without what is done and only waits to be removed from the list. */
  #dirty(condition: string, limit: number): Dirty[] {
    return statement(
      this.#db,
      `SELECT d.job, d.change, d.is_reread FROM search_dirty AS d
      LEFT JOIN temp.search_done AS s ON s.job = d.job AND s.change = d.change WHERE s.job IS NULL AND d.${condition}
      LIMIT ?`,
    )
      .all(limit)
      .map((row) => ({ job: number(row, 'job'), change: number(row, 'change'), isReread: flag(row, 'is_reread') }));
  }

  #isDue(id: number, job: Job, nowMs: number, dueBelowChars: number): boolean {
    const progress = this.#streams.get(id);
    if (progress === undefined || !isLive(job) || progress.attempt !== job.attempt) return true;
    const chars = gather(this.#db, id, progress).chars();
    return (
      chars < dueBelowChars || nowMs - progress.indexedAtMs >= quietMs || chars > progress.charsAtIndexing * growth
    );
  }

  #indexJobs(dirty: readonly Dirty[], nowMs: number, isWanted: (id: number, job: Job) => boolean): void {
    if (dirty.length === 0) return;
    this.#forgetSettled();
    const inOrder = [...dirty].sort((a, b) => a.job - b.job);
    let hasChanged = false;
    for (let from = 0; from < inOrder.length;) {
      const { read, end } = this.#readFrom(inOrder, from, nowMs, isWanted);
      if (this.#write(read)) hasChanged = true;
      from = end;
    }
    if (hasChanged) this.#onUnsearchable(readUnsearchable(this.#db));
  }

  /** Reads the jobs from `from` on that are written together. `end` is the first one after them. */
  #readFrom(
    inOrder: readonly Dirty[],
    from: number,
    nowMs: number,
    isWanted: (id: number, job: Job) => boolean,
  ): { read: ReadJob[]; end: number } {
    const read: ReadJob[] = [];
    let chars = 0;
    let end = from;
    while (end < inOrder.length && chars < charsPerReading) {
      const some = inOrder.slice(end, end + jobsPerReading);
      end += some.length;
      const found = atomically(
        this.#db,
        () => some.flatMap((dirty) => this.#readJob(dirty, nowMs, isWanted) ?? []),
        'DEFERRED',
      );
      read.push(...found);
      chars += found.reduce((sum, { row }) => sum + (row?.words.length ?? 0), 0);
    }
    return { read, end };
  }

  /** Reads one job, so that its errors do not affect others. Null: it is not due now. */
  #readJob(dirty: Dirty, nowMs: number, isWanted: (id: number, job: Job) => boolean): ReadJob | null {
    const { job: id } = dirty;
    if (dirty.isReread) this.#streams.delete(id);
    const [placed] = readPlaced(this.#db, [id]);
    if (placed === undefined) {
      this.#streams.delete(id);
      return { ...dirty, row: null, isUnsearchable: false };
    }
    if (!isWanted(id, placed.job)) return null;
    try {
      return { ...dirty, row: this.#rowOf(id, placed.job, nowMs), isUnsearchable: false };
    } catch (error) {
      if (isNoJobsFault(error)) throw error;
      if (isDamage(error)) this.#onDamage();
      this.#streams.delete(id);
      return { ...dirty, row: indexRowOf(placed.job, nothingRead), isUnsearchable: true };
    }
  }

  #rowOf(id: number, job: Job, nowMs: number): IndexRow {
    const db = this.#db;
    if (job.chunkCount === 0) {
      this.#streams.delete(id);
      return indexRowOf(job, readProse(db, id, job, ''));
    }
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
    const row = indexRowOf(job, readProse(db, id, job, stream.text()));
    progress.indexedAtMs = nowMs;
    progress.charsAtIndexing = stream.chars();
    if (isLive(job)) this.#streams.set(id, progress);
    else this.#streams.delete(id);
    return row;
  }

  /** Writes what was read. Returns whether the unsearchable jobs have changed. */
  #write(read: readonly ReadJob[]): boolean {
    const db = this.#db;
    let hasChanged = false;
    try {
      atomically(
        db,
        () => {
          const last = lastIndexed(db);
          const note = statement(db, 'INSERT OR REPLACE INTO temp.search_done (job, change) VALUES (?, ?)');
          for (const { job, change, row, isUnsearchable } of read) {
            const isNew = last === null || job > last;
            if (row === null) this.#remove(job);
            else writeIndex(db, job, row, isNew);
            if (isUnsearchable) {
              if (noteUnsearchable(db, job)) hasChanged = true;
            } else if (!isNew) {
              const wasUnsearchable = forgetUnsearchable(db, job);
              if (wasUnsearchable && row !== null) hasChanged = true;
            }
            note.run(job, change);
          }
        },
        'DEFERRED',
      );
    } catch (error) {
      // Nothing of it is written, whatever was noted of its streams.
      this.#streams.clear();
      throw error;
    }
    this.#unmerged += 1;
    if (read.length > 0) this.#onIndexed(runsOf(read));
    return hasChanged;
  }

  #remove(job: number): void {
    removeIndexed(this.#db, job);
    this.#onRemoved();
  }

  /** Forgets what is no longer in the list of jobs to index. */
  #forgetSettled(): void {
    statement(
      this.#db,
      `DELETE FROM temp.search_done WHERE NOT EXISTS
        (SELECT 1 FROM search_dirty AS d WHERE d.job = search_done.job AND d.change = search_done.change)`,
    ).run();
  }
}

/** The indexed jobs in order, grouped by what they have in common. */
function runsOf(done: readonly Dirty[]): IndexedRun[] {
  const runs: IndexedRun[] = [];
  for (const { job, change } of done) {
    const last = runs.at(-1);
    if (last?.change === change) last.last = job;
    else runs.push({ first: job, last: job, change });
  }
  return runs;
}

/** A disk that refuses and a damaged index say nothing about the job. */
function isNoJobsFault(error: unknown): boolean {
  return isIndexDamage(error) || (isStorageTrouble(error) && !isDamage(error));
}
