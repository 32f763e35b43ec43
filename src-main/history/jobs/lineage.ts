import type { DatabaseSync } from 'node:sqlite';
import type { Job, Lineage, SameInput } from '../../../src-preload/job.ts';
import { atomically, number, numberOrNull, statement } from '../file/row.ts';
import { jobsOfBlock, jobsOfBlocks, newestBlocks, readByBlock } from './id-blocks.ts';
import { readInputHash } from './input-hash.ts';
import { jobOf } from './job-row.ts';
import { findJob, updateJob, type PlacedJob } from './jobs.ts';
import { markDirty } from '../file/unindexed-jobs.ts';

/** How many resubmissions of a job are listed. */
const maxCopies = 20;
/** Other runs of its input that are named with a job, and as far as they are counted. */
const maxRuns = 5;
const maxCounted = 999;

/** The job that a job was resubmitted from, those that were resubmitted from it, and others of the same input. */
export function readLineage(db: DatabaseSync, { id, job }: PlacedJob): Lineage {
  const { key, originKey } = job;
  return {
    origin: originKey === undefined ? null : (findJob(db, originKey)?.job ?? null),
    copies: statement(db, 'SELECT * FROM jobs WHERE origin_key = ? ORDER BY id DESC LIMIT ?')
      .all(key, maxCopies)
      .map(jobOf),
    sameInput: readSameInput(db, id, job),
  };
}

/** Whether a job was submitted again at `sinceMs` or later, and that one is still saved. */
export function wasSentAgain(db: DatabaseSync, key: string, sinceMs: number): boolean {
  const copy = statement(db, 'SELECT 1 AS found FROM jobs WHERE origin_key = ? AND created_at_ms >= ? LIMIT 1');
  return copy.get(key, sinceMs) !== undefined;
}

/** The other jobs of the same endpoint and input, newest first. */
function readSameInput(db: DatabaseSync, id: number, job: Pick<Job, 'endpointId'>): SameInput {
  const { endpointId } = job;
  const hash = inputHashOf(db, id);
  if (hash === null) return { jobs: [], total: 0 };
  const newest = statement(db, `SELECT j.* FROM ${jobsOfBlock('jobs_by_input')}${others} ORDER BY j.id DESC LIMIT ?`);
  const jobs = readByBlock(newestBlocks(db), maxRuns, (block, limit) =>
    newest.all(block, hash, endpointId, id, limit).map(jobOf),
  );
  return { jobs, total: countSameInput(db, hash, id, job) };
}

const others = ' AND j.input_hash = ? AND j.endpoint_id = ? AND j.id <> ?';

/** The hash of a job's input (`input-hash.ts`). Null if it has none that is known. */
export function inputHashOf(db: DatabaseSync, id: number): number | null {
  const row = statement(db, 'SELECT input_hash FROM jobs WHERE id = ?').get(id);
  return row === undefined ? null : (numberOrNull(row, 'input_hash') ?? readInputHash(db, id));
}

/** How many other jobs of its endpoint have the input of a job, counted up to 999. */
export function countSameInput(
  db: DatabaseSync,
  hash: number,
  id: number,
  { endpointId }: Pick<Job, 'endpointId'>,
): number {
  const counted = statement(
    db,
    `SELECT count(*) AS jobs FROM (SELECT 1 FROM ${jobsOfBlocks('jobs_by_input')}${others} LIMIT ?)`,
  ).get(hash, endpointId, id, maxCounted);
  return counted === undefined ? 0 : number(counted, 'jobs');
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
