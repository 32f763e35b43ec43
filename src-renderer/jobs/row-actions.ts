import type { Job } from '../../src-preload/job.ts';
import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { formatCountOf } from '../design/format.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { toast } from '../design/toast.tsx';
import type { JobList } from '../data/job-list.ts';

/** Jobs of some keys, those of them that the list holds. */
export function jobsOf(list: Pick<JobList, 'get'>, keys: Iterable<string>): Job[] {
  return [...keys].flatMap((key) => {
    const job = list.get(key);
    return job === undefined ? [] : [job];
  });
}

/** Of some jobs, those an action applies to now (ruling 15). */
export function eligible(jobs: readonly Job[], action: 'cancel' | 'retry' | 'resubmit', nowMs: number): Job[] {
  return jobs.filter((job) => allowedNow(job, nowMs)[action].isAllowed);
}

/** Does one thing for each job, one after the other, and says once how it went. */
async function forEach(
  jobs: readonly Job[],
  act: (job: Job) => Promise<Result<unknown>>,
  doneWord: string | (() => string),
): Promise<void> {
  let succeeded = 0;
  let firstProblem = '';
  for (const job of jobs) {
    const result = await act(job);
    if (result.ok) succeeded += 1;
    else if (firstProblem === '') firstProblem = result.failure.message;
  }
  const done = typeof doneWord === 'string' ? doneWord : doneWord();
  if (firstProblem === '') toast(`${formatCountOf(succeeded, 'job')} ${done}`);
  else toast(`${formatCountOf(succeeded, 'job')} of ${jobs.length} ${done}. ${firstProblem}`);
}

/** Cancels jobs one after the other, and says in one toast what became of them. */
export function cancelMany(jobs: readonly Job[]): Promise<void> {
  return forEach(jobs, (job) => call('job:cancel', { key: job.key }), 'cancelled');
}

/** Retries jobs one after the other, and says in one toast what became of them. */
export function retryMany(jobs: readonly Job[]): Promise<void> {
  let waiting = 0;
  return forEach(
    jobs,
    async (job) => {
      const result = await call('job:retry', { key: job.key });
      if (result.ok && result.value.retryAskedAtMs !== undefined) waiting += 1;
      return result;
    },
    () => (waiting === 0 ? 'retried' : `retried, ${waiting} of them as soon as possible`),
  );
}

/** Submits jobs again one after the other, and says in one toast what became of them. */
export function resubmitMany(jobs: readonly Job[]): Promise<void> {
  return forEach(jobs, (job) => call('job:resubmit', { key: job.key }), 'submitted again');
}
