import { totalmem } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';

/** What SQLite keeps in memory of the history, in KiB. */
const usualKiB = 32_768;
/**
 * While batches of thousands are kept, at most a sixteenth of the memory: what such a batch changes is then written
 * once, and not each time room is needed.
 */
const batchKiB = Math.max(usualKiB, Math.min(262_144, Math.floor(totalmem() / 16 / 1_024)));
const batchRows = 1_000;
/** After so long without a batch the memory is given back. */
const quietMs = 10_000;

/** The room that pages of the open history have in memory. */
export class PageCache {
  readonly #db: DatabaseSync;
  #givingBack: ReturnType<typeof setTimeout> | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#resize(usualKiB);
  }

  /** A transaction with this number of rows begins. */
  forBatch(rows: number): void {
    if (rows < batchRows) return;
    if (this.#givingBack === null) this.#resize(batchKiB);
    else clearTimeout(this.#givingBack);
    this.#givingBack = setTimeout(() => {
      this.#givingBack = null;
      this.#resize(usualKiB);
    }, quietMs);
  }

  /** Stops the timer; the database is closed next. */
  close(): void {
    if (this.#givingBack !== null) clearTimeout(this.#givingBack);
  }

  #resize(kiB: number): void {
    this.#db.exec(`PRAGMA main.cache_size = -${kiB}`);
  }
}
