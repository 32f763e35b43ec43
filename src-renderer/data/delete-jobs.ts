import { deletionAllowed, maxDeleted } from '../../src-preload/job-deletion.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Allowed } from '../../src-preload/job-actions.ts';
import { call } from '../bridge.ts';
import { commonText } from '../messages/common.ts';
import { deletionText } from '../messages/data/changes.ts';
import { toast } from '../design/toast.tsx';
import { undoMs } from './delayed-removal.ts';
import { useJobs } from './jobs-store.ts';
import { addPending, dropPending, usePendingDeletions } from './pending-deletions.ts';
import { useSession } from './session-store.ts';

/** Whether a job may be deleted from the history, as far as this window knows. */
export function canDelete(job: Job): Allowed {
  const { connections } = useSession.getState();
  return deletionAllowed(job, !connections.some(({ id }) => id === job.connectionId));
}

/**
 * Removes jobs from this window immediately, and from the history when the time to undo it has passed. A job that may
 * not be deleted stays, and the reason is shown.
 */
export function deleteJobs(requested: readonly Job[]): void {
  const pending = usePendingDeletions.getState();
  const jobs = requested.filter((job) => !pending.has(job.key) && canDelete(job).isAllowed);
  const firstReason = requested.map((job) => canDelete(job).reason).find((reason) => reason !== '');
  if (jobs.length === 0) {
    if (firstReason !== undefined) toast(deletionText.notDeleted(firstReason));
    return;
  }
  addPending(jobs);
  useJobs.getState().hide(jobs.map(({ key }) => key));
  const left = requested.length - jobs.length;
  const message =
    left === 0 || firstReason === undefined
      ? deletionText.deleted(jobs.length)
      : deletionText.partlyDeleted(jobs.length, left, firstReason);
  toast(message, {
    shownMs: undoMs,
    action: { label: commonText.undo, onSelect: () => undoDeletion(jobs) },
    onGone: () => void deleteForGood(jobs),
  });
}

/** Brings back jobs that were just deleted. */
export function undoDeletion(jobs: readonly Job[]): void {
  const pending = usePendingDeletions.getState();
  const back = jobs.filter(({ key }) => pending.has(key));
  dropPending(back.map(({ key }) => key));
  useJobs.getState().unhide(back);
}

async function deleteForGood(jobs: readonly Job[]): Promise<void> {
  const pending = usePendingDeletions.getState();
  const wanted = jobs.filter(({ key }) => pending.has(key));
  for (let from = 0; from < wanted.length; from += maxDeleted) {
    const slice = wanted.slice(from, from + maxDeleted);
    const result = await call('job:delete', { keys: slice.map(({ key }) => key) });
    if (!result.ok) {
      undoDeletion(wanted.slice(from));
      toast(`${deletionText.couldNotDelete(wanted.length - from)} ${result.failure.message}`);
      return;
    }
    const { deleted, kept } = result.value;
    dropPending(deleted);
    if (kept.length > 0) {
      const keptKeys = new Set(kept.map(({ key }) => key));
      undoDeletion(slice.filter(({ key }) => keptKeys.has(key)));
      toast(deletionText.jobsNotDeleted(kept.length, kept[0]?.reason ?? ''));
    }
  }
}
