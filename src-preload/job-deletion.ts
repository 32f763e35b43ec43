import type { Job } from './job.ts';
import type { Allowed } from './job-actions.ts';
import { notDeletedText } from './messages/job.ts';

/** The most jobs of one call. */
export const maxDeleted = 500;

/** The result of deleting jobs from the history. */
export interface JobDeletion {
  /** Keys of the jobs that are no longer in the history. */
  deleted: string[];
  /** The jobs that are still there, and why. */
  kept: { key: string; reason: string }[];
  /** Some of them stayed because the bin could not be written, as on a full disk. They can be deleted for good. */
  isBinRefused: boolean;
}

type Deletable = Pick<Job, 'phase' | 'retryRequestedAtMs' | 'pendingStream'>;

/**
 * Whether a job may be deleted from the history: it must be over, so that no result is lost. A job of unknown outcome
 * is kept as long as its connection exists, because it may still be found there. Orphaned jobs may be deleted: they are
 * not tracked, and the user gives up their results.
 */
export function deletionAllowed(job: Deletable, isConnectionRemoved: boolean): Allowed {
  const reason = whyKept(job, isConnectionRemoved);
  return { isAllowed: reason === '', reason };
}

function whyKept({ phase, retryRequestedAtMs, pendingStream }: Deletable, isConnectionRemoved: boolean): string {
  if (retryRequestedAtMs !== undefined) return notDeletedText.retryWaiting;
  if (pendingStream !== undefined) return notDeletedText.streamLeft;
  switch (phase) {
    case 'waiting':
      return notDeletedText.waiting;
    case 'submitting':
      return notDeletedText.submitting;
    case 'active':
      return notDeletedText.active;
    case 'outcome-unknown':
      return isConnectionRemoved ? '' : notDeletedText.outcomeUnknown;
    case 'refused':
    case 'finished':
    case 'gone':
    case 'orphaned':
      return '';
  }
}
