import { failed, ok, type Failure, type Result } from '../../../src-preload/failure.ts';
import { isJobId, longestJobId } from '../../../src-preload/job-bounds.ts';
import type { Job, SubmitOperation } from '../../../src-preload/job.ts';
import { KeyedQueue } from '../../async/queues.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from '../polling/check-now.ts';
import { newJob } from '../reducer/new-job.ts';
import { reduceAll } from '../reducer/reducer.ts';
import { recordOfId } from './submission-request.ts';

/** Jobs that someone else submitted, by their ids. */
export interface JobsElsewhere {
  connectionId: string;
  endpointId: string;
  jobIds: string[];
}

/** What makes a job one and the same, whatever connection it is known by (ruling 42). */
type ServiceJob = Pick<Job, 'baseUrl' | 'endpointId'> & { jobId: string };

const nothingKnown: Failure = {
  kind: 'refused',
  message: 'The service does not know this job, so there is nothing to track.',
};

/**
 * Follows jobs by their ids: those that were submitted elsewhere, and those that a submission of unknown outcome
 * probably became. There is one tracked job for each (ruling 42): following one that is known here already, by whatever
 * connection, returns that. Read-only; nothing is submitted.
 */
export class ExternalJobs {
  readonly #context: JobContext;
  readonly #readStatusAgain: ReadStatusAgain;
  /** Two who ask about the same job at once must not both find nothing. */
  readonly #perJob = new KeyedQueue();

  constructor(context: JobContext, readStatusAgain: ReadStatusAgain) {
    this.#context = context;
    this.#readStatusAgain = readStatusAgain;
  }

  /**
   * Each becomes a job here, whose status is read at once and from then on. One that is known here already is answered
   * as it is, after another read where it was called gone; one that a submission of unknown outcome probably became is
   * followed as that. When they were accepted and what their ttl is, no reply says, so the ttl is unknown; their input
   * stays unknown as well.
   */
  async follow({ jobIds, ...of }: JobsElsewhere): Promise<Result<Job[]>> {
    const baseUrl = await this.#context.baseUrlOf(of.connectionId);
    if (!baseUrl.ok) return baseUrl;
    const unusable = jobIds.find((jobId) => !isJobId(jobId));
    if (unusable !== undefined)
      return failed({
        kind: 'refused',
        field: 'jobIds',
        message:
          `"${unusable.slice(0, 40)}" is not a job id: 1 to ${longestJobId} printable characters. Nothing was ` +
          'followed.',
      });
    const place = { baseUrl: baseUrl.value, endpointId: of.endpointId };
    return ok(
      await Promise.all(
        [...new Set(jobIds)].map((jobId) =>
          this.#inTurn({ ...place, jobId }, () => this.#followOne(jobId, of, place.baseUrl)),
        ),
      ),
    );
  }

  /** Follows a submission of unknown outcome as the job whose id a webhook named for it (webhook-calls.ts). */
  async confirmSubmission(key: string): Promise<Result<Job>> {
    const job = (await this.#context.history.get(key))?.job;
    const jobId = job?.phase === 'outcome-unknown' ? job.jobId : null;
    if (job === undefined || jobId === null) return failed(nothingKnown);
    const found = await this.#inTurn({ ...job, jobId }, async () => {
      const known = await this.#find({ ...job, jobId });
      return known === null ? await this.#confirm(key, jobId) : await this.#asKnown(known);
    });
    return found === null ? failed(nothingKnown) : ok(found);
  }

  async #followOne(jobId: string, of: Omit<JobsElsewhere, 'jobIds'>, baseUrl: string): Promise<Job> {
    const { ledger, pollingStates, newKey, clock } = this.#context;
    const known = await this.#find({ baseUrl, endpointId: of.endpointId, jobId });
    if (known !== null) return await this.#asKnown(known);
    const unconfirmed = await this.#findUnconfirmed({ baseUrl, endpointId: of.endpointId, jobId });
    const own = unconfirmed === null ? null : await this.#confirm(unconfirmed.key, jobId);
    if (own !== null) return own;
    const nowMs = clock.now();
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
        reason: null,
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

  /** A submission of unknown outcome is the job `jobId` from now on. Null where there is no such submission. */
  async #confirm(key: string, jobId: string): Promise<Job | null> {
    const job = await this.#context.ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
    if (job !== null) this.#context.pollingStates.of(job).isStatusReadWanted = true;
    return job;
  }

  /** A job that is known here, to be followed: read again where it is followed or called gone. */
  async #asKnown(known: Job): Promise<Job> {
    if (known.phase === 'active') this.#context.pollingStates.of(known).isStatusReadWanted = true;
    if (known.phase !== 'gone') return known;
    await this.#readStatusAgain(known);
    return (await this.#context.history.get(known.key))?.job ?? known;
  }

  /** The job that stands for this one here: followed, or over with all that was to be had. Null where none does. */
  async #find({ baseUrl, endpointId, jobId }: ServiceJob): Promise<Job | null> {
    const all = await this.#context.history.findByJobId(baseUrl, endpointId, jobId);
    const known = all.filter((job) => this.#standsFor(job));
    return known.find(({ phase }) => phase === 'active') ?? known[0] ?? null;
  }

  /** The submission of unknown outcome that this id was named for, and that can be followed. Null where none is. */
  async #findUnconfirmed({ baseUrl, endpointId, jobId }: ServiceJob): Promise<Job | null> {
    const named = await this.#context.history.findByJobId(baseUrl, endpointId, jobId);
    return named.find((job) => job.phase === 'outcome-unknown' && this.#context.whyNotFollowed(job) === null) ?? null;
  }

  /**
   * A job whose connection is gone or points elsewhere is not followed; one of unknown outcome is only possibly this
   * one.
   */
  #standsFor(job: Job): boolean {
    switch (job.phase) {
      case 'active':
        return this.#context.whyNotFollowed(job) === null;
      case 'finished':
      case 'gone':
        return true;
      case 'waiting':
      case 'submitting':
      case 'outcome-unknown':
      case 'refused':
      case 'orphaned':
        return false;
    }
  }

  #inTurn<T>({ baseUrl, endpointId, jobId }: ServiceJob, work: () => Promise<T>): Promise<T> {
    return this.#perJob.run(JSON.stringify([baseUrl, endpointId, jobId]), work);
  }
}

/**
 * Ids of runsync jobs begin with `sync-` (field notes: Status and result); their results leave the service much sooner.
 */
function operationOf(jobId: string): SubmitOperation {
  return jobId.startsWith('sync-') ? 'runsync' : 'run';
}
