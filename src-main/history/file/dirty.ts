import { randomInt } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { atomically, statement } from './row.ts';

/**
 * What the search index is behind with. It is noted in the history, in the transaction of the change, so that a crash
 * forgets nothing, and taken away once the index has it on the disk.
 */

/** Tells one change from every other. */
export function newChange(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Notes that the search index is behind this job. `isUrgent`: it is indexed at the next idle moment; otherwise once
 * enough chunks came. Jobs of one transaction may share a change.
 */
export function markDirty(db: DatabaseSync, job: number, isUrgent: boolean, change = newChange()): void {
  statement(
    db,
    `INSERT INTO search_dirty (job, change, is_urgent, is_reread) VALUES (?, ?, ?, 0)
    ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = max(is_urgent, excluded.is_urgent)`,
  ).run(job, change, Number(isUrgent));
}

/** As `markDirty`, of all jobs behind the id `after`, which were born just now. */
export function markBornDirty(db: DatabaseSync, after: number, change: number): void {
  statement(
    db,
    `INSERT INTO search_dirty (job, change, is_urgent, is_reread) SELECT id, ?, 1, 0 FROM jobs WHERE id > ?
    ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = 1`,
  ).run(change, after);
}

/** As `markDirty`, of a job whose chunks are others than those read so far. */
export function markReread(db: DatabaseSync, job: number): void {
  statement(
    db,
    `INSERT INTO search_dirty (job, change, is_urgent, is_reread) VALUES (?, ?, 1, 1)
    ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = 1, is_reread = 1`,
  ).run(job, newChange());
}

/** Has every job indexed again. */
export function markAllDirty(db: DatabaseSync): void {
  atomically(db, () => {
    statement(
      db,
      `INSERT INTO search_dirty (job, change, is_urgent, is_reread) SELECT id, ?, 1, 1 FROM jobs WHERE true
      ON CONFLICT (job) DO UPDATE SET change = excluded.change, is_urgent = 1, is_reread = 1`,
    ).run(newChange());
  });
}

/** Notes that a job is removed: no search finds it from now on, and its words go from the index. */
export function markRemoved(db: DatabaseSync, job: number): void {
  const change = newChange();
  markDirty(db, job, true, change);
  statement(db, 'INSERT OR REPLACE INTO search_removed (job, change) VALUES (?, ?)').run(job, change);
}

/** Whether the words of any removed job may still be in the index. */
export function areAnyRemoved(db: DatabaseSync): boolean {
  return statement(db, 'SELECT 1 AS removed FROM search_removed LIMIT 1').get() !== undefined;
}

/** A job was born under the id of one that was removed. */
export function forgetRemoved(db: DatabaseSync, job: number): void {
  statement(db, 'DELETE FROM search_removed WHERE job = ?').run(job);
}

/** Jobs that follow each other in the list of what is to be indexed, of one change. Both ends are among them. */
export interface IndexedRun {
  first: number;
  last: number;
  change: number;
}

/** Removes what the index has on the disk by now; nothing of a job that changed again meanwhile. */
export function settleIndexed(db: DatabaseSync, runs: readonly IndexedRun[]): void {
  for (const { first, last, change } of runs)
    for (const table of ['search_dirty', 'search_removed'])
      statement(db, `DELETE FROM ${table} WHERE job BETWEEN ? AND ? AND change = ?`).run(first, last, change);
}

/** Whether more than so many jobs wait to be indexed. */
export function areMoreDirty(db: DatabaseSync, jobs: number): boolean {
  return statement(db, 'SELECT 1 AS more FROM search_dirty LIMIT 1 OFFSET ?').get(jobs) !== undefined;
}
