import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../../src-preload/job.ts';
import { numberOrNull, statement } from '../file/row.ts';
import { readInputHash } from '../jobs/input-hash.ts';
import { insertPlaced, type PlacedJob } from '../jobs/jobs.ts';
import { copyBodies, copyRows, joinBatch, rowTables } from './merge-rows.ts';

/** Whether a job has this key. */
export function hasKey(db: DatabaseSync, key: string): boolean {
  return statement(db, 'SELECT 1 AS found FROM jobs WHERE key = ?').get(key) !== undefined;
}

/**
 * Copies a job, as it is given, with everything saved of it, row by row as it is saved there: texts stay compressed.
 * `place` gives it the id and the facet that it has here. Search, images and causes do not know of it yet.
 */
export function copyJob(
  db: DatabaseSync,
  incoming: DatabaseSync,
  theirs: PlacedJob,
  place: (job: Job) => { id: number; facet: number },
): PlacedJob {
  const job: Job = { ...theirs.job, key: freeKey(db, theirs.job.key) };
  if (job.batchId !== null) joinBatch(db, incoming, job.batchId);
  const { id, facet } = place(job);
  insertPlaced(db, { id, job }, facet, inputHashOf(incoming, theirs.id));
  for (const table of rowTables) copyRows({ db: incoming, rowId: theirs.id }, { db, rowId: id }, table);
  copyBodies(db, id, incoming, theirs.id);
  return { id, job };
}

/** Two histories never make the same key. If a file was manipulated, both jobs are kept. */
function freeKey(db: DatabaseSync, key: string): string {
  let free = key;
  while (hasKey(db, free)) free += 'x';
  return free;
}

/** The saved hash. A job of a former version may have none yet. */
function inputHashOf(db: DatabaseSync, id: number): number | null {
  const row = statement(db, 'SELECT input_hash FROM jobs WHERE id = ?').get(id);
  return (row === undefined ? null : numberOrNull(row, 'input_hash')) ?? readInputHash(db, id);
}
