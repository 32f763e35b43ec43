import { DatabaseSync } from 'node:sqlite';
import { fileUrl } from './index-file.ts';
import { number, statement } from './row.ts';

/**
 * Every commit first goes to SQLite's log (the file `-wal`), and is copied from there into the history's file later.
 * The thread of the search index does that, so that no commit and no list waits for it.
 */

/** The log is copied from this many bytes on. So a page that changes again and again is copied only once. */
const foldedBytes = 33_554_432;
/** A commit that finds a longer log copies it itself. */
export const maxLogBytes = 268_435_456;

/** Makes commits of the open history copy its log from `bytes` on. */
export function foldLogFrom(db: DatabaseSync, bytes: number): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${Math.floor(bytes / pageBytesOf(db))}`);
}

/** A connection of its own to the history at `path` that only copies its log. */
export class HistoryLog {
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(fileUrl(path, 'rw'), { timeout: 0 });
  }

  /**
   * Copies the log into the file if it is long, while others read and write. SQLite begins a new log only when all of
   * it is copied. So at a quiet time (`isQuiet`) even a short rest of a long one is copied. Does nothing if another
   * program copies it or has locked the file.
   */
  fold({ isQuiet }: { isQuiet: boolean }): void {
    try {
      // NOOP only returns the length. A SQLite that does not know it copies the log.
      const { all, uncopied } = this.#checkpoint('NOOP');
      const longPages = foldedBytes / pageBytesOf(this.#db);
      if (uncopied >= longPages || (isQuiet && uncopied > 0 && all >= longPages)) this.#checkpoint('PASSIVE');
    } catch {
      // The log stays as long as it is until the next time.
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#db.close();
  }

  /** Pages in the log, and those that are still to be copied. */
  #checkpoint(mode: 'NOOP' | 'PASSIVE'): { all: number; uncopied: number } {
    const row = statement(this.#db, `PRAGMA wal_checkpoint(${mode})`).get();
    if (row === undefined) return { all: 0, uncopied: 0 };
    const all = number(row, 'log');
    return { all, uncopied: all - number(row, 'checkpointed') };
  }
}

function pageBytesOf(db: DatabaseSync): number {
  const row = statement(db, 'PRAGMA page_size').get();
  return row === undefined ? 4_096 : number(row, 'page_size');
}
