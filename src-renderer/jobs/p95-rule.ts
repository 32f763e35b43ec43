import { firstIndex } from '../../src-preload/first-index.ts';
import type { JobSort, RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { JobListView } from '../data/job-list.ts';
import { runsForTick } from './job-figures.ts';

/** Where the p95 is between the rows of a list that is sorted by time. */
export interface P95Rule {
  p95Ms: number;
  /** How many rows are above it. */
  rows: number;
  /** These rows are the slower ones. */
  areSlower: boolean;
}

/**
 * Where the p95 of an endpoint is among `keys`, which are sorted by `sort`; null if that is not a time, the p95 is not
 * known, or all rows that are loaded are on one side of it. Pure.
 */
export function p95RuleOf(
  keys: readonly string[],
  list: Pick<JobListView, 'get'>,
  sort: JobSort | null,
  runTimes: RunTimes | undefined,
): P95Rule | null {
  if (sort === null) return null;
  const p95Ms = columnP95Ms(sort.column, runTimes);
  const msOf = timeOf(sort.column);
  if (p95Ms === null || msOf === null) return null;
  const isAbove = (index: number): boolean => {
    const job = list.get(keys[index] ?? '');
    const ms = job === undefined ? null : msOf(job);
    // Rows without a time come last.
    if (ms === null) return false;
    return sort.isDescending ? ms > p95Ms : ms <= p95Ms;
  };
  const rows = firstIndex(keys.length, isAbove);
  return rows === 0 || rows === keys.length ? null : { p95Ms, rows, areSlower: sort.isDescending };
}

/** The p95 of the times in a column. Null for a column without times, or if too few jobs have run. Pure. */
export function columnP95Ms(column: JobSort['column'], runTimes: RunTimes | undefined): number | null {
  if (runTimes === undefined || runTimes.count < runsForTick) return null;
  const p95Ms = column === 'execution' ? runTimes.executionP95Ms : column === 'wait' ? runTimes.delayP95Ms : null;
  return p95Ms !== null && p95Ms > 0 ? p95Ms : null;
}

/** The time of a job that a column is sorted by. Null for a column without times. */
function timeOf(column: JobSort['column']): ((job: Job) => number | null) | null {
  switch (column) {
    case 'execution':
      return ({ executionTimeMs }) => executionTimeMs;
    case 'wait':
      return ({ delayTimeMs }) => delayTimeMs;
    default:
      return null;
  }
}

/** The filter for the jobs that took longer than `ms`: `took>39.12s`. Pure. */
export function slowerThan(column: 'execution' | 'wait', ms: number): string {
  const bound = ms < 1_000 ? `${ms}ms` : `${ms / 1_000}s`;
  return `${column === 'execution' ? 'took' : 'waited'}>${bound}`;
}
