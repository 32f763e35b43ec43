import type { DatabaseSync } from 'node:sqlite';
import type { JobFilter } from '../../../src-preload/history.ts';
import { number, numberOrNull, statement, text } from '../file/row.ts';
import { readInputHash } from '../jobs/input-hash.ts';
import type { Condition } from './conditions.ts';

/** What a filter asks of the input, as SQL over `jobs AS j`, and where such jobs are found. */
export interface SameInputFilter extends Condition {
  /** The hash whose index has them all, newest first; null where that is not read. */
  hash: number | null;
}

const unasked: SameInputFilter = { sql: '', values: [], hash: null };

/**
 * Of the same endpoint and input as the job that is named, by its key or the service's id. Where no such job is known
 * nothing passes, and where its input is not known it alone.
 */
export function sameInputFilter(db: DatabaseSync, { sameInput }: Pick<JobFilter, 'sameInput'>): SameInputFilter {
  if (sameInput === null) return unasked;
  const row =
    statement(db, 'SELECT * FROM jobs WHERE key = ?').get(sameInput) ??
    statement(db, 'SELECT * FROM jobs WHERE job_id = ? ORDER BY id DESC LIMIT 1').get(sameInput);
  if (row === undefined) return { sql: ' AND false', values: [], hash: null };
  const id = number(row, 'id');
  // One of a former version may have none yet.
  const hash = numberOrNull(row, 'input_hash') ?? readInputHash(db, id);
  return hash === null
    ? { sql: ' AND j.id = ?', values: [id], hash }
    : { sql: ' AND j.input_hash = ? AND j.endpoint_id = ?', values: [hash, text(row, 'endpoint_id')], hash };
}
