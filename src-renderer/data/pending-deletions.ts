import { create } from 'zustand';
import { batchStateOf, type Batch } from '../../src-preload/batch.ts';
import { emptyFilter, type JobCounts } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { dropImpossible } from '../design/toast.tsx';
import { matchesFilter } from './job-matches-filter.ts';

/** Jobs that this window is moving into the bin, by key. They are hidden meanwhile. */
export const usePendingDeletions = create<ReadonlyMap<string, Job>>(() => new Map());

/** Jobs that were deleted in this window, by key, until they are restored: what shows one of them offers that. */
export const useDeletedJobs = create<ReadonlyMap<string, Job>>(() => new Map());

/** No longer offers to restore these jobs: they are in the history again, or deleted for good. */
export function forgetDeleted(keys: readonly string[]): void {
  const before = useDeletedJobs.getState();
  if (!keys.some((key) => before.has(key))) return;
  const back = new Set(keys);
  useDeletedJobs.setState(new Map([...before].filter(([key]) => !back.has(key))), true);
}

/** These jobs can no longer be restored, and nothing offers it any longer. Null: all that are in the bin. */
export function forgetDeletedForGood(keys: readonly string[] | null): void {
  const pending = usePendingDeletions.getState();
  forgetDeleted(keys ?? [...useDeletedJobs.getState().keys()].filter((key) => !pending.has(key)));
  dropImpossible();
}

/** Hides jobs that are being deleted. */
export function addPending(jobs: readonly Job[]): void {
  useDeletedJobs.setState((before) => new Map([...before, ...jobs.map((job) => [job.key, job] as const)]), true);
  usePendingDeletions.setState((before) => new Map([...before, ...jobs.map((job) => [job.key, job] as const)]), true);
}

/** Nothing is being done to these jobs any longer: they are deleted, or were brought back. */
export function dropPending(keys: readonly string[]): void {
  const before = usePendingDeletions.getState();
  if (!keys.some((key) => before.has(key))) return;
  const dropped = new Set(keys);
  usePendingDeletions.setState(new Map([...before].filter(([key]) => !dropped.has(key))), true);
}

/** Batches without some of their rows, by key. Those without any other row are left out. Pure. */
export function withoutRows(batches: Batch[], rows: ReadonlyMap<string, Job>): Batch[] {
  if (rows.size === 0) return batches;
  const byBatch = Map.groupBy(rows.values(), ({ batchId }) => batchId);
  return batches
    .map((batch) => {
      const gone = byBatch.get(batch.id) ?? [];
      const counts = { ...batch.counts };
      for (const job of gone) counts[batchStateOf(job)] = Math.max(0, counts[batchStateOf(job)] - 1);
      return gone.length === 0 ? batch : { ...batch, total: Math.max(0, batch.total - gone.length), counts };
    })
    .filter(({ total }) => total > 0);
}

/** The counts without some ended jobs. Pure. */
export function withoutJobs(counts: JobCounts, jobs: readonly Job[], startOfTodayMs: number): JobCounts {
  if (jobs.length === 0) return counts;
  const isIn = (job: Job, view: 'finished-today' | 'failed' | 'starred'): boolean =>
    matchesFilter(job, { ...emptyFilter, view }, startOfTodayMs) === true;
  const count = (jobs: readonly Job[], is: (job: Job) => boolean): number => jobs.filter(is).length;
  const isUnseenFailure = (job: Job): boolean => !job.isSeen && isIn(job, 'failed');
  const byEndpoint = Object.entries(counts.byEndpoint).map(([endpointId, own]) => {
    const unseen = count(jobs, (job) => job.endpointId === endpointId && isUnseenFailure(job));
    return [endpointId, unseen === 0 ? own : { ...own, failedUnseen: Math.max(0, own.failedUnseen - unseen) }] as const;
  });
  return {
    ...counts,
    all: Math.max(0, counts.all - jobs.length),
    finishedToday: Math.max(0, counts.finishedToday - count(jobs, (job) => isIn(job, 'finished-today'))),
    failed: Math.max(0, counts.failed - count(jobs, (job) => isIn(job, 'failed'))),
    failedUnseen: Math.max(0, counts.failedUnseen - count(jobs, isUnseenFailure)),
    starred: Math.max(0, counts.starred - count(jobs, (job) => isIn(job, 'starred'))),
    byEndpoint: Object.fromEntries(byEndpoint),
  };
}
