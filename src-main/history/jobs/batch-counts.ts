import type { DatabaseSync } from 'node:sqlite';
import { batchStateOf, noRows, type BatchCounts } from '../../../src-preload/batch.ts';
import type { Job } from '../../../src-preload/job.ts';
import { number, oneOf, statement, text, type Row } from '../file/row.ts';
import { phases } from './facets.ts';

/**
 * The rows of batches by their state, kept up to date in memory by every write in its transaction. A batch is counted
 * from its index when it is first read; from then on a change of a row changes two numbers, however many rows there
 * are. New rows are counted together, as all new jobs (counts.ts). Which batches changed is noted until it is reported.
 */
const batchTables = `
  CREATE TEMP TABLE batches_counted (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TEMP TABLE batch_rows (
    batch_id TEXT NOT NULL, phase TEXT NOT NULL, status TEXT NOT NULL, jobs INTEGER NOT NULL,
    PRIMARY KEY (batch_id, phase, status)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE batches_changed (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TEMP TRIGGER batch_row_moved AFTER UPDATE OF phase, status, batch_id ON jobs
  WHEN (OLD.batch_id IS NOT NULL OR NEW.batch_id IS NOT NULL)
    AND (OLD.phase IS NOT NEW.phase OR OLD.status IS NOT NEW.status OR OLD.batch_id IS NOT NEW.batch_id)
  BEGIN
    UPDATE batch_rows SET jobs = jobs - 1
    WHERE batch_id = OLD.batch_id AND phase = OLD.phase AND status = ifnull(OLD.status, '');
    INSERT INTO batch_rows SELECT id, NEW.phase, ifnull(NEW.status, ''), 1 FROM batches_counted WHERE id = NEW.batch_id
    ON CONFLICT (batch_id, phase, status) DO UPDATE SET jobs = jobs + 1;
    INSERT OR IGNORE INTO batches_changed SELECT value FROM (SELECT OLD.batch_id AS value UNION SELECT NEW.batch_id)
    WHERE value IS NOT NULL;
  END;
  CREATE TEMP TRIGGER batch_row_removed AFTER DELETE ON jobs WHEN OLD.batch_id IS NOT NULL
  BEGIN
    UPDATE batch_rows SET jobs = jobs - 1
    WHERE batch_id = OLD.batch_id AND phase = OLD.phase AND status = ifnull(OLD.status, '');
    INSERT OR IGNORE INTO batches_changed VALUES (OLD.batch_id);
  END;
  CREATE TEMP TRIGGER batch_added AFTER INSERT ON batches
  BEGIN
    INSERT OR IGNORE INTO batches_changed VALUES (NEW.id);
  END;
  CREATE TEMP TRIGGER batch_changed AFTER UPDATE ON batches
  BEGIN
    INSERT OR IGNORE INTO batches_changed VALUES (NEW.id);
  END;
`;

const kept = new WeakSet<DatabaseSync>();

/** Keeps the counts of batches up to date from now on. Once per open database. */
export function keepBatchCounts(db: DatabaseSync): void {
  db.exec(batchTables);
  kept.add(db);
}

/** Notes a batch that has no rows yet, so that its rows never need to be counted from the index. */
export function countsBegin(db: DatabaseSync, batchId: string): void {
  if (kept.has(db)) statement(db, 'INSERT OR IGNORE INTO batches_counted VALUES (?)').run(batchId);
}

/** New rows of batches in one transaction, gathered to be counted together. */
export class InsertedRows {
  readonly #rows = new Map<string, { job: Job & { batchId: string }; count: number }>();

  /** Adds a job, if it is the row of a batch. */
  add(job: Job): void {
    const { batchId } = job;
    if (batchId === null) return;
    const name = [batchId, job.phase, job.status].join('\n');
    const known = this.#rows.get(name);
    if (known === undefined) this.#rows.set(name, { job: { ...job, batchId }, count: 1 });
    else known.count += 1;
  }

  /** Counts them, in their transaction. */
  written(db: DatabaseSync): void {
    if (!kept.has(db)) return;
    for (const { job, count } of this.#rows.values()) {
      statement(
        db,
        `INSERT INTO batch_rows SELECT id, ?, ?, ? FROM batches_counted WHERE id = ?
        ON CONFLICT (batch_id, phase, status) DO UPDATE SET jobs = jobs + excluded.jobs`,
      ).run(job.phase, job.status ?? '', count, job.batchId);
      statement(db, 'INSERT OR IGNORE INTO batches_changed VALUES (?)').run(job.batchId);
    }
  }
}

/** How many rows of a batch are in each state. */
export function readCountsOf(db: DatabaseSync, batchId: string): BatchCounts {
  if (!kept.has(db)) return sumOf(countFromIndex(db, batchId));
  if (statement(db, 'SELECT 1 FROM batches_counted WHERE id = ?').get(batchId) === undefined) {
    const insert = statement(db, 'INSERT INTO batch_rows VALUES (?, ?, ?, ?)');
    for (const row of countFromIndex(db, batchId))
      insert.run(batchId, text(row, 'phase'), text(row, 'status'), number(row, 'jobs'));
    countsBegin(db, batchId);
  }
  return sumOf(statement(db, 'SELECT phase, status, jobs FROM batch_rows WHERE batch_id = ?').all(batchId));
}

/** Whether batches changed since `changedBatches` was last called. */
export function haveBatchesChanged(db: DatabaseSync): boolean {
  return kept.has(db) && statement(db, 'SELECT 1 FROM batches_changed LIMIT 1').get() !== undefined;
}

/** Notes the newest batches as changed, up to `limit`. */
export function noteNewestBatches(db: DatabaseSync, limit: number): void {
  const newest = 'SELECT id FROM batches WHERE total > 0 ORDER BY id DESC LIMIT ?';
  statement(db, `INSERT OR IGNORE INTO batches_changed ${newest}`).run(limit);
}

/** Notes a batch as changed, because it could not be read. */
export function noteUnreadBatch(db: DatabaseSync, id: string): void {
  if (kept.has(db)) statement(db, 'INSERT OR IGNORE INTO batches_changed VALUES (?)').run(id);
}

/**
 * What `read` gives for each batch that changed since it was last read here. One that cannot be read is left out, so
 * that the others are reported, and is still noted as changed: `unread` is how many there are, and `onTrouble` is
 * called with the reason of each.
 */
export function changedBatches<T>(
  db: DatabaseSync,
  read: (id: string) => readonly T[],
  onTrouble: (error: unknown) => void,
): { batches: T[]; unread: number } {
  const ids = statement(db, 'SELECT id FROM batches_changed')
    .all()
    .map((row) => text(row, 'id'));
  const batches: T[] = [];
  let unread = 0;
  for (const id of ids) {
    try {
      batches.push(...read(id));
      statement(db, 'DELETE FROM batches_changed WHERE id = ?').run(id);
    } catch (error) {
      unread += 1;
      onTrouble(error);
    }
  }
  return { batches, unread };
}

function countFromIndex(db: DatabaseSync, batchId: string): Row[] {
  return statement(
    db,
    "SELECT phase, ifnull(status, '') AS status, count(*) AS jobs FROM jobs INDEXED BY jobs_by_batch_state " +
      'WHERE batch_id = ? GROUP BY phase, status',
  ).all(batchId);
}

function sumOf(rows: readonly Row[]): BatchCounts {
  const counts = { ...noRows };
  for (const row of rows)
    counts[batchStateOf({ phase: oneOf(row, 'phase', phases), status: text(row, 'status') })] += number(row, 'jobs');
  return counts;
}
