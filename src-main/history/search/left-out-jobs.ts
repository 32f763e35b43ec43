import type { DatabaseSync } from 'node:sqlite';
import { markDirty } from '../file/unindexed-jobs.ts';
import { number, statement, text } from '../file/row.ts';
import type { LeftOutOfSearch } from '../records.ts';

/**
 * The version of how this build reads a job's text for the index. Raise it when body-text.ts, stream-text.ts or
 * words.ts changes: jobs that a former version failed on are then tried again.
 */
const readerVersion = 1;
/** How many of the jobs that are left out are named to the user. */
const maxNamed = 3;

/** Marks a job whose text cannot be indexed. Returns whether it was not marked before. */
export function noteLeftOut(db: DatabaseSync, job: number): boolean {
  const isKnown = statement(db, 'SELECT 1 AS known FROM search_left_out WHERE job = ?').get(job) !== undefined;
  statement(db, 'INSERT OR REPLACE INTO search_left_out (job, reading) VALUES (?, ?)').run(job, readerVersion);
  return !isKnown;
}

/** Removes the mark. Returns whether there was one. */
export function forgetLeftOut(db: DatabaseSync, job: number): boolean {
  return statement(db, 'DELETE FROM search_left_out WHERE job = ?').run(job).changes > 0;
}

/** Marks the jobs that a former version failed on to be indexed again. `db` is the history. */
export function tryLeftOutAgain(db: DatabaseSync): void {
  const former = statement(db, 'SELECT 1 AS former FROM search_left_out WHERE reading <> ? LIMIT 1').get(readerVersion);
  if (former === undefined) return;
  for (const row of statement(db, 'SELECT job FROM search_left_out WHERE reading <> ?').all(readerVersion))
    markDirty(db, number(row, 'job'), true);
}

/** The jobs whose text is not in the index, newest first. */
export function readLeftOut(db: DatabaseSync): LeftOutOfSearch {
  const row = statement(db, 'SELECT count(*) AS jobs FROM search_left_out').get();
  return {
    count: row === undefined ? 0 : number(row, 'jobs'),
    first: statement(
      db,
      `SELECT j.key, j.title FROM search_left_out AS l JOIN jobs AS j ON j.id = l.job
      ORDER BY l.job DESC LIMIT ?`,
    )
      .all(maxNamed)
      .map((found) => ({ key: text(found, 'key'), title: text(found, 'title') })),
  };
}
