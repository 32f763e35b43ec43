import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** One row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/**
 * The prepared statement for `sql`, prepared once for each database: preparing costs more than most of these queries.
 */
export function statement(db: DatabaseSync, sql: string): StatementSync {
  let ofDatabase = prepared.get(db);
  if (ofDatabase === undefined) prepared.set(db, (ofDatabase = new Map<string, StatementSync>()));
  let found = ofDatabase.get(sql);
  if (found === undefined) ofDatabase.set(sql, (found = db.prepare(sql)));
  return found;
}

/**
 * Runs `work` in a transaction, or inside the one that is open. Nothing of it stays when it throws. `DEFERRED`: of
 * several attached files it holds only those that `work` touches, each from then on.
 */
export function atomically<T>(db: DatabaseSync, work: () => T, begins: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE'): T {
  const isInside = db.isTransaction;
  db.exec(isInside ? 'SAVEPOINT step' : `BEGIN ${begins}`);
  try {
    const answer = work();
    db.exec(isInside ? 'RELEASE step' : 'COMMIT');
    return answer;
  } catch (error) {
    // A full disk makes SQLite roll back on its own; rolling back again would hide the cause.
    if (db.isTransaction) db.exec(isInside ? 'ROLLBACK TO step; RELEASE step' : 'ROLLBACK');
    throw error;
  }
}

/**
 * Lets the transactions of `work` reach the disk with the next flush instead of waiting for their own: only for what
 * can be made again. They stay atomic; losing power takes them back whole.
 */
export function unflushed<T>(db: DatabaseSync, work: () => T): T {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** Has `work` refused at once when another program holds the file: for work that nothing waits for. */
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

/** A truth kept as 0 or 1. */
export function flag(row: Row, column: string): boolean {
  return number(row, column) !== 0;
}

/** A BLOB cell. */
export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column, value);
  return value;
}

/** A TEXT cell that holds one of a few words. */
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

/** How a blob is kept: 0 as it is, 1 as zstd. */
export interface Packed {
  encoding: number;
  data: Uint8Array;
}

/** Below this many bytes compressing costs more than it saves: a third of an insert for a quarter of a page. */
const packFromBytes = 4_096;
/** Level 1: an append must not wait for the last per cent. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compresses `raw` when it is large enough and becomes smaller by it. */
export function pack(raw: Uint8Array): Packed {
  if (raw.byteLength < packFromBytes) return { encoding: 0, data: raw };
  const data = zstdCompressSync(raw, options);
  return data.byteLength < raw.byteLength ? { encoding: 1, data } : { encoding: 0, data: raw };
}

/** The bytes as they were before `pack`. */
export function unpack(packed: Packed): Buffer {
  if (packed.encoding === 1) return zstdDecompressSync(packed.data);
  return Buffer.from(packed.data.buffer, packed.data.byteOffset, packed.data.byteLength);
}

/** As `pack`, of a text in UTF-8. */
export function packText(text: string): Packed {
  return pack(Buffer.from(text, 'utf8'));
}

/** The text as it was before `packText`. */
export function unpackText(packed: Packed): string {
  return unpack(packed).toString('utf8');
}
