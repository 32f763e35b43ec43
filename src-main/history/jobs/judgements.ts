import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../src-preload/job.ts';
import { judgedAfter, noteLineOf, type JudgementChange } from '../../../src-preload/judgement.ts';
import { atomically, statement, text, number } from '../file/row.ts';
import { findJob, updateJob } from './jobs.ts';
import { markDirty } from '../file/unindexed-jobs.ts';
import { maxCounted, type TagInUse } from '../../../src-preload/history.ts';

/** Changes the user's mark and label of a job. Null when there is no such job. */
export function judge(db: DatabaseSync, key: string, change: JudgementChange): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null) return null;
    const { mark: _mark, label: _label, noteLine: _noteLine, ...rest } = kept.job;
    markDirty(db, kept.id, true);
    return updateJob(db, kept.id, { ...rest, ...judgedAfter(kept.job, change) }).job;
  });
}

/** Saves the user's note on a job, replacing the former one. An empty one deletes it. Null if there is no such job. */
export function writeNote(db: DatabaseSync, key: string, note: string): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null) return null;
    const { noteLine: former, ...rest } = kept.job;
    const noteLine = noteLineOf(note);
    if (noteLine === undefined) statement(db, 'DELETE FROM job_notes WHERE job = ?').run(kept.id);
    else statement(db, 'INSERT OR REPLACE INTO job_notes (job, text) VALUES (?, ?)').run(kept.id, note);
    markDirty(db, kept.id, true);
    // While a note is typed it is saved again and again, and its first line is as it was.
    if (former === noteLine) return kept.job;
    return updateJob(db, kept.id, noteLine === undefined ? rest : { ...rest, noteLine }).job;
  });
}

/** The user's note of a job; empty where there is none. */
export function readNote(db: DatabaseSync, job: number): string {
  const row = statement(db, 'SELECT text FROM job_notes WHERE job = ?').get(job);
  return row === undefined ? '' : text(row, 'text');
}

/** The labels in use, the most frequent first. */
export function readLabels(db: DatabaseSync, max: number): string[] {
  return statement(
    db,
    `SELECT label FROM jobs INDEXED BY jobs_labelled WHERE label IS NOT NULL
    GROUP BY label COLLATE NOCASE ORDER BY count(*) DESC, label LIMIT ?`,
  )
    .all(max)
    .map((row) => text(row, 'label'));
}

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
