import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';
import type { OneJobPerId, ServiceJob } from './one-job-per-id.ts';
import { recordOfId } from './submission-request.ts';
import { jobText } from '../../messages/job.ts';

const nothingKnown: Failure = { kind: 'refused', message: jobText.unknownThere };

/**
 * Matches a submission without an answer with the job it became. A webhook call names that job's id (webhook-calls.ts);
 * from then on the user decides whether the submission is tracked as that job. Nothing is submitted.
 */
export class ConfirmSubmission {
  readonly #context: JobContext;
  readonly #oneJobPerId: OneJobPerId;

  constructor(context: JobContext, oneJobPerId: OneJobPerId) {
    this.#context = context;
    this.#oneJobPerId = oneJobPerId;
  }

  /**
   * The user confirms that the submission `key` became the job whose id a webhook named for it. Returns the tracked
   * job: this one, or another that was tracked by that id before. Refused if no id is known.
   */
  async confirm(key: string): Promise<Result<Job>> {
    const job = (await this.#context.history.get(key))?.job;
    const jobId = job?.phase === 'outcome-unknown' ? job.jobId : null;
    if (job === undefined || jobId === null) return failed(nothingKnown);
    const serviceJob = { ...job, jobId };
    const found = await this.#oneJobPerId.inTurn(
      serviceJob,
      async () => (await this.#oneJobPerId.trackKnown(serviceJob)) ?? (await this.#accept(key, jobId)),
    );
    return found === null ? failed(nothingKnown) : ok(found);
  }

  /**
   * The submission of unknown outcome that this id was named for, tracked as that job from now on. Null if there is
   * none that can be tracked.
   */
  async confirmById(serviceJob: ServiceJob): Promise<Job | null> {
    const unconfirmed = await this.#findUnconfirmed(serviceJob);
    return unconfirmed === null ? null : await this.#accept(unconfirmed.key, serviceJob.jobId);
  }

  async #findUnconfirmed({ baseUrl, endpointId, jobId }: ServiceJob): Promise<Job | null> {
    const named = await this.#context.history.findByJobId(baseUrl, endpointId, jobId);
    return named.find((job) => job.phase === 'outcome-unknown' && this.#context.whyNotFollowed(job) === null) ?? null;
  }

  /** A submission of unknown outcome is the job `jobId` from now on. Null if there is no such submission. */
  async #accept(key: string, jobId: string): Promise<Job | null> {
    const job = await this.#context.ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
    if (job !== null) this.#context.pollingStates.of(job).isStatusReadWanted = true;
    return job;
  }
}
