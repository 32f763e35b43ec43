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

/** The other jobs of the same endpoint and input, newest first. */
function readSameInput(db: DatabaseSync, id: number, { endpointId }: Pick<Job, 'endpointId'>): SameInput {
  const row = statement(db, 'SELECT input_hash FROM jobs WHERE id = ?').get(id);
  const hash = row === undefined ? null : (numberOrNull(row, 'input_hash') ?? readInputHash(db, id));
  if (hash === null) return { jobs: [], total: 0 };
  const others = ' AND j.input_hash = ? AND j.endpoint_id = ? AND j.id <> ?';
  const newest = statement(db, `SELECT j.* FROM ${jobsOfBlock('jobs_by_input')}${others} ORDER BY j.id DESC LIMIT ?`);
  const jobs = readByBlock(newestBlocks(db), maxRuns, (block, limit) =>
    newest.all(block, hash, endpointId, id, limit).map(jobOf),
  );
  const counted = statement(
    db,
    `SELECT count(*) AS jobs FROM (SELECT 1 FROM ${jobsOfBlocks('jobs_by_input')}${others} LIMIT ?)`,
  ).get(hash, endpointId, id, maxCounted);
  return { jobs, total: counted === undefined ? jobs.length : number(counted, 'jobs') };
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
