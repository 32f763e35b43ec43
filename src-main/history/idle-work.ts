import type { DatabaseSync } from 'node:sqlite';
import type { Bin } from './bin/bin.ts';
import { sortInIdleTime } from './failures/failures.ts';
import { isDamage } from './file/integrity.ts';
import { atomically, unflushed, withoutWaiting } from './file/row.ts';
import { findImages } from './jobs/images.ts';
import { hashFormerInputs } from './jobs/input-hash.ts';

/**
 * Work of the thread for which no call waits: between messages, in short steps, so that a waiting message comes first.
 */
export class IdleWork {
  readonly #db: DatabaseSync;
  readonly #bin: Pick<Bin, 'compare'>;
  readonly #onDamage: () => void;
  #nowMs: number;
  #next: ReturnType<typeof setTimeout> | null = null;
  #isClosed = false;

  constructor(db: DatabaseSync, bin: Pick<Bin, 'compare'>, nowMs: number, onDamage: () => void) {
    this.#db = db;
    this.#bin = bin;
    this.#nowMs = nowMs;
    this.#onDamage = onDamage;
  }

  /** Takes the next step after so long, instead of when it was planned. `nowMs` is the clock. */
  plan(afterMs: number, nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#next !== null) clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#step(), afterMs);
  }

  /** No step is taken from now on. */
  close(): void {
    this.#isClosed = true;
    if (this.#next !== null) clearTimeout(this.#next);
  }

  #step(): void {
    this.#next = null;
    if (this.#isClosed) return;
    try {
      const areMoreImages = this.#unhurried(findImages);
      const areMoreFailures = sortInIdleTime(this.#db);
      const areMoreInputs = this.#unhurried(hashFormerInputs);
      const areMoreInBin = this.#bin.compare(this.#nowMs);
      if (areMoreImages || areMoreFailures || areMoreInputs || areMoreInBin) this.plan(0, this.#nowMs);
    } catch (error) {
      // What could not be done (a full disk) is still marked, and tried again after the next call.
      if (isDamage(error)) this.#onDamage();
    }
  }

  #unhurried(step: (db: DatabaseSync) => boolean): boolean {
    const db = this.#db;
    return withoutWaiting(db, () => unflushed(db, () => atomically(db, () => step(db))));
  }
}
