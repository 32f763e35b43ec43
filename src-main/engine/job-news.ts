import { noJobs, type AllJobCounts } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { News } from './engine-events.ts';

/**
 * Reports jobs that changed to the windows, always together with the counts as they stand with these changes, so that
 * lists and counts agree in every frame.
 */
export class JobNews {
  readonly #news: News;
  #changed = new Map<string, Job>();
  readonly #removed = new Set<string>();
  #isPlanned = false;
  #counts: AllJobCounts = { revision: 0, all: noJobs, byConnection: {}, savedBytes: 0 };

  constructor(news: News) {
    this.#news = news;
  }

  /** The counts of all jobs, as the history last took them. */
  counts(): AllJobCounts {
    return this.#counts;
  }

  /** The history counted again; the reason for it is reported in the same turn. */
  counted(counts: AllJobCounts): void {
    const isFirst = this.#counts.revision === 0;
    this.#counts = counts;
    // At opening there is no window yet that showed others.
    if (!isFirst) this.#plan();
  }

  /** Jobs as they now stand on disk. */
  changed(jobs: readonly Job[]): void {
    for (const job of jobs) this.#changed.set(job.key, job);
    this.#plan();
  }

  /** Jobs that are no longer in the history. */
  removed(keys: readonly string[]): void {
    for (const key of keys) this.#removed.add(key);
    if (keys.length > 0) this.#plan();
  }

  /** Once all that this turn of the event loop brings has been taken in: the answers to one commit come in many. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      const removedKeys = [...this.#removed];
      const jobs = [...this.#changed.values()].filter(({ key }) => !this.#removed.has(key));
      this.#changed = new Map();
      this.#removed.clear();
      this.#news.emit('job:changed', { jobs, removedKeys, counts: this.#counts });
    });
  }
}
