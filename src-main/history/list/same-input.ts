import type { DatabaseSync } from 'node:sqlite';
import type { JobFilter } from '../../../src-preload/history.ts';
import { number, numberOrNull, statement, text } from '../file/row.ts';
import { jobsOfBlocks } from '../jobs/id-blocks.ts';
import { readInputHash } from '../jobs/input-hash.ts';
import type { Condition } from './conditions.ts';

/** The condition of a filter on the input, as SQL over `jobs AS j`, and the hash by which jobs are found. */
export interface SameInputFilter extends Condition {
  /** The hash whose index has all matching jobs, newest first. Null if that index is not used. */
  hash: number | null;
}

const anyInput: SameInputFilter = { sql: '', values: [], hash: null };

/**
 * Matches jobs with the endpoint and input of the named job (by its key or the service's id). If that job is unknown,
 * nothing matches. If its input is unknown, only that job matches.
 */
export function sameInputFilter(db: DatabaseSync, { sameInput }: Pick<JobFilter, 'sameInput'>): SameInputFilter {
  if (sameInput === null) return anyInput;
  const row =
    statement(db, 'SELECT * FROM jobs WHERE key = ?').get(sameInput) ??
    statement(db, `SELECT j.* FROM ${jobsOfBlocks('jobs_by_job_id')} AND j.job_id = ? ORDER BY j.id DESC LIMIT 1`).get(
      sameInput,
    );
  if (row === undefined) return { sql: ' AND false', values: [], hash: null };
  const id = number(row, 'id');
  // A job of a former version may not have a hash yet.
  const hash = numberOrNull(row, 'input_hash') ?? readInputHash(db, id);
  return hash === null
    ? { sql: ' AND j.id = ?', values: [id], hash }
    : { sql: ' AND j.input_hash = ? AND j.endpoint_id = ?', values: [hash, text(row, 'endpoint_id')], hash };
}
