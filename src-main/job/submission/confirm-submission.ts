import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Ledger } from '../store/ledger.ts';
import { asKnown } from './same-job.ts';
import type { KnownParts, SameJob } from './same-job.ts';
import { recordOfId } from './submission-outcome.ts';

export interface ConfirmSubmissionParts extends KnownParts {
  ledger: Pick<Ledger, 'change'>;
  sameJob: SameJob;
}

/** Follows a submission of unknown outcome as the job `jobId`. Null where there is no such submission. */
export async function confirmed(
  key: string,
  jobId: string,
  { ledger, pollingStates }: Pick<ConfirmSubmissionParts, 'ledger' | 'pollingStates'>,
): Promise<Job | null> {
  const job = await ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
  if (job !== null) pollingStates.of(job).isStatusReadWanted = true;
  return job;
}

/**
 * Follows the job that a submission of unknown outcome probably became: the id that a webhook named for it (see
 * sightings.ts). Where that job is followed already, it is answered, and nobody reads it a second time (ruling 42).
 */
export function createConfirmSubmission(parts: ConfirmSubmissionParts): (key: string) => Promise<Result<Job>> {
  const { history, sameJob } = parts;

  return async (key) => {
    const job = (await history.get(key))?.job;
    const jobId = job?.phase === 'outcome-unknown' ? job.jobId : null;
    if (job === undefined || jobId === null) return failed(nothingKnown);
    const found = await sameJob.inTurn({ ...job, jobId }, async () => {
      const known = await sameJob.find({ ...job, jobId });
      return known === null ? await confirmed(key, jobId, parts) : await asKnown(known, parts);
    });
    return found === null ? failed(nothingKnown) : ok(found);
  };
}

const nothingKnown = {
  kind: 'refused',
  message: 'Nothing is known of this job at the service, so there is nothing to follow.',
} as const;
