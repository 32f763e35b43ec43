import { deletionAllowed, type JobDeletion } from '../../../src-preload/job-deletion.ts';
import type { Job } from '../../../src-preload/job.ts';
import { errorText } from '../../async/error-text.ts';
import type { JobContext } from '../context/job-context.ts';

export interface DeletionParts {
  /** A retry of this job is on its way, or is being found out about. */
  isRetrying: (key: string) => boolean;
  /** Jobs that are no longer in the history, as they last stood; one that was gone before is a key alone. */
  onRemoved: (keys: string[], jobs: Job[]) => void;
}

/** Jobs removed at once: their transaction is a short one, and other calls come between two of them. */
const atOnce = 50;

type Outcome = { kind: 'removed'; job: Job | null } | { kind: 'kept'; reason: string };

/** Deletes jobs that are over from the history, for good. What cannot be deleted stays, and the answer says why. */
export async function deleteJobs(
  { ledger, whyNotFollowed, onTrouble }: JobContext,
  { isRetrying, onRemoved }: DeletionParts,
  keys: readonly string[],
): Promise<JobDeletion> {
  const whyKept = (job: Job): string =>
    isRetrying(job.key)
      ? 'A retry is being sent'
      : deletionAllowed(job, whyNotFollowed(job) === 'no-connection').reason;
  const deleteOne = async (key: string): Promise<Outcome> => {
    try {
      return await ledger.remove(key, whyKept);
    } catch (error) {
      onTrouble(error);
      return { kind: 'kept', reason: errorText(error) };
    }
  };

  const wanted = [...new Set(keys)];
  const answer: JobDeletion = { deleted: [], kept: [] };
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
    onRemoved(removed, jobs);
  }
  return answer;
}
