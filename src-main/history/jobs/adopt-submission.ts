import type { DatabaseSync } from 'node:sqlite';
import type { Attempt, Job } from '../../../src-preload/job.ts';
import { markReread } from '../file/unindexed-jobs.ts';
import { atomically, number, statement } from '../file/row.ts';
import { countChunks } from '../stream/chunks.ts';
import { writeAttempt } from './attempts.ts';
import { findJob, requireJob, setTags, updateJob } from './jobs.ts';
import { removeJob } from './remove.ts';

/** What a job is after it took over the submission of another one. */
export interface AdoptingJob {
  job: Job;
  attempt: Attempt;
}

/**
 * Moves the submission, input, requests and place in a batch of the job `fromKey` to another one, which is then as
 * given, and removes the former. Returns the job. Doing it again changes nothing.
 */
export function adoptSubmission(db: DatabaseSync, { job, attempt }: AdoptingJob, fromKey: string): Job {
  return atomically(db, () => {
    const into = requireJob(db, job.key);
    const from = findJob(db, fromKey);
    if (from === null) return into.job;
    statement(db, 'DELETE FROM submissions WHERE job = ?').run(into.id);
    statement(db, 'UPDATE submissions SET job = ? WHERE job = ?').run(into.id, from.id);
    statement(db, "DELETE FROM bodies WHERE job = ? AND part = 'input'").run(into.id);
    statement(db, "UPDATE bodies SET job = ? WHERE job = ? AND part = 'input'").run(into.id, from.id);
    statement(db, 'UPDATE requests SET job = ? WHERE job = ?').run(into.id, from.id);
    statement(db, 'UPDATE jobs SET input_hash = (SELECT input_hash FROM jobs WHERE id = ?) WHERE id = ?').run(
      from.id,
      into.id,
    );
    // Its row stays in the batch.
    updateJob(db, from.id, { ...from.job, batchId: null, batchRow: null });
    removeJob(db, fromKey);
    writeAttempt(db, into.id, attempt);
    setTags(db, job.key, job.tags);
    const counted = statement(db, 'SELECT count(*) AS requests FROM requests WHERE job = ?').get(into.id);
    const requestCount = counted === undefined ? 0 : number(counted, 'requests');
    const chunkCount = countChunks(db, { rowId: into.id, attempt: job.attempt });
    markReread(db, into.id);
    return updateJob(db, into.id, { ...job, requestCount, chunkCount }).job;
  });
}
