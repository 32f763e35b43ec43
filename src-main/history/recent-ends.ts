import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '../../src-preload/job.ts';
import { readFacets } from './facets.ts';
import { readJobs } from './jobs.ts';
import { number, statement } from './row.ts';

/**
 * The index ends with the newest end: an endpoint where nothing ended lately costs nothing, however many jobs it has.
 */
export const recentEndsSql = `SELECT id, finished_seen_at_ms FROM jobs INDEXED BY jobs_by_cost
  WHERE facet = ? AND finished_seen_at_ms >= ? ORDER BY finished_seen_at_ms DESC LIMIT ?`;

/**
 * Jobs of an endpoint that were seen to end since `sinceMs` (epoch milliseconds), the last of them first, at most
 * `limit`.
 */
export function recentEnds(
  db: DatabaseSync,
  connectionId: string,
  endpointId: string,
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
