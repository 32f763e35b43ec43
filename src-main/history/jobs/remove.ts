import type { DatabaseSync } from 'node:sqlite';
import { removeDocument } from '../file/documents.ts';
import { atomically, statement } from '../file/row.ts';
import { markRemoved } from '../file/unindexed-jobs.ts';
import { suspectedRepeats } from '../stream/suspected-repeats.ts';
import { findJob, type PlacedJob } from './jobs.ts';

/**
 * The tables with rows of a job, before the job itself. Pieces of bodies are deleted with their bodies, the counts by a
 * trigger.
 */
const tables = [
  'job_tags',
  'submissions',
  'attempts',
  'bodies',
  'chunk_batches',
  'requests',
  'job_notes',
  'job_images',
  'image_unknown',
  'failures_unsorted',
  'failures',
] as const;

/** Deletes a job with everything saved of it, or nothing. Returns whether it existed. */
export function removeJob(db: DatabaseSync, key: string): boolean {
  return atomically(db, () => {
    const found = findJob(db, key);
    if (found !== null) removePlaced(db, found);
    return found !== null;
  });
}

/** As `removeJob`, in the caller's transaction. */
export function removePlaced(db: DatabaseSync, { id, job }: PlacedJob): void {
  markRemoved(db, id);
  for (const table of tables) statement(db, `DELETE FROM ${table} WHERE job = ?`).run(id);
  for (let attempt = 1; attempt <= job.attempt; attempt += 1)
    removeDocument(db, suspectedRepeats.kind, suspectedRepeats.id({ key: job.key, attempt }));
  statement(db, 'DELETE FROM jobs WHERE id = ?').run(id);
  if (job.batchId !== null) shrinkBatch(db, job.batchId);
}

/** A batch without rows is no longer listed, and nothing of its user's input is kept. */
function shrinkBatch(db: DatabaseSync, id: string): void {
  statement(db, "UPDATE batches SET total = total - 1, name = iif(total = 1, '', name) WHERE id = ?").run(id);
}
