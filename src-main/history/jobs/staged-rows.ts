import { historyRefusalText } from '../../messages/history.ts';
import type { JobCommit } from '../records.ts';

/**
 * Changes that are in the thread's memory until one transaction saves them all, by id. They arrive in many small
 * messages, because one large message would block the thread that sends it.
 */
export class StagedRows {
  readonly #rows = new Map<string, JobCommit[]>();

  /** Adds rows after those that are staged under this id. */
  add(id: string, rows: readonly JobCommit[]): void {
    const all = this.#rows.get(id) ?? [];
    for (const row of rows) all.push(row);
    this.#rows.set(id, all);
  }

  /** Returns all rows of an id, which are then no longer staged. Throws if there are not exactly `rowCount`. */
  take(id: string, rowCount: number): JobCommit[] {
    const rows = this.#rows.get(id) ?? [];
    this.drop(id);
    // The thread that had some of them ended meanwhile.
    if (rows.length !== rowCount) throw new Error(historyRefusalText.rowsGone);
    return rows;
  }

  /** Forgets the rows of an id, if there are any. */
  drop(id: string): void {
    this.#rows.delete(id);
  }
}
