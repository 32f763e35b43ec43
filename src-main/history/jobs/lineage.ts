import type { DatabaseSync } from 'node:sqlite';
import type { Job, Lineage } from '../../../src-preload/job.ts';
import { atomically, statement } from '../file/row.ts';
import { jobOf } from './job-row.ts';
import { findJob, updateJob } from './jobs.ts';
import { markDirty } from '../file/dirty.ts';

/** How many resubmissions of a job are listed. */
const mostCopies = 20;

/** The job that a job was resubmitted from, and those that were resubmitted from it. */
export function readLineage(db: DatabaseSync, { key, originKey }: Pick<Job, 'key' | 'originKey'>): Lineage {
  return {
    origin: originKey === undefined ? null : (findJob(db, originKey)?.job ?? null),
    copies: statement(db, 'SELECT * FROM jobs WHERE origin_key = ? ORDER BY id DESC LIMIT ?')
      .all(key, mostCopies)
      .map(jobOf),
  };
}

/** Changes a job's title. Null if there is no such job. */
export function renameJob(db: DatabaseSync, key: string, title: string): Job | null {
  return atomically(db, () => {
    const kept = findJob(db, key);
    if (kept === null) return null;
    markDirty(db, kept.id, true);
    return updateJob(db, kept.id, { ...kept.job, title }).job;
  });
}
