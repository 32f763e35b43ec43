import type { DatabaseSync } from 'node:sqlite';
import type { JobTimings, Percentiles } from '../../src-preload/health.ts';
import { readFacets } from './facets.ts';
import type { Facet } from './facets.ts';
import { number, numberOrNull, statement } from './row.ts';

/** So many of an endpoint's completed jobs are looked at, those that ended last, however many there are. */
export const mostTimedJobs = 20_000;

/**
 * How long an endpoint's jobs (null: those of each endpoint of the connection that has any) waited and ran: of the
 * completed ones that were seen to end since `sinceMs` (epoch milliseconds) the last 20,000. Delays and run times are
 * those the service told (spec: delayTime, executionTime; ruling 3); a job it told none for is counted without it.
 */
export function jobTimings(db: DatabaseSync, connectionId: string, endpointId: string | null, sinceMs: number): JobTimings[] {
  const completed = readFacets(db).filter((facet) => facet.connectionId === connectionId && facet.word === 'completed' && (endpointId === null || facet.endpointId === endpointId));
  const byEndpoint = Map.groupBy(completed, (facet) => facet.endpointId);
  return [...byEndpoint].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, facets]) => timingsOf(db, id, facets, sinceMs));
}

/** The index ends with the newest end: no job that ended earlier is looked at. */
export const timedJobsSql = `SELECT finished_seen_at_ms, delay_time_ms, execution_time_ms FROM jobs INDEXED BY jobs_by_cost
  WHERE facet = ? AND finished_seen_at_ms >= ? ORDER BY finished_seen_at_ms DESC LIMIT ?`;

function timingsOf(db: DatabaseSync, endpointId: string, facets: readonly Facet[], sinceMs: number): JobTimings {
  const ended = facets.flatMap((facet) => statement(db, timedJobsSql).all(facet.id, sinceMs, mostTimedJobs));
  // An endpoint's jobs are of several facets: starred or not, seen or not.
  if (facets.length > 1) ended.sort((a, b) => number(b, 'finished_seen_at_ms') - number(a, 'finished_seen_at_ms'));
  const counted = ended.slice(0, mostTimedJobs);
  const told = (column: 'delay_time_ms' | 'execution_time_ms'): number[] => counted.map((row) => numberOrNull(row, column)).filter((ms) => ms !== null);
  return { endpointId, count: counted.length, delay: percentilesOf(told('delay_time_ms')), execution: percentilesOf(told('execution_time_ms')) };
}

/** Nearest rank: the smallest value that at least the share of the values do not exceed. Null without values. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  const sorted = Float64Array.from(values).sort();
  const ranked = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  if (sorted.length === 0) return null;
  return { p50Ms: ranked(0.5), p90Ms: ranked(0.9), p95Ms: ranked(0.95), p99Ms: ranked(0.99) };
}
