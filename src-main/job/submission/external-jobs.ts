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

/** What identifies a job, whatever connection it is known by (ruling 42). */
type ServiceJob = Pick<Job, 'baseUrl' | 'endpointId'> & { jobId: string };

const nothingKnown: Failure = {
  kind: 'refused',
  message: 'The service does not know this job, so there is nothing to track.',
};

/**
 * Tracks jobs by their ids: external ones, and those that a submission of unknown outcome probably became. There is one
 * tracked job for each (ruling 42): tracking one that is known already, through any connection, returns that. Nothing
 * is submitted.
 */
export class ExternalJobs {
  readonly #context: JobContext;
  readonly #readStatusAgain: ReadStatusAgain;
  /** Two simultaneous requests for the same job must not both find nothing. */
  readonly #perJob = new KeyedQueue();

  constructor(context: JobContext, readStatusAgain: ReadStatusAgain) {
    this.#context = context;
    this.#readStatusAgain = readStatusAgain;
  }

  /**
   * Each becomes a job here, whose status is read immediately and from then on. One that is known already is returned
   * unchanged, after another read if it is gone. One that a submission of unknown outcome probably became is tracked as
   * that. Replies do not say when a job was accepted and what its ttl and input are, so these are unknown.
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

  /** Tracks a submission of unknown outcome as the job whose id a webhook named for it (webhook-calls.ts). */
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
    // It may be long over, and its result may expire at any moment.
    pollingStates.of(kept).isStatusReadWanted = true;
    return kept;
  }

  /** A submission of unknown outcome is the job `jobId` from now on. Null if there is no such submission. */
  async #confirm(key: string, jobId: string): Promise<Job | null> {
    const job = await this.#context.ledger.change(key, [{ kind: 'accepted', record: recordOfId(jobId) }]);
    if (job !== null) this.#context.pollingStates.of(job).isStatusReadWanted = true;
    return job;
  }

  /** Tracks a known job: it is read again if it is live or gone. */
  async #asKnown(known: Job): Promise<Job> {
    if (known.phase === 'active') this.#context.pollingStates.of(known).isStatusReadWanted = true;
    if (known.phase !== 'gone') return known;
    await this.#readStatusAgain(known);
    return (await this.#context.history.get(known.key))?.job ?? known;
  }

  /** The job that stands for this one here: live, or over with everything saved. Null if there is none. */
  async #find({ baseUrl, endpointId, jobId }: ServiceJob): Promise<Job | null> {
    const all = await this.#context.history.findByJobId(baseUrl, endpointId, jobId);
    const known = all.filter((job) => this.#standsFor(job));
    return known.find(({ phase }) => phase === 'active') ?? known[0] ?? null;
  }

  /** The submission of unknown outcome that this id was named for, if it can be tracked. Otherwise null. */
  async #findUnconfirmed({ baseUrl, endpointId, jobId }: ServiceJob): Promise<Job | null> {
    const named = await this.#context.history.findByJobId(baseUrl, endpointId, jobId);
    return named.find((job) => job.phase === 'outcome-unknown' && this.#context.whyNotFollowed(job) === null) ?? null;
  }

  /**
   * A job whose connection is gone or points elsewhere is not tracked. One of unknown outcome is only possibly this
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

/** Ids of runsync jobs begin with `sync-` (field notes: Status and result). Their results expire much sooner. */
function operationOf(jobId: string): SubmitOperation {
  return jobId.startsWith('sync-') ? 'runsync' : 'run';
}
