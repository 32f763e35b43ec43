import type { Job } from '../../src-preload/job.ts';
import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useJobs } from '../data/jobs-store.ts';
import { askIfMany, endpointsOf } from '../data/bulk-question.ts';
import { keptAnswer } from '../data/calls.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { showCancelledToast, type Cancelled } from '../data/undo-cancel.ts';
import { showSentToast, withdrawUnsent } from '../data/undo-sending.ts';
import { toast } from '../design/toast.tsx';
import type { JobListView } from '../data/job-list.ts';
import { isSamePress } from '../data/same-press.ts';
import { useShell } from '../navigation/shell-store.ts';
import { manyJobsText } from '../messages/jobs/list.ts';
import { engineNow } from '../data/engine-time.ts';

/** The jobs of some keys that this window has: in its list, selected beyond the loaded pages, or open. */
export function jobsOf(list: Pick<JobListView, 'get'>, keys: Iterable<string>): Job[] {
  const { pickedBeyond } = useJobs.getState();
  return [...keys].flatMap((key) => {
    const job = list.get(key) ?? pickedBeyond.get(key) ?? keptAnswer('job:get', { key })?.job;
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
  show: (message: string) => void = toast,
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
  show(firstProblem === '' ? done : `${done}. ${firstProblem}`);
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
    (message) => showCancelledToast(message, cancelled),
  );
}

/**
 * Cancels one job immediately, and several if nothing of them has left this computer: that can be undone. Otherwise
 * asks first.
 */
export function cancelOrAsk(jobs: readonly Job[]): void {
  if (jobs.length === 1) void cancelMany(jobs);
  else if (jobs.every(isUnsent)) void withdrawOrAsk(jobs);
  else ask(jobs);
}

function ask(jobs: readonly Job[]): void {
  useShell.getState().set({ cancelDialogKeys: jobs.map((job) => job.key) });
}

/** Whether what is to be cancelled was not sent yet: a job that waits to be sent, or a retry that does. */
function isUnsent({ phase, retryRequestedAtMs }: Job): boolean {
  return phase === 'waiting' || retryRequestedAtMs !== undefined;
}

/** Asks about those that left in this moment. */
async function withdrawOrAsk(jobs: readonly Job[]): Promise<void> {
  const { withdrawn, left, problem } = await withdrawUnsent(jobs.map(({ key }) => key));
  const before = new Map(jobs.map((job) => [job.key, job]));
  const done = manyJobsText.cancelled(withdrawn.length, jobs.length);
  showCancelledToast(
    problem === null ? done : `${done}. ${problem}`,
    withdrawn.map((after) => ({ before: before.get(after.key), after })),
  );
  const open = left.filter((job) => allowedNow(job, engineNow()).cancel.isAllowed);
  if (open.length > 0) ask(open);
}

/**
 * Retries jobs, after a question if they are many, and shows the results in one toast. Retries that wait to be sent can
 * be withdrawn.
 */
export function retryMany(jobs: readonly Job[]): Promise<void> {
  return askIfMany('retry', endpointsOf(jobs), () => sendRetries(jobs));
}

function sendRetries(jobs: readonly Job[]): Promise<void> {
  const waiting: string[] = [];
  let sent = 0;
  return forEach(
    jobs,
    async (job) => {
      const result = await call('job:retry', { key: job.key });
      if (result.ok) sent += 1;
      if (result.ok && result.value.retryRequestedAtMs !== undefined) waiting.push(job.key);
      return result;
    },
    (count) => manyJobsText.retried(count, jobs.length, waiting.length),
    (message) => showSentToast(message, { keys: waiting, of: sent, what: 'retry' }),
  );
}

/**
 * Submits jobs again, after a question if they are many, and shows the results in one toast. New jobs that wait to be
 * sent can be withdrawn.
 */
export async function resubmitMany(jobs: readonly Job[]): Promise<void> {
  if (isSamePress(jobs.map(({ key }) => key).join(' '))) return;
  await askIfMany('resubmit', endpointsOf(jobs), () => sendAgain(jobs));
}

function sendAgain(jobs: readonly Job[]): Promise<void> {
  const waiting: string[] = [];
  let sent = 0;
  return forEach(
    jobs,
    async (job) => {
      const result = await call('job:resubmit', { key: job.key });
      if (result.ok) sent += 1;
      if (result.ok && result.value.phase === 'waiting') waiting.push(result.value.key);
      return result;
    },
    (count) => manyJobsText.resubmitted(count, jobs.length, waiting.length),
    (message) => showSentToast(message, { keys: waiting, of: sent, what: 'job' }),
  );
}
