import type { Job } from '../../src-preload/job.ts';
import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useJobs } from '../data/jobs-store.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { showCancelledToast, type Cancelled } from '../data/undo-cancel.ts';
import { toast } from '../design/toast.tsx';
import type { JobListView } from '../data/job-list.ts';
import { useShell } from '../navigation/shell-store.ts';
import { manyJobsText } from '../messages/jobs/list.ts';

/** The jobs of some keys that this window has: in its list, or selected beyond the loaded pages. */
export function jobsOf(list: Pick<JobListView, 'get'>, keys: Iterable<string>): Job[] {
  const { pickedBeyond } = useJobs.getState();
  return [...keys].flatMap((key) => {
    const job = list.get(key) ?? pickedBeyond.get(key);
    return job === undefined ? [] : [job];
  });
}

/** The jobs that an action applies to now (ruling 15). */
export function eligible(jobs: readonly Job[], action: 'cancel' | 'retry' | 'resubmit', nowMs: number): Job[] {
  return jobs.filter((job) => allowedNow(job, nowMs)[action].isAllowed);
}

/** How many calls are made at a time. Each may wait for an answer of the service. */
const atOnce = 10;

/** Calls an action for each job, a few at a time and in order, and shows the results in one toast. */
async function forEach(
  jobs: readonly Job[],
  act: (job: Job) => Promise<Result<unknown>>,
  wordDone: (succeeded: number) => string,
  say: (said: string) => void = toast,
): Promise<void> {
  let succeeded = 0;
  let firstProblem = '';
  for (let from = 0; from < jobs.length; from += atOnce) {
    for (const result of await Promise.all(jobs.slice(from, from + atOnce).map(act))) {
      if (result.ok) succeeded += 1;
      else if (firstProblem === '') firstProblem = result.failure.message;
    }
  }
  const done = wordDone(succeeded);
  say(firstProblem === '' ? done : `${done}. ${firstProblem}`);
}

/** Cancels jobs, and shows the results in one toast. */
export function cancelMany(jobs: readonly Job[]): Promise<void> {
  const cancelled: Cancelled[] = [];
  return forEach(
    jobs,
    async (job) => {
      const result = await call('job:cancel', { key: job.key });
      if (result.ok) cancelled.push({ before: job, after: result.value });
      return result;
    },
    (count) => manyJobsText.cancelled(count, jobs.length),
    (said) => showCancelledToast(said, cancelled),
  );
}

/** Cancels one job immediately. Asks before it cancels several. */
export function cancelOrAsk(jobs: readonly Job[]): void {
  if (jobs.length > 1) useShell.getState().set({ cancelAsked: jobs.map((job) => job.key) });
  else void cancelMany(jobs);
}

/** Retries jobs, and shows the results in one toast. */
export function retryMany(jobs: readonly Job[]): Promise<void> {
  let waiting = 0;
  return forEach(
    jobs,
    async (job) => {
      const result = await call('job:retry', { key: job.key });
      if (result.ok && result.value.retryAskedAtMs !== undefined) waiting += 1;
      return result;
    },
    (count) => manyJobsText.retried(count, jobs.length, waiting),
  );
}

/** Submits jobs again, and shows the results in one toast. */
export function resubmitMany(jobs: readonly Job[]): Promise<void> {
  return forEach(
    jobs,
    (job) => call('job:resubmit', { key: job.key }),
    (count) => manyJobsText.resubmitted(count, jobs.length),
  );
}
