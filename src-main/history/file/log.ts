import { DatabaseSync } from 'node:sqlite';
import { fileUrl } from './index-file.ts';
import { number, statement } from './row.ts';

/**
 * SQLite's log (the file `-wal`) takes every commit first; what stands in it is folded into the history's file later.
 * The thread of the search index does that, so that no commit and no list waits for it.
 */

/** From so much on. A page that is changed again and again is then written back once. */
const foldedBytes = 33_554_432;
/** A log that became this long is folded by the commit that made it so. */
export const mostLogBytes = 268_435_456;

/** Has the open history fold its log itself from `bytes` on. */
export function foldLogFrom(db: DatabaseSync, bytes: number): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${Math.floor(bytes / pageBytesOf(db))}`);
}

/** A connection of its own to the history at `path` that only folds its log. */
export class HistoryLog {
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(fileUrl(path, 'rw'), { timeout: 0 });
  }

  /**
   * Folds the log where it is long, while others read and write. Where another program folds it or holds the file,
   * this does nothing.
   */
  fold(): void {
    try {
      // NOOP only says how long it is. A SQLite that does not know the word folds what there is.
      if (this.#pagesToFold('NOOP') * pageBytesOf(this.#db) >= foldedBytes) this.#pagesToFold('PASSIVE');
    } catch {
      // It is as long as before, and the next time comes.
    }
  }

  /** Ends the connection. */
  close(): void {
    this.#db.close();
  }

  #pagesToFold(mode: 'NOOP' | 'PASSIVE'): number {
    const row = statement(this.#db, `PRAGMA wal_checkpoint(${mode})`).get();
    return row === undefined ? 0 : number(row, 'log') - number(row, 'checkpointed');
  }
}

function pageBytesOf(db: DatabaseSync): number {
  const row = statement(db, 'PRAGMA page_size').get();
  return row === undefined ? 4_096 : number(row, 'page_size');
}
