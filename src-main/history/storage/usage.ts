import type { DatabaseSync } from 'node:sqlite';
import type { StorageUse } from '../../../src-preload/storage.ts';
import { returnsSpace } from '../file/free-space.ts';
import { number, statement, textOrNull } from '../file/row.ts';
import { historyRefusalText } from '../../messages/history.ts';

/** How many rows are read in one call: only their sizes, a few milliseconds. */
const rowsPerStep = 20_000;

/** The largest tables, in the order they are measured, and how each is counted. */
const measured = [
  { table: 'bodies', key: 'id', data: 'data', as: 'bodyBytes' },
  { table: 'body_pieces', key: 'rowid', data: 'data', as: 'bodyBytes' },
  { table: 'chunk_batches', key: 'rowid', data: 'data', as: 'streamBytes' },
  { table: 'search_data', key: 'id', data: 'block', as: 'indexBytes' },
  { table: 'search_texts', key: 'job', data: 'data', as: 'indexBytes' },
] as const;

const noParts = { bodyBytes: 0, streamBytes: 0, indexBytes: 0 };

const firstRow = '-9223372036854775808';

/** The progress of measuring. */
export interface MeasuredSoFar {
  use: StorageUse;
  /**
   * The table that is being measured, and its last measured row. The index's row numbers are larger than ours can be.
   */
  table: number;
  afterRow: string;
}

/** Continues to measure the content of the file. Null: from the beginning. `isDone` with the last step. */
export function measureStorage(db: DatabaseSync, from: MeasuredSoFar | null): MeasuredSoFar & { isDone: boolean } {
  const { use, table, afterRow } = from ?? { use: { ...wholeUse(db), ...noParts }, table: 0, afterRow: firstRow };
  const at = measured[table];
  if (at === undefined) return { use, table, afterRow, isDone: true };
  const row = statement(
    db,
    `SELECT CAST(max(k) AS TEXT) AS last, count(*) AS n, total(size) AS size FROM
      (SELECT ${at.key} AS k, length(${at.data}) AS size FROM ${at.table}
      WHERE ${at.key} > CAST(? AS INTEGER) ORDER BY ${at.key} LIMIT ?)`,
  ).get(afterRow, rowsPerStep);
  const rows = row === undefined ? 0 : number(row, 'n');
  const size = row === undefined ? 0 : number(row, 'size');
  const last = row === undefined ? null : textOrNull(row, 'last');
  const grown = { ...use, [at.as]: use[at.as] + size };
  if (rows === rowsPerStep && last !== null) return { use: grown, table, afterRow: last, isDone: false };
  const isDone = table === measured.length - 1;
  // Jobs are saved between the steps: the total is that of the end, so that it contains what the parts do.
  return { use: isDone ? { ...grown, ...wholeUse(db) } : grown, table: table + 1, afterRow: firstRow, isDone };
}

/** What is known of the file as a whole, without measuring its parts. */
function wholeUse(db: DatabaseSync): Pick<StorageUse, 'totalBytes' | 'freeBytes' | 'isGivenBack'> {
  const pageBytes = pragma(db, 'page_size');
  return {
    totalBytes: pragma(db, 'page_count') * pageBytes + indexBytes(db, 'page_count'),
    freeBytes: pragma(db, 'freelist_count') * pageBytes + indexBytes(db, 'freelist_count'),
    isGivenBack: returnsSpace(db),
  };
}

/** What the history and its search index use of the disk, without free room, in bytes: a moment's work. */
export function usedBytesWithIndex(db: DatabaseSync): number {
  const { totalBytes, freeBytes } = wholeUse(db);
  return totalBytes - freeBytes;
}

/** How many pages are returned to the disk in one call. */
const pagesPerStep = 1_000;

/** Returns some free space to the disk. Returns whether there is more. */
export function reclaimSpace(db: DatabaseSync): boolean {
  if (!returnsSpace(db) || pragma(db, 'freelist_count') === 0) return false;
  db.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`);
  return pragma(db, 'freelist_count') > 0;
}

/**
 * Rewrites the file without its free space, and so that free space is returned automatically from then on. Everything
 * else waits meanwhile. Throws within a transaction; the caller may try again.
 */
export function compact(db: DatabaseSync): { beforeBytes: number; afterBytes: number } {
  if (db.isTransaction) throw new Error(historyRefusalText.savingNow);
  const pageBytes = pragma(db, 'page_size');
  const beforeBytes = pragma(db, 'page_count') * pageBytes;
  db.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA main.secure_delete = FAST');
  return { beforeBytes, afterBytes: pragma(db, 'page_count') * pageBytes };
}

/** Of the search index's own file. */
function indexBytes(db: DatabaseSync, pages: 'page_count' | 'freelist_count'): number {
  const found = statement(db, `PRAGMA words.${pages}`).get();
  const size = statement(db, 'PRAGMA words.page_size').get();
  return found === undefined || size === undefined ? 0 : number(found, pages) * number(size, 'page_size');
}

/** Of the history's file. */
function pragma(db: DatabaseSync, name: 'page_size' | 'page_count' | 'freelist_count'): number {
  const row = statement(db, `PRAGMA ${name}`).get();
  return row === undefined ? 0 : number(row, name);
}
