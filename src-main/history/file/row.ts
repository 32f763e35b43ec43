import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';

/** One row from SQLite. */
export type Row = Record<string, SQLOutputValue>;

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/**
 * The prepared statement for `sql`, prepared once per database, because preparing takes longer than most of these
 * queries.
 */
export function statement(db: DatabaseSync, sql: string): StatementSync {
  let ofDatabase = prepared.get(db);
  if (ofDatabase === undefined) prepared.set(db, (ofDatabase = new Map<string, StatementSync>()));
  let found = ofDatabase.get(sql);
  if (found === undefined) ofDatabase.set(sql, (found = db.prepare(sql)));
  return found;
}

/**
 * Runs `work` in a transaction, or inside the one that is open. Nothing of it stays when it throws. `DEFERRED` locks
 * only those attached files that `work` uses, each from its first use on.
 */
export function atomically<T>(db: DatabaseSync, work: () => T, begins: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE'): T {
  const isInside = db.isTransaction;
  if (isInside) statement(db, 'SAVEPOINT step').run();
  else db.exec(`BEGIN ${begins}`);
  try {
    const answer = work();
    if (isInside) statement(db, 'RELEASE step').run();
    else db.exec('COMMIT');
    return answer;
  } catch (error) {
    // On a full disk SQLite rolls back itself. Rolling back again would hide the cause.
    if (db.isTransaction) db.exec(isInside ? 'ROLLBACK TO step; RELEASE step' : 'ROLLBACK');
    throw error;
  }
}

/**
 * The transactions of `work` reach the disk with the next flush instead of one of their own: only for what can be made
 * again. They stay atomic; a power failure undoes them completely.
 */
export function unflushed<T>(db: DatabaseSync, work: () => T): T {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** Makes `work` fail immediately if another program has locked the file: for work that no call waits for. */
export function withoutWaiting<T>(db: DatabaseSync, work: () => T): T {
  const row = statement(db, 'PRAGMA busy_timeout').get();
  const waitsMs = row === undefined ? 0 : number(row, 'timeout');
  db.exec('PRAGMA busy_timeout = 0');
  try {
    return work();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${waitsMs}`);
  }
}

const unexpected = (column: string, value: SQLOutputValue | undefined): Error =>
  new Error(`The history holds an unexpected value in ${column}: ${value === undefined ? 'nothing' : typeof value}.`);

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

/** A boolean saved as 0 or 1. */
export function flag(row: Row, column: string): boolean {
  return number(row, column) !== 0;
}

/** A BLOB cell. */
export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column, value);
  return value;
}

/** A TEXT cell with one of a few words. */
export function oneOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = row[column];
  const found = words.find((word) => word === value);
  if (found === undefined) throw unexpected(column, value);
  return found;
}

/** As `oneOf`, or NULL. */
export function oneOfOrNull<T extends string>(row: Row, column: string, words: readonly T[]): T | null {
  return row[column] === null ? null : oneOf(row, column, words);
}
