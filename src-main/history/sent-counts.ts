import type { DatabaseSync } from 'node:sqlite';
import type { AllJobCounts } from '../../src-preload/history.ts';
import { isDamage } from './file/integrity.ts';
import { changedBatches } from './jobs/batch-counts.ts';
import { readBatchesById } from './jobs/batches.ts';
import type { JobCounter } from './jobs/counts.ts';
import type { Counted } from './protocol.ts';

/** The counts and batches as the thread last sent them, so that it sends only what changed since. */
export class SentCounts {
  readonly #db: DatabaseSync;
  readonly #counter: JobCounter;
  readonly #onDamage: () => void;
  #counts: AllJobCounts;
  #startOfDayMs: number;

  constructor(db: DatabaseSync, counter: JobCounter, startOfTodayMs: number, onDamage: () => void) {
    this.#db = db;
    this.#counter = counter;
    this.#onDamage = onDamage;
    this.#counts = counter.read(startOfTodayMs);
    this.#startOfDayMs = startOfTodayMs;
  }

  /** What is sent when the history was opened. */
  first(): Counted {
    return { counts: this.#counts, ...this.#readChangedBatches() };
  }

  /** Whether the counts are of this day, by its local midnight in epoch milliseconds. */
  isOfDay(startOfTodayMs: number): boolean {
    return startOfTodayMs === this.#startOfDayMs;
  }

  /** The counts and the batches that changed. Null if nothing did. */
  changed(startOfTodayMs: number): Counted | null {
    try {
      const counts = this.#counter.read(startOfTodayMs);
      this.#startOfDayMs = startOfTodayMs;
      if (counts === this.#counts) return null;
      const batches = this.#readChangedBatches();
      this.#counts = counts;
      return { counts, ...batches };
    } catch {
      // The calls are done and answered. What cannot be read now is counted after the next ones.
      return null;
    }
  }

  /** The batches that changed since they were last sent. What cannot be read now is read with the next counts. */
  #readChangedBatches(): Pick<Counted, 'batches' | 'unreadBatches'> {
    const { batches, unread } = changedBatches(
      this.#db,
      (id) => readBatchesById(this.#db, [id]),
      (error) => isDamage(error) && this.#onDamage(),
    );
    return { batches, unreadBatches: unread };
  }
}
