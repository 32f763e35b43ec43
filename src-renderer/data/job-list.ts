import type { JobFilter } from '../../src-preload/history.ts';
import { isLive, type Job } from '../../src-preload/job.ts';
import { matchesFilter } from './job-matches-filter.ts';
import { createJobOrder } from './job-order.ts';

/**
 * What waits instead of moving rows: nothing; new jobs, while the list is scrolled; or every move, while the pointer is
 * over a row.
 */
export type Held = 'nothing' | 'newcomers' | 'all';

/**
 * The jobs on screen, in order: live ones first (running, queued, to be sent, then those that are over except for the
 * rest of their stream), then the others. Each group is newest first (keys ascend in time); in a batch it is by row.
 * Rows on screen are updated in place. What would move rows (a new job, one that ended) waits while the list is held,
 * so that nothing moves under the pointer. It has no clock and no DOM.
 */
export class JobList {
  readonly #jobs = new Map<string, Job>();
  readonly #order = createJobOrder();
  /** Jobs not shown yet. */
  readonly #newcomers = new Map<string, Job>();
  /** Keys of shown jobs that would move. */
  readonly #movers = new Set<string>();
  /** Keys of shown jobs that would leave. */
  readonly #leavers = new Set<string>();
  readonly #hidden = new Set<string>();
  #held: Held = 'nothing';
  #loadedDownTo: string | null = null;
  #newestRead = '';
  #newestShown = '';
  /** While the list is read again: the newest job of those that were shown. */
  #shownUpTo: string | null = null;
  #revision = 0;

  /** Updates, adds and, if the filter says so, removes jobs. `startOfTodayMs` is local midnight. */
  apply(changed: readonly Job[], filter: JobFilter, startOfTodayMs: number): void {
    for (const job of changed) if (!this.#hidden.has(job.key)) this.#applyOne(job, filter, startOfTodayMs);
    this.#settleWhatMay();
  }

  /** Adds one page of the engine's answer; all of its jobs match. A newer change to a job takes precedence. */
  addPage(page: readonly Job[]): void {
    for (const job of page) {
      if (this.#jobs.has(job.key) || this.#hidden.has(job.key)) continue;
      if (this.#waitsAbove(job.key)) {
        if (!this.#newcomers.has(job.key)) this.#newcomers.set(job.key, job);
        continue;
      }
      this.#order.append(job.key);
      if (job.key > this.#newestRead) this.#newestRead = job.key;
      // A change is newer than the page.
      this.#put(this.#newcomers.get(job.key) ?? job);
      this.#newcomers.delete(job.key);
    }
  }

  /** The key after which nothing is loaded yet: changed jobs behind it are left to their page. Null at the end. */
  setLoadedDownTo(key: string | null): void {
    this.#loadedDownTo = key;
  }

  /**
   * Whether the pages come in an order of their own. If so, all jobs are in `rest`, in the order of the pages: changed
   * jobs are updated in place, and new ones appear when the list is read again.
   */
  setOrdered(isOrdered: boolean): void {
    this.#order.setGiven(isOrdered);
  }

  /** Whether each group is oldest first, as the rows of a batch are. The caller empties the list next. */
  setOldestFirst(isOldestFirst: boolean): void {
    this.#order.setOldestFirst(isOldestFirst);
  }

  /** Whether each group is oldest first, as the rows of a batch are. */
  isOldestFirst(): boolean {
    return this.#order.isOldestFirst();
  }

  /** Which rows keep their place for now (see `Held`). Rows that may move do so immediately. */
  hold(held: Held): void {
    this.#held = held;
    this.#settleWhatMay();
  }

  /** Applies the waiting changes once, even while the list is held. */
  settle(): void {
    this.#settleMoves();
    // Only the engine knows where they belong in an order of its own.
    if (this.#order.isGiven()) return;
    for (const job of this.#newcomers.values()) this.#put(job);
    this.#newcomers.clear();
  }

  /** Shows those of these jobs that wait, even while the list is held. All others still wait. */
  show(keys: readonly string[]): void {
    if (this.#order.isGiven()) return;
    for (const key of keys) {
      const job = this.#newcomers.get(key);
      if (job === undefined) continue;
      this.#newcomers.delete(key);
      this.#put(job);
    }
  }

  /** Removes jobs that are deleted, or may come back in a moment. Until `unhide`, no page and no event adds them. */
  hide(keys: readonly string[]): void {
    for (const key of keys) {
      this.#hidden.add(key);
      this.#takeAway(key);
    }
  }

  /** Lets pages and events add these jobs again. */
  unhide(keys: readonly string[]): void {
    for (const key of keys) this.#hidden.delete(key);
  }

  /**
   * Removes all jobs, before their pages are read again. While the list is held, a job newer than all of them then
   * waits like any other new one. Hidden jobs stay hidden.
   */
  clearToReadAgain(): void {
    const shownUpTo = this.#newestShown;
    this.clear();
    this.#shownUpTo = shownUpTo === '' ? null : shownUpTo;
    this.#newestShown = shownUpTo;
  }

  /** Removes all jobs. Hidden ones stay hidden. */
  clear(): void {
    this.#revision += 1;
    this.#shownUpTo = null;
    this.#newestShown = '';
    this.#jobs.clear();
    this.#newcomers.clear();
    this.#movers.clear();
    this.#leavers.clear();
    this.#order.clear();
    this.#loadedDownTo = null;
    this.#newestRead = '';
  }

  /** A job on screen, or one that waits to be shown. */
  get(key: string): Job | undefined {
    return this.#jobs.get(key) ?? this.#newcomers.get(key);
  }

  /** Keys of live rows, newest first. Callers must not change them. */
  live(): readonly string[] {
    return this.#order.live();
  }

  /** Keys of all other rows, newest first. Callers must not change them. */
  rest(): readonly string[] {
    return this.#order.rest();
  }

  /** A new number after every change, except when jobs were added after all others, as those of the next page are. */
  revision(): number {
    return this.#revision;
  }

  /** How many new jobs wait to be shown. */
  waiting(): number {
    return this.#newcomers.size;
  }

  /** How many jobs ended and are still shown among the live ones until rows may move. */
  justEnded(): number {
    const moving = [...this.#movers].flatMap((key) => this.#jobs.get(key) ?? []);
    return moving.filter((job) => !isLive(job) && !this.#order.isInPlace(job)).length;
  }

  /** The list as windows read it, in a new object. */
  view(): JobListView {
    return {
      get: (key) => this.get(key),
      live: () => this.live(),
      rest: () => this.rest(),
      revision: () => this.revision(),
      waiting: () => this.waiting(),
      justEnded: () => this.justEnded(),
      isOldestFirst: () => this.isOldestFirst(),
    };
  }

  #applyOne(job: Job, filter: JobFilter, startOfTodayMs: number): void {
    const answer = matchesFilter(job, filter, startOfTodayMs);
    if (this.#jobs.has(job.key)) {
      this.#revision += 1;
      this.#jobs.set(job.key, job);
      // If only the engine can decide, the job stays.
      if (answer === false) this.#leavers.add(job.key);
      else this.#leavers.delete(job.key);
      if (this.#order.isInPlace(job)) this.#movers.delete(job.key);
      else this.#movers.add(job.key);
    } else if (answer === true && this.#isNewcomer(job)) {
      this.#newcomers.set(job.key, job);
    } else {
      this.#newcomers.delete(job.key);
    }
  }

  #isNewcomer(job: Job): boolean {
    if (this.#order.isGiven()) return job.key > this.#newestRead;
    if (isLive(job) || this.#loadedDownTo === null) return true;
    return job.key > this.#loadedDownTo !== this.#order.isOldestFirst();
  }

  /** New rows come at the top only in the order of their keys. */
  #waitsAbove(key: string): boolean {
    if (this.#held === 'nothing' || this.#shownUpTo === null) return false;
    return !this.#order.isGiven() && !this.#order.isOldestFirst() && key > this.#shownUpTo;
  }

  #settleWhatMay(): void {
    if (this.#held === 'nothing') this.settle();
    else if (this.#held === 'newcomers') this.#settleMoves();
  }

  #settleMoves(): void {
    for (const key of this.#leavers) this.#takeAway(key);
    for (const key of this.#movers) {
      const job = this.#jobs.get(key);
      if (job !== undefined) this.#put(job);
    }
    this.#movers.clear();
    this.#leavers.clear();
  }

  #put(job: Job): void {
    this.#jobs.set(job.key, job);
    if (job.key > this.#newestShown) this.#newestShown = job.key;
    if (!this.#order.place(job)) this.#revision += 1;
  }

  #takeAway(key: string): void {
    this.#revision += 1;
    this.#jobs.delete(key);
    this.#newcomers.delete(key);
    this.#movers.delete(key);
    this.#leavers.delete(key);
    this.#order.drop(key);
  }
}

/** A list as windows read it. It is another object after every change, so that components render again. */
export type JobListView = Pick<
  JobList,
  'get' | 'live' | 'rest' | 'revision' | 'waiting' | 'justEnded' | 'isOldestFirst'
>;
