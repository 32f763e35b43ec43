import { keepPreviousData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JobFilter } from '../../src-preload/history.ts';
import { useCall } from './calls.ts';

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
