import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EndpointRef } from '../../../src-preload/endpoint-key.ts';
import type { JobTimings, Percentiles } from '../../../src-preload/health.ts';
import type { Job } from '../../../src-preload/job.ts';
import { number, numberOrNull, statement, text } from '../file/row.ts';
import type { PurgedJobs } from '../records.ts';
import { readFacets } from './facets.ts';
import { readJobs } from './jobs.ts';

/** How many of an endpoint's completed jobs are read: those that ended last. */
export const maxTimedJobs = 20_000;

/**
 * How long an endpoint's jobs (null: those of each endpoint of the connection that has any, and then of all together)
 * waited and ran: the last 20,000 completed ones that ended since `sinceMs` (epoch milliseconds). Delays and run times
 * are those of the service (spec: Job record; ruling 3); a job without one is counted anyway.
 */
export function jobTimings(
  db: DatabaseSync,
  connectionId: string,
  endpointId: string | null,
  sinceMs: number,
): JobTimings[] {
  const completed = readFacets(db).filter(
    (facet) =>
      facet.connectionId === connectionId &&
      facet.word === 'completed' &&
      (endpointId === null || facet.endpointId === endpointId),
  );
  const byEndpoint = Map.groupBy(completed, (facet) => facet.endpointId);
  const each = [...byEndpoint]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, facets]) => ({
      id,
      ended: lastEnded(facets.map((facet) => statement(db, timedJobsSql).all(facet.id, sinceMs, maxTimedJobs))),
    }));
  const timings = each.map(({ id, ended }) => timingsOf(id, ended));
  return endpointId === null && each.length > 0
    ? [...timings, timingsOf(null, lastEnded(each.map(({ ended }) => ended)))]
    : timings;
}

/**
 * The index contains everything that is needed and is sorted by the end: no job is fetched, and none that ended earlier
 * is read.
 */
const timedJobsSql = `SELECT finished_seen_at_ms, delay_time_ms, execution_time_ms
  FROM jobs INDEXED BY jobs_by_cost
  WHERE facet = ? AND finished_seen_at_ms >= ? ORDER BY finished_seen_at_ms DESC LIMIT ?`;

type Ended = ReturnType<StatementSync['all']>;

/** The jobs of several lists that ended last. An endpoint's jobs are in several: starred or not, seen or not. */
function lastEnded(lists: readonly Ended[]): Ended {
  const ended = lists.flat();
  if (lists.length > 1) ended.sort((a, b) => number(b, 'finished_seen_at_ms') - number(a, 'finished_seen_at_ms'));
  return ended.slice(0, maxTimedJobs);
}

function timingsOf(endpointId: string | null, counted: Ended): JobTimings {
  const known = (column: 'delay_time_ms' | 'execution_time_ms'): number[] =>
    counted.map((row) => numberOrNull(row, column)).filter((ms) => ms !== null);
  return {
    endpointId,
    count: counted.length,
    delay: percentilesOf(known('delay_time_ms')),
    execution: percentilesOf(known('execution_time_ms')),
  };
}

/** Nearest rank: the smallest value that at least the share of the values do not exceed. Null without values. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  const sorted = Float64Array.from(values).sort();
  const ranked = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  if (sorted.length === 0) return null;
  return { p50Ms: ranked(0.5), p90Ms: ranked(0.9), p95Ms: ranked(0.95), p99Ms: ranked(0.99) };
}

/** The index is sorted by the end: an endpoint without recent ends costs nothing, however many jobs it has. */
const recentEndsSql = `SELECT id, finished_seen_at_ms FROM jobs INDEXED BY jobs_by_cost
  WHERE facet = ? AND finished_seen_at_ms >= ? ORDER BY finished_seen_at_ms DESC LIMIT ?`;

/** Jobs of an endpoint that ended since `sinceMs` (epoch milliseconds), the last one first, at most `limit`. */
export function recentEnds(
  db: DatabaseSync,
  { connectionId, endpointId }: EndpointRef,
  sinceMs: number,
  limit: number,
): Job[] {
  const ended = readFacets(db)
    .filter((facet) => facet.connectionId === connectionId && facet.endpointId === endpointId)
    .flatMap((facet) => statement(db, recentEndsSql).all(facet.id, sinceMs, limit))
    .sort((a, b) => number(b, 'finished_seen_at_ms') - number(a, 'finished_seen_at_ms'));
  return readJobs(
    db,
    ended.slice(0, limit).map((row) => number(row, 'id')),
  );
}

/** How many of these jobs were purged, and the first `maxNamed` of them by key. */
export function readPurged(db: DatabaseSync, keys: readonly string[], maxNamed: number): PurgedJobs {
  const wanted = JSON.stringify(keys);
  const counted = statement(db, `SELECT count(*) AS jobs ${purgedAmong}`).get(wanted);
  return {
    count: counted === undefined ? 0 : number(counted, 'jobs'),
    first: statement(db, `SELECT j.key, j.title ${purgedAmong} ORDER BY j.key LIMIT ?`)
      .all(wanted, maxNamed)
      .map((row) => ({ key: text(row, 'key'), title: text(row, 'title') })),
  };
}

const purgedAmong = `FROM json_each(?) AS wanted CROSS JOIN jobs AS j ON j.key = wanted.value
  WHERE j.gone_reason = 'purged'`;
