import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { isJobId } from '../../../src-preload/job-bounds.ts';
import { mentionedId } from '../../../src-preload/job-reason.ts';
import type { JobRecord } from '../../service/reply.ts';
import type { Sent } from '../context/dispatch.ts';
import type { JobContext } from '../context/job-context.ts';
import type { OneJobPerId, ServiceJob } from './one-job-per-id.ts';
import { recordOfId } from './submission-request.ts';
import { jobText } from '../../messages/job.ts';

type ReadStatus = (job: Job) => Promise<Sent<JobRecord>>;

const nothingKnown: Failure = { kind: 'refused', message: jobText.unknownThere };

/**
 * Matches a submission without an answer with the job it became. A webhook call names that job's id (webhook-calls.ts),
 * or a strange reply mentions it (ruling 9); the user decides whether the submission is tracked as that job. Nothing is
 * submitted.
 */
export class ConfirmSubmission {
  readonly #context: JobContext;
  readonly #oneJobPerId: OneJobPerId;
  readonly #readStatus: ReadStatus;

  constructor(context: JobContext, oneJobPerId: OneJobPerId, readStatus: ReadStatus) {
    this.#context = context;
    this.#oneJobPerId = oneJobPerId;
    this.#readStatus = readStatus;
  }

  /**
   * The user confirms that the submission `key` became the job whose id a webhook named for it, or its reply mentions.
   * If its reply mentions it, the service must know the id now. Returns the tracked job: this one, or another that was
   * tracked by that id before. Refused if no id is known.
   */
  async confirm(key: string): Promise<Result<Job>> {
    const job = (await this.#context.history.get(key))?.job;
    if (job?.phase !== 'outcome-unknown') return failed(nothingKnown);
    const jobId = job.jobId ?? mentionedId(job.reason);
    if (jobId === null || !isJobId(jobId)) return failed(nothingKnown);
    const serviceJob = { ...job, jobId };
    return await this.#oneJobPerId.inTurn(serviceJob, async () => {
      const known = await this.#oneJobPerId.trackKnown(serviceJob);
      if (known !== null) return ok(known);
      const missing = job.jobId === null ? await this.#whyNotThere(serviceJob) : null;
      if (missing !== null) return failed(missing);
      const accepted = await this.#accept(key, jobId);
      return accepted === null ? failed(nothingKnown) : ok(accepted);
    });
  }

  /** Why the service has not shown just now that it has this job. Null: it has. */
  async #whyNotThere(job: Job): Promise<Failure | null> {
    const sent = await this.#readStatus(job);
    if (sent.kind === 'no-room') return { kind: 'refused', message: jobText.rateLimitUsedUp };
    if (sent.kind !== 'answered') return sent.failure;
    if (sent.result.ok) return null;
    const { failure } = sent.result;
    return failure.kind === 'not-found' ? { kind: 'refused', message: jobText.mentionedIdUnknown } : failure;
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
