import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** One row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

function unexpected(column: string, value: SQLOutputValue | undefined): Error {
  const seen = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
  return new TypeError(`${column} holds ${seen}, which no sandbox writes there`);
}

/** A TEXT cell. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column, value);
  return value;
}

/** A TEXT cell that may be NULL. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A number cell. */
export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column, value);
  return value;
}

/** A number cell that may be NULL. */
export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

/** A TEXT cell that holds one of a few words. */
export function oneOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = row[column];
  const found = words.find((word) => word === value);
  if (found === undefined) throw unexpected(column, value);
  return found;
}

/** Runs `work` as one transaction: nothing of it stays when it throws. */
export type InTransaction = <T>(work: () => T) => T;

export function createTransactions(db: DatabaseSync): InTransaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  return (work) => {
    begin.run();
    try {
      const answer = work();
      commit.run();
      return answer;
    } catch (error) {
      // A full disk makes SQLite roll back by itself; rolling back again would hide the cause.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}
