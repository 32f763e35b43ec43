import { totalmem } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';

/** The memory for pages of the history, in KiB. */
const usualKiB = 32_768;
/**
 * While batches of thousands are saved: at most a sixteenth of the machine's memory. Then a page that a batch changes
 * several times is written once.
 */
const batchKiB = Math.max(usualKiB, Math.min(262_144, Math.floor(totalmem() / 16 / 1_024)));
const batchRows = 1_000;
/** After this time without a batch, in milliseconds, there is the usual memory again. */
const quietMs = 10_000;

/** How much memory the pages of the open history have. */
export class PageCache {
  readonly #db: DatabaseSync;
  #givingBack: ReturnType<typeof setTimeout> | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#resize(usualKiB);
  }

  /** Call it when a transaction with this many rows begins. */
  forBatch(rows: number): void {
    if (rows < batchRows) return;
    if (this.#givingBack === null) this.#resize(batchKiB);
    else clearTimeout(this.#givingBack);
    this.#givingBack = setTimeout(() => {
      this.#givingBack = null;
      this.#resize(usualKiB);
    }, quietMs);
  }

  /** Stops the timer, before the database is closed. */
  close(): void {
    if (this.#givingBack !== null) clearTimeout(this.#givingBack);
  }

  #resize(kiB: number): void {
    this.#db.exec(`PRAGMA main.cache_size = -${kiB}`);
  }
}
