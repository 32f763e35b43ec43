import { countOfView, isOfFacets, type JobCounts, type JobFilter } from '../../src-preload/history.ts';
import { useJobs } from './jobs-store.ts';
import { useJobCounts } from './session-store.ts';

/** How many jobs match the list's filter. `isTotalCut`: there are more. */
export interface ListTotal {
  total: number;
  isTotalCut: boolean;
}

/**
 * How many jobs match. For a whole view that is the sidebar's number, also if more jobs are active than were loaded;
 * otherwise what the list counted. `counts`: of the filter's connection, null if they are not known. Pure.
 */
export function listTotal(filter: JobFilter, counts: JobCounts | null, counted: ListTotal): ListTotal {
  const { view, endpointId, statuses } = filter;
  const isWholeView = endpointId === null && statuses.length === 0 && isOfFacets({ ...filter, view: 'all' });
  return counts !== null && isWholeView ? { total: countOfView(counts, view), isTotalCut: false } : counted;
}

/** The number of jobs that match the list's filter, for everything that shows it. */
export function useListTotal(): ListTotal {
  const filter = useJobs((state) => state.filter);
  const total = useJobs((state) => state.total);
  const isTotalCut = useJobs((state) => state.isTotalCut);
  return listTotal(filter, useJobCounts(), { total, isTotalCut });
}
