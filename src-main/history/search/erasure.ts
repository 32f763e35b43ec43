import type { DatabaseSync } from 'node:sqlite';
import { dayMs, minuteMs } from '../../../src-preload/durations.ts';
import { emptyLog, freePages, usedBytes } from '../file/free-space.ts';
import { beginRewrite, mergeStep } from '../file/index-file.ts';
import { numberOrNull, statement } from '../file/row.ts';

/** About as much of the index is rewritten in a day, because that wears a disk. A small one is rewritten soon. */
const rewrittenBytesPerDay = 1_073_741_824;
/** If the index's log is in use, it is emptied this much later. */
const laterMs = minuteMs;
const pagesPerStep = 2_000;

/**
 * The words of a deleted job stay in the segments of the index, hidden, until these are merged, and in a large index
 * that may be never. So the whole index is rewritten some time after jobs were deleted, in steps, in idle time
 * (docs/decisions/132). What there is to do is saved in the index, so that a crash forgets nothing.
 */
export class Erasure {
  readonly #db: DatabaseSync;
  #hasBegun = false;

  /** `db` has the index attached as `words`, for writing. */
  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** A deleted job was removed from the index, in the transaction that is open. */
  note(): void {
    statement(this.#db, 'UPDATE words.search_erasure SET times_due = ?').run(this.#hasBegun ? 2 : 1);
  }

  /** When the index is to be rewritten, in epoch milliseconds. Null: nothing was deleted since the last time. */
  dueAtMs(nowMs: number): number | null {
    const row = statement(this.#db, 'SELECT last_at_ms FROM words.search_erasure WHERE times_due > 0').get();
    if (row === undefined) return null;
    const lastAtMs = numberOrNull(row, 'last_at_ms');
    // After a clock that was ahead, it is due.
    if (lastAtMs === null || lastAtMs > nowMs || this.#hasBegun) return nowMs;
    return lastAtMs + (usedBytes(this.#db, 'words') / rewrittenBytesPerDay) * dayMs;
  }

  /** One step, some milliseconds long, of a rewrite that is due. Returns after how many the next one is. Null: done. */
  step(nowMs: number): number | null {
    const isMore = this.#hasBegun ? mergeStep(this.#db) : beginRewrite(this.#db);
    this.#hasBegun = true;
    if (isMore) return 0;
    if (freePages(this.#db, 'words') > 0) {
      this.#db.exec(`PRAGMA words.incremental_vacuum(${pagesPerStep})`);
      return 0;
    }
    if (!emptyLog(this.#db, 'words')) return laterMs;
    this.#hasBegun = false;
    statement(this.#db, 'UPDATE words.search_erasure SET times_due = times_due - 1, last_at_ms = ?').run(nowMs);
    return null;
  }
}
