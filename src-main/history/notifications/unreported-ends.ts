import type { DatabaseSync } from 'node:sqlite';
import { isFinished, type Job } from '../../../src-preload/job.ts';
import { statement } from '../file/row.ts';
import { jobOf } from '../jobs/job-row.ts';

/** More than a crash can leave. */
const maxUnreported = 1_000;

/**
 * Jobs that ended within `withinMs` of the last saved end, oldest first, that are unseen and have no notification: a
 * crash between an end and its notification leaves them. Includes rows of batches.
 */
export function readUnreportedEnds(db: DatabaseSync, withinMs: number): Job[] {
  return statement(
    db,
    `SELECT * FROM jobs INDEXED BY jobs_by_finish
    WHERE finished_seen_at_ms >= (SELECT max(finished_seen_at_ms) FROM jobs WHERE finished_seen_at_ms IS NOT NULL) - ?
      AND is_seen = 0 AND NOT EXISTS (SELECT 1 FROM notifications WHERE job_key = jobs.key)
    ORDER BY finished_seen_at_ms LIMIT ?`,
  )
    .all(withinMs, maxUnreported)
    .map(jobOf)
    .filter(isFinished);
}
