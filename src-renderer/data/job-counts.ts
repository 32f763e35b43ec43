import { keepPreviousData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type JobFilter, countOfView, isOfFacets, type JobCounts } from '../../src-preload/history.ts';
import { useCall } from './calls.ts';
import { useJobs } from './jobs-store.ts';
import { useJobCounts } from './session-store.ts';

/** The filters whose jobs are counted on screen. */
const counted = new Set<JobFilter>();

/** The filters whose jobs are counted on screen, as they are now. */
export function countedFilters(): ReadonlySet<JobFilter> {
  return counted;
}

/** Has the jobs of a filter counted whenever that can have changed, until the returned function is called. */
export function countOnScreen(filter: JobFilter): () => void {
  counted.add(filter);
  return () => void counted.delete(filter);
}

/**
 * How many jobs match a filter, counted again at most every five seconds, and only after a change that can alter it. It
 * must be the same object as long as it is the same filter.
 */
export function useJobCount(filter: JobFilter) {
  useEffect(() => countOnScreen(filter), [filter]);
  return useCall('job:count', { filter }, { placeholder: keepPreviousData });
}

/** How many jobs match the list's filter. `isTotalCut`: there are more. */
interface ListTotal {
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
