import { randomInt } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { atomically, statement } from './row.ts';

/**
 * The jobs that the search index does not include yet. They are noted in the history, in the transaction of the change,
 * so that a crash loses none, and removed when the index has them on disk.
 */

/** A number that identifies a change. */
export function newChange(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Notes that the search index must be updated for this job. `isUrgent`: it is indexed in the next idle time; otherwise
 * when enough chunks have come. Jobs of one transaction may share a change.
 */
export function markDirty(db: DatabaseSync, job: number, isUrgent: boolean, change = newChange()): void {
  statement(
    db,
    `INSERT INTO search_dirty (job, change, is_urgent, is_reread) VALUES (?, ?, ?, 0)
    ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = max(is_urgent, excluded.is_urgent)`,
  ).run(job, change, Number(isUrgent));
}

/** As `markDirty`, for all jobs after the id `after`, which are all new. */
export function markInsertedDirty(db: DatabaseSync, after: number, change: number): void {
  statement(
    db,
    `INSERT INTO search_dirty (job, change, is_urgent, is_reread) SELECT id, ?, 1, 0 FROM jobs WHERE id > ?
    ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = 1`,
  ).run(change, after);
}

/** As `markDirty`, for a job whose chunks differ from those read so far. */
export function markReread(db: DatabaseSync, job: number): void {
  statement(
    db,
    `INSERT INTO search_dirty (job, change, is_urgent, is_reread) VALUES (?, ?, 1, 1)
    ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = 1, is_reread = 1`,
  ).run(job, newChange());
}

/** Marks all jobs to be indexed again. */
export function markAllDirty(db: DatabaseSync): void {
  atomically(db, () => {
    statement(
      db,
      `INSERT INTO search_dirty (job, change, is_urgent, is_reread) SELECT id, ?, 1, 1 FROM jobs WHERE true
      ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = 1, is_reread = 1`,
    ).run(newChange());
  });
}

/** Notes that a job was deleted: no search finds it from now on, and its words are removed from the index. */
export function markRemoved(db: DatabaseSync, job: number): void {
  const change = newChange();
  markDirty(db, job, true, change);
  statement(db, 'INSERT OR REPLACE INTO search_removed (job, change) VALUES (?, ?)').run(job, change);
}

/** Whether the words of any deleted job may still be in the index. */
export function areAnyRemoved(db: DatabaseSync): boolean {
  return statement(db, 'SELECT 1 AS removed FROM search_removed LIMIT 1').get() !== undefined;
}

/** A new job has the id of one that was deleted. */
export function forgetRemoved(db: DatabaseSync, job: number): void {
  statement(db, 'DELETE FROM search_removed WHERE job = ?').run(job);
}

/** Consecutive jobs in the list of what must be indexed, of one change, including both ends. */
export interface IndexedRun {
  first: number;
  last: number;
  change: number;
}

/** Removes what the index now has on disk, but no job that changed again meanwhile. */
export function settleIndexed(db: DatabaseSync, runs: readonly IndexedRun[]): void {
  for (const { first, last, change } of runs)
    for (const table of ['search_dirty', 'search_removed'])
      statement(db, `DELETE FROM ${table} WHERE job BETWEEN ? AND ? AND change = ?`).run(first, last, change);
}

/** Whether more than `jobs` wait to be indexed. */
export function areMoreDirty(db: DatabaseSync, jobs: number): boolean {
  return statement(db, 'SELECT 1 AS more FROM search_dirty LIMIT 1 OFFSET ?').get(jobs) !== undefined;
}
