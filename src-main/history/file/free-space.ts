import type { DatabaseSync } from 'node:sqlite';
import { number, statement, withoutWaiting } from './row.ts';

/** Whether the open file returns its free space to the disk. One of a former version must be compacted first. */
export function returnsSpace(db: DatabaseSync): boolean {
  const row = statement(db, 'PRAGMA main.auto_vacuum').get();
  return row !== undefined && number(row, 'auto_vacuum') === 2;
}

/**
 * Copies SQLite's log into the file and empties it: it still has the pages from before a deletion. Returns false if it
 * is being read or written now, and then it is as it was. Never in a transaction.
 */
export function emptyLog(db: DatabaseSync, schema: 'main' | 'words' = 'main'): boolean {
  if (db.isTransaction) return false;
  const row = withoutWaiting(db, () => statement(db, `PRAGMA ${schema}.wal_checkpoint(TRUNCATE)`).get());
  return row !== undefined && number(row, 'busy') === 0;
}

/** How many pages an attached file has. */
export function allPages(db: DatabaseSync, schema: 'main' | 'words'): number {
  return pragma(db, schema, 'page_count');
}

/** How many of these have nothing in them. */
export function freePages(db: DatabaseSync, schema: 'main' | 'words'): number {
  return pragma(db, schema, 'freelist_count');
}

/** What an attached file has in its pages, in bytes, without the free ones. */
export function usedBytes(db: DatabaseSync, schema: 'main' | 'words'): number {
  return (allPages(db, schema) - freePages(db, schema)) * pragma(db, schema, 'page_size');
}

function pragma(
  db: DatabaseSync,
  schema: 'main' | 'words',
  name: 'page_count' | 'freelist_count' | 'page_size',
): number {
  const row = statement(db, `PRAGMA ${schema}.${name}`).get();
  return row === undefined ? 0 : number(row, name);
}
