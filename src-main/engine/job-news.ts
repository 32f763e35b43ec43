import type { Batch } from '../../src-preload/batch.ts';
import { noJobs, type AllJobCounts } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { atEndOfTurn } from '../async/turns.ts';
import type { News } from './engine-events.ts';

/**
 * Reports changed jobs to windows, always together with the batches that changed and the counts at that time, so that
 * lists, batches and counts agree in every frame.
 */
export class JobNews {
  readonly #news: News;
  #changed = new Map<string, Job>();
  readonly #removed = new Set<string>();
  #batches = new Map<string, Batch>();
  #onBatches: (batches: readonly Batch[]) => void = () => {};
  #isPlanned = false;
  #counts: AllJobCounts = { revision: 0, all: noJobs, byConnection: {}, savedBytes: 0 };

  constructor(news: News) {
    this.#news = news;
  }

  /** The counts of all jobs that the history returned last. */
  counts(): AllJobCounts {
    return this.#counts;
  }

  /** Sets who else gets the batches that changed, each time after the windows. */
  onBatches(listener: (batches: readonly Batch[]) => void): void {
    this.#onBatches = listener;
  }

  /** New counts of the history, and changed batches. The changes they result from are noted in the same turn. */
  counted({ counts, batches }: { counts: AllJobCounts; batches: readonly Batch[] }): void {
    const isFirst = this.#counts.revision === 0;
    this.#counts = counts;
    for (const batch of batches) this.#batches.set(batch.id, batch);
    // When the app opens, no window shows other counts yet.
    if (!isFirst) this.#plan();
  }

  /** Jobs whose change is on disk. */
  changed(jobs: readonly Job[]): void {
    for (const job of jobs) this.#changed.set(job.key, job);
    this.#plan();
  }

  /** Jobs that are no longer in the history. */
  removed(keys: readonly string[]): void {
    for (const key of keys) this.#removed.add(key);
    if (keys.length > 0) this.#plan();
  }

  /**
   * Reports at the end of this turn: the counts come first, the jobs that they count are noted in the same turn, and
   * one commit leads to many calls.
   */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    atEndOfTurn(() => this.#report());
  }

  #report(): void {
    this.#isPlanned = false;
    const removedKeys = [...this.#removed];
    const jobs = [...this.#changed.values()].filter(({ key }) => !this.#removed.has(key));
    const batches = [...this.#batches.values()];
    this.#changed = new Map();
    this.#removed.clear();
    this.#batches = new Map();
    this.#news.emit('job:changed', { jobs, removedKeys, batches, counts: this.#counts });
    if (batches.length > 0) this.#onBatches(batches);
  }
}
