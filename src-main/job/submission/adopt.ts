import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { isJobId, longestJobId } from '../../../src-preload/job-bounds.ts';
import type { Job, SubmitOperation } from '../../../src-preload/job.ts';
import { bornJob } from '../job-event.ts';
import type { Ledger } from '../ledger.ts';
import { reduceAll } from '../reducer.ts';
import { claimed } from './claim.ts';
import { asKnown } from './same-job.ts';
import type { KnownParts, SameJob } from './same-job.ts';
import { recordOfId } from './submission-outcome.ts';

/** Jobs that someone else submitted, by their ids. */
export interface JobsElsewhere {
  connectionId: string;
  endpointId: string;
  jobIds: string[];
}

export interface AdoptParts extends KnownParts {
  ledger: Pick<Ledger, 'bear' | 'change'>;
  sameJob: SameJob;
  baseUrlOf: (connectionId: string) => Promise<Result<string>>;
  newKey: () => string;
  now: () => number;
}

/**
 * Takes up jobs submitted elsewhere: each becomes a job here, is looked at once at once and followed from then on.
 * One that is known here already, by whatever connection (ruling 42), is answered as it is, after another look where it
 * was called gone; one that a submission of unknown outcome probably became is followed as that. Nothing is sent but
 * reads. When they were accepted and what their ttl is, nobody tells, so the ttl is unknown; their input stays unknown
 * as well.
 */
export function createAdopt(parts: AdoptParts): (jobs: JobsElsewhere) => Promise<Result<Job[]>> {
  const { ledger, follows, sameJob, baseUrlOf, newKey, now } = parts;

  async function adoptOne(jobId: string, of: Omit<JobsElsewhere, 'jobIds'>, baseUrl: string): Promise<Job> {
    const known = await sameJob.find({ baseUrl, endpointId: of.endpointId, jobId });
    if (known !== null) return await asKnown(known, parts);
    const unclaimed = await sameJob.findUnclaimed({ baseUrl, endpointId: of.endpointId, jobId });
    const own = unclaimed === null ? null : await claimed(unclaimed.key, jobId, parts);
    if (own !== null) return own;
    const nowMs = now();
    const born = bornJob(
      {
        ...of,
        key: newKey(),
        baseUrl,
        operation: operationOf(jobId),
        title: jobId,
        tags: [],
        policy: {},
        inputBytes: 0,
        phase: 'submitting',
        note: null,
      },
      nowMs,
    );
    const { job, attempt } = reduceAll(born, [{ kind: 'accepted', record: recordOfId(jobId) }], nowMs);
    const kept = await ledger.bear(
      { job: { ...job, ttlEndsAtMs: null, lastCheckedAtMs: null }, attempt },
      { inputText: '', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    );
    // It may be long over: its result could leave the service any moment.
    follows.of(kept).isLookWanted = true;
    return kept;
  }

  return async ({ jobIds, ...of }) => {
    const baseUrl = await baseUrlOf(of.connectionId);
    if (!baseUrl.ok) return baseUrl;
    const unusable = jobIds.find((jobId) => !isJobId(jobId));
    if (unusable !== undefined)
      return failed({
        kind: 'refused',
        field: 'jobIds',
        message:
          `"${unusable.slice(0, 40)}" is not a job id: 1 to ${longestJobId} printable characters. Nothing was ` +
          'taken up.',
      });
    const place = { baseUrl: baseUrl.value, endpointId: of.endpointId };
    return ok(
      await Promise.all(
        [...new Set(jobIds)].map((jobId) =>
          sameJob.inTurn({ ...place, jobId }, () => adoptOne(jobId, of, place.baseUrl)),
        ),
      ),
    );
  };
}

/**
 * Ids of runsync jobs begin with `sync-` (field notes: Status and result); their results leave the service much sooner.
 */
function operationOf(jobId: string): SubmitOperation {
  return jobId.startsWith('sync-') ? 'runsync' : 'run';
}
