import { isFailure, isInView, isWithin, statusWordOf, type JobFilter } from '../../src-preload/history.ts';
import { isLive, type Job } from '../../src-preload/job.ts';
import { createJobOrder, type JobOrder } from './job-order.ts';

/**
 * The jobs on screen, in order: live ones first (running, then queued, then those to be sent, then those that are over
 * but for the rest of their stream), then the rest; each newest first (keys ascend in time), but in a batch by row.
 * Rows already shown are renewed in place; what would move rows (a new job, one that ended) waits while the list is
 * held, so that nothing moves under the pointer. Pure but for its own state; no clock, no DOM.
 */
export interface JobList {
  /** Renews, adds and (where the filter says so) drops jobs. `startOfTodayMs` is local midnight. */
  apply: (jobs: readonly Job[], filter: JobFilter, startOfTodayMs: number) => void;
  /** Takes one page of the engine's answer; whatever it holds matches. It never undoes a change that came before. */
  addPage: (jobs: readonly Job[]) => void;
  /**
   * The key behind which nothing was loaded yet: jobs there that change are left for their page. Null at the end.
   */
  setLoadedDownTo: (key: string | null) => void;
  /**
   * Whether pages come in an order of their own. Then the list is their jobs as they came, all of them in `rest`; what
   * changes is renewed in its place, and what is new waits for the list to be read again.
   */
  setOrdered: (isOrdered: boolean) => void;
  /** Whether each group is oldest first, as the rows of a batch: the list is emptied next. */
  setOldestFirst: (isOldestFirst: boolean) => void;
  isOldestFirst: () => boolean;
  /** What keeps its place for now (see `Held`). What no longer does moves at once. */
  hold: (held: Held) => void;
  /** Applies what waited, once, held or not. */
  settle: () => void;
  /** Takes jobs out that are deleted, or may be back in a moment; until `unhide` no page and no event adds them. */
  hide: (keys: readonly string[]) => void;
  unhide: (keys: readonly string[]) => void;
  clear: () => void;
  get: (key: string) => Job | undefined;
  /** Keys of live rows and of the others, newest first. Not to be changed by callers. */
  live: () => readonly string[];
  rest: () => readonly string[];
  /** Another number after every change but one: that jobs came behind all others, as those of the next page do. */
  revision: () => number;
  /** New jobs that wait to be shown. */
  waiting: () => number;
  /** Shown among the live ones, though they ended: they move when they may. */
  justEnded: () => number;
}

/**
 * What waits instead of moving rows: nothing; new jobs, where the list is scrolled; or every move, where the pointer is
 * about to press a row.
 */
export type Held = 'nothing' | 'newcomers' | 'all';

/**
 * Whether a job that just changed belongs under a filter, as the history would judge it. `null` when only the engine
 * can tell (words, images, costs, causes). `startOfTodayMs` is local midnight, for the view finished-today.
 */
export function belongs(job: Job, filter: JobFilter, startOfTodayMs: number): boolean | null {
  if (filter.connectionId !== null && job.connectionId !== filter.connectionId) return false;
  if (filter.endpointId !== null && job.endpointId !== filter.endpointId) return false;
  if (filter.batchId !== null && job.batchId !== filter.batchId) return false;
  if (filter.sinceMs !== null && job.createdAtMs < filter.sinceMs) return false;
  if (filter.statuses.length > 0 && !filter.statuses.includes(statusWordOf(job))) return false;
  if (filter.tags.some((tag) => !job.tags.includes(tag))) return false;
  if (filter.notTags.some((tag) => job.tags.includes(tag))) return false;
  if (filter.marks.length > 0 && !filter.marks.includes(job.mark ?? 0)) return false;
  if (filter.labels.length > 0 && !filter.labels.some((label) => isSameLabel(label, job.label))) return false;
  if (filter.beforeMs !== null && job.createdAtMs >= filter.beforeMs) return false;
  if (filter.took !== null && !isWithin(job.executionTimeMs, filter.took)) return false;
  if (filter.waited !== null && !isWithin(job.delayTimeMs, filter.waited)) return false;
  if (filter.idStart !== null && job.jobId?.startsWith(filter.idStart) !== true) return false;
  if (filter.has.includes('error') && !isFailure(statusWordOf(job))) return false;
  if (filter.has.includes('stream') && job.chunkCount === 0) return false;
  const { phase, isStarred } = job;
  if (!isInView({ phase, isStarred, word: statusWordOf(job) }, filter.view)) return false;
  if (filter.view === 'finished-today' && (job.finishedSeenAtMs ?? -Infinity) < startOfTodayMs) return false;
  return isOfEngine(filter) ? null : true;
}

/** Whether only the engine can say which jobs belong: it has their texts, the rates and the causes. */
export function isOfEngine({ text, cost, cause, has }: JobFilter): boolean {
  return text !== '' || cost !== null || cause !== null || has.includes('images');
}

/** As the history compares them: by letters A to Z whatever their case. */
function isSameLabel(one: string, other: string | undefined): boolean {
  const folded = (label: string): string => label.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return other !== undefined && folded(one) === folded(other);
}

/** Whether a job ended and still stands among those that go on. */
function isLeftBehind(job: Job | undefined, order: JobOrder): boolean {
  return job !== undefined && !isLive(job) && !order.isInPlace(job);
}

/** An empty list of jobs. */
export function createJobList(): JobList {
  const jobs = new Map<string, Job>();
  const order = createJobOrder();
  /** Jobs not shown yet, and shown ones that would move or leave. */
  const newcomers = new Map<string, Job>();
  const movers = new Set<string>();
  const leavers = new Set<string>();
  const hidden = new Set<string>();
  let held: Held = 'nothing';
  let loadedDownTo: string | null = null;
  let newestRead = '';
  let revision = 0;

  const put = (job: Job): void => {
    jobs.set(job.key, job);
    if (!order.place(job)) revision += 1;
  };
  const takeAway = (key: string): void => {
    revision += 1;
    jobs.delete(key);
    newcomers.delete(key);
    movers.delete(key);
    leavers.delete(key);
    order.drop(key);
  };
  const settleMoves = (): void => {
    for (const key of leavers) takeAway(key);
    for (const key of movers) {
      const job = jobs.get(key);
      if (job !== undefined) put(job);
    }
    movers.clear();
    leavers.clear();
  };
  const settle = (): void => {
    settleMoves();
    // Where they belong in an order of the engine's own, only the engine knows.
    if (order.isGiven()) return;
    for (const job of newcomers.values()) put(job);
    newcomers.clear();
  };
  const settleWhatMay = (): void => {
    if (held === 'nothing') settle();
    else if (held === 'newcomers') settleMoves();
  };

  const isNewcomer = (job: Job): boolean =>
    order.isGiven()
      ? job.key > newestRead
      : isLive(job) || loadedDownTo === null || job.key > loadedDownTo !== order.isOldestFirst();

  const applyOne = (job: Job, filter: JobFilter, startOfTodayMs: number): void => {
    const isShown = jobs.has(job.key);
    const answer = belongs(job, filter, startOfTodayMs);
    if (isShown) {
      revision += 1;
      jobs.set(job.key, job);
      // What only the engine can judge stays as it was found.
      if (answer === false) leavers.add(job.key);
      else leavers.delete(job.key);
      if (order.isInPlace(job)) movers.delete(job.key);
      else movers.add(job.key);
    } else if (answer === true && isNewcomer(job)) {
      newcomers.set(job.key, job);
    } else {
      newcomers.delete(job.key);
    }
  };

  return {
    apply: (changed, filter, startOfTodayMs) => {
      for (const job of changed) if (!hidden.has(job.key)) applyOne(job, filter, startOfTodayMs);
      settleWhatMay();
    },
    addPage: (page) => {
      for (const job of page) {
        if (jobs.has(job.key) || hidden.has(job.key)) continue;
        order.append(job.key);
        if (job.key > newestRead) newestRead = job.key;
        // A change is newer than the page.
        put(newcomers.get(job.key) ?? job);
        newcomers.delete(job.key);
      }
    },
    setOrdered: order.setGiven,
    setOldestFirst: order.setOldestFirst,
    isOldestFirst: order.isOldestFirst,
    setLoadedDownTo: (key) => {
      loadedDownTo = key;
    },
    hold: (wanted) => {
      held = wanted;
      settleWhatMay();
    },
    settle,
    hide: (keys) => {
      for (const key of keys) {
        hidden.add(key);
        takeAway(key);
      }
    },
    unhide: (keys) => {
      for (const key of keys) hidden.delete(key);
    },
    clear: () => {
      revision += 1;
      for (const part of [jobs, newcomers, movers, leavers, order]) part.clear();
      loadedDownTo = null;
      newestRead = '';
    },
    get: (key) => jobs.get(key) ?? newcomers.get(key),
    live: order.live,
    rest: order.rest,
    revision: () => revision,
    waiting: () => newcomers.size,
    justEnded: () => [...movers].filter((key) => isLeftBehind(jobs.get(key), order)).length,
  };
}
