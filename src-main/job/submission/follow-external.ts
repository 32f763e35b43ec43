import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { isJobId, longestJobId } from '../../../src-preload/job-bounds.ts';
import type { Job, SubmitOperation } from '../../../src-preload/job.ts';
import { newJob } from '../reducer/job-event.ts';
import { reduceAll } from '../reducer/reducer.ts';
import { confirmed } from './confirm-submission.ts';
import { asKnown } from './same-job.ts';
import type { SameJob } from './same-job.ts';
import { recordOfId } from './submission-outcome.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from '../polling/check-now.ts';

/** Jobs that someone else submitted, by their ids. */
export interface JobsElsewhere {
  connectionId: string;
  endpointId: string;
  jobIds: string[];
}

/**
 * Takes up jobs submitted elsewhere: each becomes a job here, is looked at once at once and followed from then on.
 * One that is known here already, by whatever connection (ruling 42), is answered as it is, after another look where it
 * was called gone; one that a submission of unknown outcome probably became is followed as that. Nothing is sent but
 * reads. When they were accepted and what their ttl is, nobody tells, so the ttl is unknown; their input stays unknown
 * as well.
 */
export function createFollowExternal(
  context: JobContext,
  sameJob: SameJob,
  readStatusAgain: ReadStatusAgain,
): (jobs: JobsElsewhere) => Promise<Result<Job[]>> {
  const { ledger, pollingStates, baseUrlOf, newKey, now } = context;

  async function followOne(jobId: string, of: Omit<JobsElsewhere, 'jobIds'>, baseUrl: string): Promise<Job> {
    const known = await sameJob.find({ baseUrl, endpointId: of.endpointId, jobId });
    if (known !== null) return await asKnown(known, context, readStatusAgain);
    const unconfirmed = await sameJob.findUnconfirmed({ baseUrl, endpointId: of.endpointId, jobId });
    const own = unconfirmed === null ? null : await confirmed(unconfirmed.key, jobId, context);
    if (own !== null) return own;
    const nowMs = now();
    const created = newJob(
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
    const { job, attempt } = reduceAll(created, [{ kind: 'accepted', record: recordOfId(jobId) }], nowMs);
    const kept = await ledger.create(
      { job: { ...job, ttlEndsAtMs: null, lastCheckedAtMs: null }, attempt },
      { inputText: '', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    );
    // It may be long over: its result could leave the service any moment.
    pollingStates.of(kept).isStatusReadWanted = true;
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
          sameJob.inTurn({ ...place, jobId }, () => followOne(jobId, of, place.baseUrl)),
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
