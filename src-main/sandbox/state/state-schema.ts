import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** One row from SQLite. */
export type Row = Record<string, SQLOutputValue>;

function unexpected(column: string, value: SQLOutputValue | undefined): Error {
  const seen = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
  return new TypeError(`${column} holds ${seen}, which no sandbox writes there`);
}

/** A TEXT cell. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column, value);
  return value;
}

/** A TEXT cell that may be NULL. */
export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** A number cell. */
export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column, value);
  return value;
}

/** A number cell that may be NULL. */
export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

/** A TEXT cell with one of a few words. */
export function oneOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const value = row[column];
  const found = words.find((word) => word === value);
  if (found === undefined) throw unexpected(column, value);
  return found;
}

/** Runs `work` as one transaction. If it throws, nothing of it stays. */
export type InTransaction = <T>(work: () => T) => T;

/** Runs work in a transaction, and rolls it back when the work throws. Transactions cannot be nested. */
export function createTransactions(db: DatabaseSync): InTransaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  return (work) => {
    begin.run();
    try {
      const answer = work();
      commit.run();
      return answer;
    } catch (error) {
      // On a full disk SQLite rolls back itself. Rolling back again would hide the cause.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

/** Written into the file's header, so that another program's database is never used. */
export const STATE_APPLICATION_ID = 0x4a625374;

/**
 * The schema's steps in order. The number of steps taken is `PRAGMA user_version`. Append only: a released step is
 * never changed, because existing files have taken it.
 *
 * Times are REAL: milliseconds of the service's time, not always whole.
 */
export const STATE_MIGRATIONS: readonly string[] = [
  `
  -- clock_ms: the latest time of the service at which something of the endpoint was written.
  CREATE TABLE endpoints (
    id TEXT PRIMARY KEY,
    clock_ms REAL NOT NULL,
    completed INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    retried INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- In the order of the queue: a retried job gets a new number. Small rows, because every move writes one again;
  -- the texts lie in the two tables below.
  CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL REFERENCES endpoints (id),
    source TEXT NOT NULL CHECK (source IN ('run', 'runsync')),
    status TEXT NOT NULL CHECK (status IN ('IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')),
    webhook TEXT,
    execution_timeout_ms REAL NOT NULL,
    ttl_ms REAL NOT NULL,
    is_low_priority INTEGER NOT NULL,
    queued_at_ms REAL NOT NULL,
    started_at_ms REAL,
    ended_at_ms REAL,
    worker_id TEXT,
    retries INTEGER NOT NULL,
    ttl_ends_at_ms REAL NOT NULL,
    result_ends_at_ms REAL,
    chunks_read INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- The body of run or runsync as received; gone once the job cannot run again.
  CREATE TABLE submissions (
    job INTEGER PRIMARY KEY REFERENCES jobs (number),
    body TEXT NOT NULL
  ) STRICT;

  -- outputs_json and layout_json: what was streamed, all outputs in one array and where each chunk lies in it.
  -- output_json is NULL where is_streamed says that the outputs are the job's output.
  CREATE TABLE results (
    job INTEGER PRIMARY KEY REFERENCES jobs (number),
    output_json TEXT,
    error_json TEXT,
    is_streamed INTEGER NOT NULL,
    outputs_json TEXT,
    layout_json TEXT
  ) STRICT;

  CREATE TABLE documents (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- How often the job's worker ended under it and it went back into the queue.
  ALTER TABLE jobs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;

  -- Webhook calls that are still to be made; a job may be gone before they are. url and body as they go out.
  CREATE TABLE webhooks (
    number INTEGER PRIMARY KEY,
    endpoint_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    due_at_ms REAL NOT NULL
  ) STRICT;
  `,
];
