import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { asKnown } from './same-job.ts';
import type { SameJob } from './same-job.ts';
import { recordOfId } from './submission-outcome.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from '../polling/check-now.ts';

/** Follows a submission of unknown outcome as the job `jobId`. Null where there is no such submission. */
export async function confirmed(
  key: string,
  jobId: string,
  { ledger, pollingStates }: JobContext,
): Promise<Job | null> {
  const job = await ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
  if (job !== null) pollingStates.of(job).isStatusReadWanted = true;
  return job;
}

/**
 * Follows the job that a submission of unknown outcome probably became: the id that a webhook named for it
 * (webhook-matches.ts). Where that job is followed already, it is answered, and nobody reads it twice (ruling 42).
 */
export function createConfirmSubmission(
  context: JobContext,
  sameJob: SameJob,
  readStatusAgain: ReadStatusAgain,
): (key: string) => Promise<Result<Job>> {
  return async (key) => {
    const job = (await context.history.get(key))?.job;
    const jobId = job?.phase === 'outcome-unknown' ? job.jobId : null;
    if (job === undefined || jobId === null) return failed(nothingKnown);
    const found = await sameJob.inTurn({ ...job, jobId }, async () => {
      const known = await sameJob.find({ ...job, jobId });
      return known === null ? await confirmed(key, jobId, context) : await asKnown(known, context, readStatusAgain);
    });
    return found === null ? failed(nothingKnown) : ok(found);
  };
}

const nothingKnown = {
  kind: 'refused',
  message: 'Nothing is known of this job at the service, so there is nothing to follow.',
} as const;
