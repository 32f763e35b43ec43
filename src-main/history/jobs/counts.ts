import type { DatabaseSync } from 'node:sqlite';
import { activityOf, isFailure, noJobs } from '../../../src-preload/history.ts';
import type { AllJobCounts, EndpointJobCounts, JobCounts } from '../../../src-preload/history.ts';
import { number, statement } from '../file/row.ts';
import { haveBatchesChanged, keepBatchCounts } from './batch-counts.ts';
import { readFacets, type Facet } from './facets.ts';

/**
 * The jobs that finished today, kept up to date in memory by every write in its transaction, because counting again
 * after each write would take longer with every job. New jobs are counted together (inserted-jobs.ts): if a trigger
 * counted them, SQLite would copy every page that an insert changes, to be able to undo the insert alone.
 */
const todayTables = `
  CREATE TEMP TABLE today (start_ms INTEGER NOT NULL);
  CREATE TEMP TABLE finished_today (facet INTEGER PRIMARY KEY, jobs INTEGER NOT NULL);
  CREATE TEMP TRIGGER job_removed AFTER DELETE ON jobs
  WHEN OLD.finished_seen_at_ms >= (SELECT start_ms FROM today)
  BEGIN
    UPDATE finished_today SET jobs = jobs - 1 WHERE facet = OLD.facet;
  END;
  CREATE TEMP TRIGGER job_moved AFTER UPDATE OF facet, finished_seen_at_ms ON jobs
  WHEN OLD.facet IS NOT NEW.facet OR OLD.finished_seen_at_ms IS NOT NEW.finished_seen_at_ms
  BEGIN
    UPDATE finished_today SET jobs = jobs - 1
    WHERE facet = OLD.facet AND OLD.finished_seen_at_ms >= (SELECT start_ms FROM today);
    INSERT OR IGNORE INTO finished_today VALUES (NEW.facet, 0);
    UPDATE finished_today SET jobs = jobs + 1
    WHERE facet = NEW.facet AND NEW.finished_seen_at_ms >= (SELECT start_ms FROM today);
  END;
`;

const counted = new WeakSet<DatabaseSync>();

/** Counts new jobs that have already finished, in their transaction. `endsMs`: when they finished, by facet. */
export function countInsertedEnds(db: DatabaseSync, endsMs: ReadonlyMap<number, readonly number[]>): void {
  const today = counted.has(db) ? statement(db, 'SELECT start_ms FROM today').get() : undefined;
  if (today === undefined) return;
  const startMs = number(today, 'start_ms');
  for (const [facet, ofFacet] of endsMs) {
    const jobs = ofFacet.filter((endMs) => endMs >= startMs).length;
    if (jobs > 0)
      statement(
        db,
        'INSERT INTO finished_today VALUES (?, ?) ON CONFLICT (facet) DO UPDATE SET jobs = jobs + excluded.jobs',
      ).run(facet, jobs);
  }
}

/** Reads the counts of all jobs, which the database keeps by facet, and notices whether they or a batch changed. */
export class JobCounter {
  readonly #db: DatabaseSync;
  #revision: number;
  #asRead = '';
  #last: AllJobCounts | null = null;

  /** One per open database. `revision`: that of the last counts of a former thread, or 0. */
  constructor(db: DatabaseSync, revision: number) {
    this.#db = db;
    this.#revision = revision;
    db.exec(todayTables);
    keepBatchCounts(db);
    counted.add(db);
  }

  /**
   * The present counts. Returns the same object until they, or a batch, change; what changed of the batches is then
   * reported with this revision. `startOfTodayMs` is local midnight.
   */
  read(startOfTodayMs: number): AllJobCounts {
    if (statement(this.#db, 'SELECT 1 FROM today WHERE start_ms = ?').get(startOfTodayMs) === undefined)
      this.#beginDay(startOfTodayMs);
    const facets = readFacets(this.#db);
    const today = readFinishedToday(this.#db);
    const asRead = facets.map(({ id, jobs }) => `${id}:${jobs}:${today.get(id) ?? 0}`).join(' ');
    if (this.#last !== null && asRead === this.#asRead && !haveBatchesChanged(this.#db)) return this.#last;
    this.#asRead = asRead;
    this.#revision += 1;
    this.#last = { revision: this.#revision, ...countJobs(facets, today), savedBytes: savedBytes(this.#db) };
    return this.#last;
  }

  #beginDay(startOfTodayMs: number): void {
    statement(this.#db, 'DELETE FROM today').run();
    statement(this.#db, 'INSERT INTO today VALUES (?)').run(startOfTodayMs);
    statement(this.#db, 'DELETE FROM finished_today').run();
    statement(
      this.#db,
      `INSERT INTO finished_today SELECT facet, count(*) FROM jobs INDEXED BY jobs_by_finish
      WHERE finished_seen_at_ms >= ? GROUP BY facet`,
    ).run(startOfTodayMs);
  }
}

/** How many jobs of each facet finished today, in whatever state they are now. */
function readFinishedToday(db: DatabaseSync): Map<number, number> {
  const rows = statement(db, 'SELECT facet, jobs FROM finished_today WHERE jobs > 0').all();
  return new Map(rows.map((row) => [number(row, 'facet'), number(row, 'jobs')]));
}

function countJobs(
  facets: readonly Facet[],
  today: ReadonlyMap<number, number>,
): Pick<AllJobCounts, 'all' | 'byConnection'> {
  const byConnection: Record<string, JobCounts> = {};
  for (const [connectionId, ofConnection] of Map.groupBy(facets, (facet) => facet.connectionId))
    byConnection[connectionId] = sum(ofConnection, today);
  return { all: sum(facets, today), byConnection };
}

function sum(facets: readonly Facet[], today: ReadonlyMap<number, number>): JobCounts {
  const counts = { ...noJobs };
  const byEndpoint: Record<string, EndpointJobCounts> = {};
  for (const facet of facets) {
    const { jobs } = facet;
    const activity = activityOf(facet);
    const isFailed = isFailure(facet.word);
    const isNews = isFailed && !facet.isSeen;
    counts.all += jobs;
    if (facet.phase === 'finished') counts.finishedToday += today.get(facet.id) ?? 0;
    if (facet.isStarred) counts.starred += jobs;
    if (isFailed) counts.failed += jobs;
    if (isNews) counts.failedUnseen += jobs;
    if (activity !== null) {
      counts.active += jobs;
      counts[activity] += jobs;
    }
    if (activity === null && !isNews) continue;
    const ofEndpoint = (byEndpoint[facet.endpointId] ??= noneOfEndpoint());
    if (activity !== null) ofEndpoint[activity] += jobs;
    if (isNews) ofEndpoint.failedUnseen += jobs;
  }
  return { ...counts, byEndpoint };
}

function noneOfEndpoint(): EndpointJobCounts {
  return { running: 0, queued: 0, sending: 0, toSend: 0, unknown: 0, over: 0, failedUnseen: 0 };
}

/** Of the history and its search index. */
function savedBytes(db: DatabaseSync): number {
  return ['main', 'words'].reduce((sum, schema) => {
    const pages = statement(db, `PRAGMA ${schema}.page_count`).get();
    const size = statement(db, `PRAGMA ${schema}.page_size`).get();
    return pages === undefined || size === undefined
      ? sum
      : sum + number(pages, 'page_count') * number(size, 'page_size');
  }, 0);
}
