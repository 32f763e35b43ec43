import type { DatabaseSync } from 'node:sqlite';
import { hourMs } from '../../../src-preload/durations.ts';
import type { JobFilter, Range } from '../../../src-preload/history.ts';
import { number, numberOrNull, statement, text } from '../file/row.ts';
import { costCondition } from './cost-condition.ts';
import { jobsOfBlocks } from '../jobs/id-blocks.ts';
import { readInputHash } from '../jobs/input-hash.ts';

/** A filter's conditions beyond facets, as SQL over `jobs AS j`. */
export interface Condition {
  /** Begins with ` AND ` or is empty. */
  sql: string;
  values: (string | number)[];
}

export const nothing: Condition = { sql: '', values: [] };

/** All of them together. */
export function joined(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(''),
    values: conditions.flatMap((condition) => condition.values),
  };
}

/** All requested tags, and none of the excluded ones. */
export function tagged(tags: readonly string[], notTags: readonly string[]): Condition {
  const has = 'EXISTS (SELECT 1 FROM job_tags WHERE tag = ? AND job = j.id)';
  return {
    sql: [...tags.map(() => ` AND ${has}`), ...notTags.map(() => ` AND NOT ${has}`)].join(''),
    values: [...tags, ...notTags],
  };
}

/** The rows of the batch, if the filter has one. */
export function ofBatch({ batchId }: JobFilter): Condition {
  return batchId === null ? nothing : { sql: ' AND j.batch_id = ?', values: [batchId] };
}

/** The times of creation and end, and the figures. */
export function timesAndFigures(db: DatabaseSync, filter: JobFilter, startOfTodayMs: number): Condition {
  const conditions: Condition[] = [within('execution_time_ms', filter.took), within('delay_time_ms', filter.waited)];
  if (filter.sinceMs !== null) conditions.push({ sql: ' AND j.created_at_ms >= ?', values: [filter.sinceMs] });
  if (filter.beforeMs !== null) conditions.push({ sql: ' AND j.created_at_ms < ?', values: [filter.beforeMs] });
  if (filter.view === 'finished-today')
    conditions.push({ sql: ' AND j.finished_seen_at_ms >= ?', values: [startOfTodayMs] });
  if (filter.cost !== null) conditions.push(costCondition(db, filter.cost));
  return joined(conditions);
}

/** The bounds of a figure. An unknown figure does not match. */
export function within(column: 'execution_time_ms' | 'delay_time_ms', range: Range | null): Condition {
  if (range === null) return nothing;
  const { over, under } = range;
  return joined([
    { sql: ` AND j.${column} IS NOT NULL`, values: [] },
    over === null ? nothing : { sql: ` AND j.${column} > ?`, values: [over] },
    under === null ? nothing : { sql: ` AND j.${column} < ?`, values: [under] },
  ]);
}

/** `has:images` and `has:stream`. Errors are covered by facets. */
export function having({ has }: JobFilter): Condition {
  return joined([
    has.includes('images') ? { sql: ' AND EXISTS (SELECT 1 FROM job_images WHERE job = j.id)', values: [] } : nothing,
    has.includes('stream') ? { sql: ' AND j.chunk_count > 0', values: [] } : nothing,
  ]);
}

/** The beginning of the id at the service. */
export function idStarting({ idStart }: JobFilter): Condition {
  return idStart === null
    ? nothing
    : { sql: ' AND j.job_id >= ? AND j.job_id < ?', values: [idStart, idStart + lastCharacter] };
}

/** Sorts after every id with the beginning before it. */
const lastCharacter = '\u{10ffff}';

/** The ids that can match, including both ends. */
export interface IdSpan {
  first: number;
  last: number;
}

/**
 * The ids within the filter's times. Null if there are none. Most jobs that are too old or too new are at one end of
 * the ids. Without these bounds, a search for one more match would read all of them.
 */
export function idSpan(db: DatabaseSync, filter: JobFilter, startOfTodayMs: number): IdSpan | null {
  let first = Number.MIN_SAFE_INTEGER;
  let last = Number.MAX_SAFE_INTEGER;
  const narrow = (sql: string, ...values: number[]): { first: number; last: number } | null => {
    const row = statement(db, sql).get(...values);
    const from = row === undefined ? null : numberOrNull(row, 'first');
    return row === undefined || from === null ? null : { first: from, last: number(row, 'last') };
  };
  if (filter.view === 'finished-today') {
    const ended = narrow(
      'SELECT min(id) AS first, max(id) AS last FROM jobs INDEXED BY jobs_by_finish WHERE finished_seen_at_ms >= ?',
      startOfTodayMs,
    );
    if (ended === null) return null;
    ({ first, last } = ended);
  }
  if (filter.sinceMs !== null || filter.beforeMs !== null) {
    const created = narrow(
      'SELECT min(first_id) AS first, max(last_id) AS last FROM job_hours WHERE hour >= ? AND hour <= ?',
      hourOf(filter.sinceMs ?? 0),
      hourOf(filter.beforeMs ?? Number.MAX_SAFE_INTEGER),
    );
    if (created === null) return null;
    first = Math.max(first, created.first);
    last = Math.min(last, created.last);
  }
  return first > last ? null : { first, last };
}

function hourOf(atMs: number): number {
  return Math.trunc(atMs / hourMs);
}

/** A filter's condition on marks and labels, as SQL over `jobs AS j`, and where such jobs are found. */
export interface JudgedFilter {
  /** Begins with ` AND ` or is empty. */
  sql: string;
  values: string[];
  /** An index of judged jobs only. Null if jobs without a judgement may match too. */
  index: JudgedIndex | null;
}

/** An index of few jobs, and the condition under which SQLite may use it. */
interface JudgedIndex {
  name: string;
  condition: string;
}

/** The job has any of the filter's marks and any of its labels. */
export function judgedFilter({ marks, labels }: Pick<JobFilter, 'marks' | 'labels'>): JudgedFilter {
  const conditions: string[] = [];
  const values: string[] = [];
  if (marks.length > 0) {
    conditions.push(` AND coalesce(j.mark, 0) IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(marks));
  }
  if (labels.length > 0) {
    conditions.push(` AND j.label COLLATE NOCASE IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(labels));
  }
  return { sql: conditions.join(''), values, index: indexOf(marks, labels) };
}

/** The index of labels has fewer jobs than the one of marks. */
function indexOf(marks: readonly number[], labels: readonly string[]): JudgedIndex | null {
  if (labels.length > 0) return { name: 'jobs_labelled', condition: 'j.label IS NOT NULL' };
  if (marks.length > 0 && !marks.includes(0)) return { name: 'jobs_marked', condition: 'j.mark IS NOT NULL' };
  return null;
}

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

/** A filter's condition on the cause of a failure, as SQL over `jobs AS j`, and where such jobs are found. */
export interface CauseFilter {
  /** Begins with ` AND ` or is empty. */
  sql: string;
  values: string[];
  /**
   * The condition on `failures AS t` that selects the jobs of one cause, newest first. Null if it is not a single
   * cause.
   */
  driver: { sql: string; values: number[] } | null;
}

const anyCause: CauseFilter = { sql: '', values: [], driver: null };

/** A number is a cause's id. Anything else is words of its message, ignoring case. */
export function causeFilter(db: DatabaseSync, { cause }: Pick<JobFilter, 'cause'>): CauseFilter {
  if (cause === null) return anyCause;
  const ids = causesOf(db, cause);
  const [only] = ids;
  return {
    sql: ' AND EXISTS (SELECT 1 FROM failures WHERE job = j.id AND cause IN (SELECT value FROM json_each(?)))',
    values: [JSON.stringify(ids)],
    driver: ids.length === 1 && only !== undefined ? { sql: 't.cause = ?', values: [only] } : null,
  };
}

function causesOf(db: DatabaseSync, cause: string): number[] {
  const rows = /^\d+$/.test(cause)
    ? statement(db, 'SELECT id FROM failure_causes WHERE id = ?').all(Number(cause))
    : statement(db, 'SELECT id FROM failure_causes WHERE instr(lower(message), lower(?)) > 0').all(cause);
  return rows.map((row) => number(row, 'id'));
}
