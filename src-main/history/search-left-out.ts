import type { DatabaseSync } from 'node:sqlite';
import type { LeftOutOfSearch } from './history.ts';
import { number, statement, text } from './row.ts';

/**
 * Which way of reading a job's text for the index this build has. Raise it when search-text.ts or search-fold.ts reads
 * otherwise: jobs that a former way failed on are then tried again, once.
 */
const reading = 1;
const mostNamed = 3;

/** Marks a job whose text cannot be indexed. Answers whether it was not marked before. */
export function noteLeftOut(db: DatabaseSync, job: number): boolean {
  const isKnown = statement(db, 'SELECT 1 AS known FROM search_left_out WHERE job = ?').get(job) !== undefined;
  statement(db, 'INSERT OR REPLACE INTO search_left_out (job, reading) VALUES (?, ?)').run(job, reading);
  return !isKnown;
}

/** Takes the mark away. Answers whether there was one. */
export function forgetLeftOut(db: DatabaseSync, job: number): boolean {
  return statement(db, 'DELETE FROM search_left_out WHERE job = ?').run(job).changes > 0;
}

/** Has the jobs indexed again that a former way of reading failed on. */
export function tryLeftOutAgain(db: DatabaseSync): void {
  const former = statement(db, 'SELECT 1 AS former FROM search_left_out WHERE reading <> ? LIMIT 1').get(reading);
  if (former === undefined) return;
  statement(
    db,
    `INSERT INTO search_dirty (job, is_urgent) SELECT job, 1 FROM search_left_out WHERE reading <> ?
    ON CONFLICT (job) DO UPDATE SET is_urgent = 1`,
  ).run(reading);
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
      .all(mostNamed)
      .map((found) => ({ key: text(found, 'key'), title: text(found, 'title') })),
  };
}
