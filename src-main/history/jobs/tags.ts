import type { DatabaseSync } from 'node:sqlite';
import { maxCounted, type TagInUse } from '../../../src-preload/history.ts';
import { number, statement, text } from '../file/row.ts';

/** The most names that are read. */
const maxNames = 1_000;

/**
 * The tags in use, the most frequent first. Each is found by one step in the index, and its jobs are counted up to
 * `maxCounted`, so that a tag on a million jobs costs no more than one on a few thousand.
 */
export function readTags(db: DatabaseSync, max: number): TagInUse[] {
  return statement(
    db,
    `WITH RECURSIVE names (tag) AS (
      SELECT min(tag) FROM job_tags
      UNION ALL
      SELECT (SELECT min(tag) FROM job_tags WHERE tag > names.tag) FROM names WHERE names.tag IS NOT NULL LIMIT ?
    )
    SELECT tag, (SELECT count(*) FROM (SELECT 1 FROM job_tags AS t WHERE t.tag = names.tag LIMIT ?)) AS jobs
    FROM names WHERE tag IS NOT NULL ORDER BY jobs DESC, tag LIMIT ?`,
  )
    .all(maxNames, maxCounted + 1, max)
    .map((row) => ({ tag: text(row, 'tag'), jobs: number(row, 'jobs') }));
}
