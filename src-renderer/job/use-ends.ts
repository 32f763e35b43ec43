import type { Job } from '../../src-preload/job.ts';
import { withEnds } from '../data/server-ends.ts';
import { useSession } from '../data/session-store.ts';

/** The job with its ends as the present clock has them: drawn again when the engine says that its clock was set. */
export function useEnds(job: Job): Job {
  useSession((state) => state.tracker?.clockSettings.length);
  return withEnds(job);
}
