import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { History } from '../../history/history.ts';
import type { Follows } from '../follow.ts';
import type { Ledger } from '../ledger.ts';
import { recordOfId } from './submission-outcome.ts';

export interface ClaimParts {
  history: Pick<History, 'get'>;
  ledger: Pick<Ledger, 'change'>;
  follows: Pick<Follows, 'of'>;
}

/** Follows the job that a submission of unknown outcome probably became: the id that a webhook named for it (see sightings.ts). */
export function createClaim({ history, ledger, follows }: ClaimParts): (key: string) => Promise<Result<Job>> {
  return async (key) => {
    const stored = await history.get(key);
    const jobId = stored?.job.phase === 'outcome-unknown' ? stored.job.jobId : null;
    const job = jobId === null ? null : await ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
    if (job === null) return failed({ kind: 'refused', message: 'Nothing is known of this job at the service, so there is nothing to follow.' });
    follows.of(job).isLookWanted = true;
    return ok(job);
  };
}
