import { mayOutputCome, type Job } from '../../../src-preload/job.ts';
import { KeyedQueue } from '../../async/queues.ts';
import type { JobContext } from '../context/job-context.ts';
import { serviceJobId } from '../reducer/new-job.ts';
import { nowWithoutSetting } from '../../time/clock.ts';
import type { ReadStatusAgain } from '../polling/check-now.ts';

/** What identifies a job, whatever connection it is known by (ruling 42). */
export type ServiceJob = Pick<Job, 'baseUrl' | 'endpointId'> & { jobId: string };

/**
 * There is one tracked job for each job of a service (ruling 42). Before an id is tracked, because the user entered or
 * confirmed it, this finds the job that is known by it.
 */
export class OneJobPerId {
  readonly #context: JobContext;
  readonly #readStatusAgain: ReadStatusAgain;
  /** Two simultaneous requests for the same job must not both find nothing. */
  readonly #perJob = new KeyedQueue();
  /** Jobs that were tracked by their id in this run of the app: their keys. */
  readonly #followed = new Map<string, string>();

  constructor(context: JobContext, readStatusAgain: ReadStatusAgain) {
    this.#context = context;
    this.#readStatusAgain = readStatusAgain;
  }

  /** Runs `work` when all earlier work about the same job is done. Resolves to what it returns. */
  inTurn<T>(serviceJob: ServiceJob, work: () => Promise<T>): Promise<T> {
    return this.#perJob.run(serviceJobId(serviceJob), work);
  }

  /** A job is tracked by its id from now on. */
  noteFollowed(serviceJob: ServiceJob, key: string): void {
    this.#followed.set(serviceJobId(serviceJob), key);
  }

  /**
   * The job that was tracked by this id while a submission of it was still without an answer. Null if there is none:
   * only this run can have one.
   */
  followedAs(serviceJob: ServiceJob): string | null {
    return this.#followed.get(serviceJobId(serviceJob)) ?? null;
  }

  /**
   * The saved job with this id: live, or over with everything saved. Its status is read again if it is live or gone, or
   * its output may still come. Null if there is none.
   */
  async trackKnown(serviceJob: ServiceJob): Promise<Job | null> {
    const known = await this.#find(serviceJob);
    if (known === null) return null;
    if (known.phase === 'active') this.#context.pollingStates.of(known).isStatusReadWanted = true;
    const nowMs = nowWithoutSetting(this.#context.clock, known.finishedSeenAtMs ?? Infinity);
    if (known.phase !== 'gone' && !mayOutputCome(known, nowMs)) return known;
    await this.#readStatusAgain(known);
    return (await this.#context.history.get(known.key))?.job ?? known;
  }

  async #find({ baseUrl, endpointId, jobId }: ServiceJob): Promise<Job | null> {
    const all = await this.#context.history.findByJobId(baseUrl, endpointId, jobId);
    const known = all.filter((job) => this.#standsFor(job));
    return known.find(({ phase }) => phase === 'active') ?? known[0] ?? null;
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
}
