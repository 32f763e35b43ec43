import type { Allowed, Job } from './job.ts';

/** Most jobs of one call. */
export const mostDeleted = 500;

/** What became of a request to delete jobs from the history. */
export interface JobDeletion {
  /** Keys of the jobs that are no longer in the history. */
  deleted: string[];
  /** Those that are, and why. */
  kept: { key: string; reason: string }[];
}

type Deletable = Pick<Job, 'phase' | 'retryAskedAtMs' | 'pendingStream'>;

/**
 * Whether a job may be deleted from the history: one that is over, so that no result is lost that could be had. One of
 * unknown outcome is kept as long as its connection is there to find it by. Orphaned jobs may be deleted: they are not
 * tracked, and deleting one gives up what may still come of it.
 */
export function deletionAllowed(job: Deletable, isConnectionRemoved: boolean): Allowed {
  const reason = whyKept(job, isConnectionRemoved);
  return { isAllowed: reason === '', reason };
}

function whyKept({ phase, retryAskedAtMs, pendingStream }: Deletable, isConnectionRemoved: boolean): string {
  if (retryAskedAtMs !== undefined) return 'A retry is waiting to be sent; cancel it first';
  if (pendingStream !== undefined) return 'The rest of its stream is still being fetched';
  switch (phase) {
    case 'waiting':
      return 'It is waiting to be sent; cancel it first';
    case 'submitting':
      return 'It is still being sent; wait for the answer';
    case 'active':
      return 'It is still active; cancel it first';
    case 'outcome-unknown':
      return isConnectionRemoved ? '' : 'Its outcome is unknown, so it may still be running';
    case 'refused':
    case 'finished':
    case 'gone':
    case 'orphaned':
      return '';
  }
}
