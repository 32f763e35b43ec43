import type { DatabaseSync } from 'node:sqlite';
import type { RunTimes } from '../../src-preload/history.ts';
import { newestInFacets, readFacets } from './facets.ts';
import { readJobs } from './jobs.ts';

/** How many of an endpoint's newest completed jobs its run times are learned from: enough for a p95, few enough to follow a change. */
const sampleJobs = 500;

/** Run times of each endpoint of a connection that has completed jobs, by endpoint id. */
export function readRunTimes(db: DatabaseSync, connectionId: string): RunTimes[] {
  const completed = readFacets(db).filter((facet) => facet.connectionId === connectionId && facet.word === 'completed');
  const endpointIds = [...new Set(completed.map((facet) => facet.endpointId))].sort();
  return endpointIds.map((endpointId) => {
    const ids = newestInFacets(db, completed.filter((facet) => facet.endpointId === endpointId), Number.MAX_SAFE_INTEGER, sampleJobs);
    const jobs = readJobs(db, ids);
    const executionMs = jobs.map((job) => job.executionTimeMs).filter((ms) => ms !== null);
    const delayMs = jobs.map((job) => job.delayTimeMs).filter((ms) => ms !== null);
    return {
      endpointId,
      count: jobs.length,
      executionP50Ms: percentile(executionMs, 0.5),
      executionP95Ms: percentile(executionMs, 0.95),
      delayP95Ms: percentile(delayMs, 0.95),
    };
  });
}

/** The smallest value that at least `share` of the values do not exceed (nearest rank); null without values. One odd value moves it by one rank at most. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
