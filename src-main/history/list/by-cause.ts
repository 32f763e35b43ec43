import type { DatabaseSync } from 'node:sqlite';
import type { JobFilter } from '../../../src-preload/history.ts';
import { number, statement } from '../file/row.ts';

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
