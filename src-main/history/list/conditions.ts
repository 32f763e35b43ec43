import type { DatabaseSync } from 'node:sqlite';
import { hourMs } from '../../../src-preload/durations.ts';
import type { JobFilter, Range } from '../../../src-preload/history.ts';
import { number, numberOrNull, statement } from '../file/row.ts';
import { costCondition } from './cost-condition.ts';

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

/** What the job has. Errors are covered by facets. */
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
 * The ids within the filter's times. Null if there are none. Jobs that are too old or too new are mostly at an end:
 * without these bounds, searching for one more would read all of them.
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
