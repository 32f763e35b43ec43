import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import { isJobId, maxJobIdChars } from '../../../src-preload/job-bounds.ts';
import type { Job, SubmitOperation } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';
import { newJob } from '../reducer/new-job.ts';
import { reduceAll } from '../reducer/reducer.ts';
import type { ConfirmSubmission } from './confirm-submission.ts';
import type { OneJobPerId } from './one-job-per-id.ts';
import { recordOfId } from './submission-request.ts';
import { jobText } from '../../messages/job.ts';

/** Jobs that someone else submitted, by their ids. */
export interface ExternalJobIds {
  connectionId: string;
  endpointId: string;
  jobIds: string[];
}

/**
 * Tracks jobs that someone else submitted, by their ids. Tracking one that is known already, through any connection,
 * returns that (ruling 42). Nothing is submitted.
 */
export class ExternalJobs {
  readonly #context: JobContext;
  readonly #oneJobPerId: OneJobPerId;
  readonly #confirmSubmission: ConfirmSubmission;

  constructor(context: JobContext, oneJobPerId: OneJobPerId, confirmSubmission: ConfirmSubmission) {
    this.#context = context;
    this.#oneJobPerId = oneJobPerId;
    this.#confirmSubmission = confirmSubmission;
  }

  /**
   * Each becomes a job here, whose status is read immediately and from then on. One that is known already is returned
   * unchanged, after another read if it is gone. One that a submission of unknown outcome probably became is tracked as
   * that. Replies do not say when a job was accepted and what its ttl and input are, so these are unknown.
   */
  async follow({ jobIds, ...of }: ExternalJobIds): Promise<Result<Job[]>> {
    const baseUrl = await this.#context.baseUrlOf(of.connectionId);
    if (!baseUrl.ok) return baseUrl;
    const unusable = jobIds.find((jobId) => !isJobId(jobId));
    if (unusable !== undefined)
      return failed({
        kind: 'refused',
        field: 'jobIds',
        message: jobText.notJobId(unusable.slice(0, 40), maxJobIdChars),
      });
    const place = { baseUrl: baseUrl.value, endpointId: of.endpointId };
    return ok(
      await Promise.all(
        [...new Set(jobIds)].map((jobId) =>
          this.#oneJobPerId.inTurn({ ...place, jobId }, () => this.#followOne(jobId, of, place.baseUrl)),
        ),
      ),
    );
  }

  async #followOne(jobId: string, external: Omit<ExternalJobIds, 'jobIds'>, baseUrl: string): Promise<Job> {
    const serviceJob = { baseUrl, endpointId: external.endpointId, jobId };
    const own =
      (await this.#oneJobPerId.trackKnown(serviceJob)) ?? (await this.#confirmSubmission.confirmById(serviceJob));
    if (own !== null) return own;
    const { ledger, pollingStates, newKey, clock } = this.#context;
    const nowMs = clock.now();
    const created = newJob(
      {
        ...external,
        key: newKey(),
        baseUrl,
        operation: operationOf(jobId),
        title: jobId,
        tags: [],
        policy: {},
        inputBytes: 0,
        phase: 'submitting',
        reason: null,
      },
      nowMs,
    );
    const { job, attempt } = reduceAll(created, [{ kind: 'accepted', record: recordOfId(jobId) }], nowMs);
    const kept = await ledger.create(
      { job: { ...job, ttlEndsAtMs: null, statusReadAtMs: null }, attempt },
      { inputText: '', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    );
    this.#oneJobPerId.noteFollowed(serviceJob, kept.key);
    // It may be long over, and its result may expire at any moment.
    pollingStates.of(kept).isStatusReadWanted = true;
    return kept;
  }
}

/** Ids of runsync jobs begin with `sync-` (field notes: Status and result). Their results expire much sooner. */
function operationOf(jobId: string): SubmitOperation {
  return jobId.startsWith('sync-') ? 'runsync' : 'run';
}
