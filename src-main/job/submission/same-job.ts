import type { Job } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';
import type { ReadStatusAgain } from '../polling/check-now.ts';
import { createKeyedQueue } from '../../async/serial-queue.ts';

/** What makes a job one and the same, whatever connection it is known by (ruling 42). */
export type ServiceJob = Pick<Job, 'baseUrl' | 'endpointId'> & { jobId: string };

/** Whoever begins to follow a job by its id asks here first: there is one tracked job for each (ruling 42). */
export interface SameJob {
  /** The job that stands for this one here: followed, or over with all that was to be had. Null where none does. */
  find(job: ServiceJob): Promise<Job | null>;
  /**
   * The submission of unknown outcome that this id was named for, and that can be followed. Null where there is none.
   */
  findUnconfirmed(job: ServiceJob): Promise<Job | null>;
  /**
   * Does `work` when all earlier work on the same job is done, so that two who ask at once do not both find nothing.
   */
  inTurn<T>(job: ServiceJob, work: () => Promise<T>): Promise<T>;
}

/** A job that is known here, for whoever wants it followed: looked at anew where it is followed or called gone. */
export async function asKnown(
  known: Job,
  { history, pollingStates }: JobContext,
  readStatusAgain: ReadStatusAgain,
): Promise<Job> {
  if (known.phase === 'active') pollingStates.of(known).isStatusReadWanted = true;
  if (known.phase !== 'gone') return known;
  await readStatusAgain(known);
  return (await history.get(known.key))?.job ?? known;
}

export function createSameJob({ history, whyNotFollowed }: JobContext): SameJob {
  const queue = createKeyedQueue();

  /**
   * A job whose connection is gone or points elsewhere is followed by nobody; one of unknown outcome only perhaps is
   * this one.
   */
  function standsFor(job: Job): boolean {
    switch (job.phase) {
      case 'active':
        return whyNotFollowed(job) === null;
      case 'finished':
      case 'gone':
        return true;
      case 'waiting':
      case 'submitting':
      case 'outcome-unknown':
      case 'refused':
      case 'left-behind':
        return false;
    }
  }

  return {
    async find({ baseUrl, endpointId, jobId }) {
      const known = (await history.findByJobId(baseUrl, endpointId, jobId)).filter(standsFor);
      return known.find(({ phase }) => phase === 'active') ?? known[0] ?? null;
    },
    async findUnconfirmed({ baseUrl, endpointId, jobId }) {
      const named = await history.findByJobId(baseUrl, endpointId, jobId);
      return named.find((job) => job.phase === 'outcome-unknown' && whyNotFollowed(job) === null) ?? null;
    },
    inTurn({ baseUrl, endpointId, jobId }, work) {
      return queue.run(JSON.stringify([baseUrl, endpointId, jobId]), work);
    },
  };
}
