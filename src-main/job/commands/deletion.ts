import { deletionAllowed, type JobDeletion } from '../../../src-preload/job-deletion.ts';
import type { Job } from '../../../src-preload/job.ts';
import { errorText } from '../../async/error-text.ts';
import type { JobContext } from '../context/job-context.ts';
import { jobText } from '../../messages/job.ts';

export interface DeletionParts {
  /** Whether a retry of this job is on its way, or its outcome is being determined. */
  isRetrying: (key: string) => boolean;
  /** Jobs that were deleted, in their last state. A job that was gone already is only a key. */
  onRemoved: (keys: string[], jobs: Job[]) => void;
}

/** How many jobs are deleted in one transaction, which is kept short so that other calls come in between. */
const atOnce = 50;

type Outcome = { kind: 'removed'; job: Job | null } | { kind: 'kept'; reason: string; isRefused?: true };

/**
 * Moves ended jobs from the history into the bin, or deletes them for good. A job that cannot be deleted stays, and the
 * answer says why.
 */
export async function deleteJobs(
  { ledger, whyNotFollowed, onTrouble }: JobContext,
  { isRetrying, onRemoved }: DeletionParts,
  keys: readonly string[],
  isForGood: boolean,
): Promise<JobDeletion> {
  const whyKept = (job: Job): string =>
    isRetrying(job.key)
      ? jobText.retryInProgress
      : deletionAllowed(job, whyNotFollowed(job) === 'no-connection').reason;
  const deleteOne = async (key: string): Promise<Outcome> => {
    try {
      return await ledger.remove(key, whyKept, isForGood);
    } catch (error) {
      onTrouble(error);
      return { kind: 'kept', reason: errorText(error), isRefused: true };
    }
  };

  const wanted = [...new Set(keys)];
  const answer: JobDeletion = { deleted: [], kept: [], isBinRefused: false };
  for (let from = 0; from < wanted.length; from += atOnce) {
    const slice = wanted.slice(from, from + atOnce);
    const outcomes = await Promise.all(slice.map(async (key) => ({ key, outcome: await deleteOne(key) })));
    const removed = outcomes.flatMap(({ key, outcome }) => (outcome.kind === 'removed' ? [key] : []));
    const jobs = outcomes.flatMap(({ outcome }) =>
      outcome.kind === 'removed' && outcome.job !== null ? [outcome.job] : [],
    );
    for (const { key, outcome } of outcomes)
      if (outcome.kind === 'kept') answer.kept.push({ key, reason: outcome.reason });
    answer.deleted.push(...removed);
    answer.isBinRefused ||=
      !isForGood && outcomes.some(({ outcome }) => outcome.kind === 'kept' && outcome.isRefused === true);
    onRemoved(removed, jobs);
  }
  return answer;
}
