import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { endPress } from '../../../../src-renderer/data/same-press.ts';
import { cancelOrAsk, resubmitMany, retryMany } from '../../../../src-renderer/jobs/row-actions.ts';
import { useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { plainWindow } from '../commands/a-window.ts';
import { jobOf, running } from '../jobs/job-of.ts';

let asked: string[] = [];
/** Keys of jobs whose input was sent again. */
let resubmitted: string[] = [];
/** Keys of jobs whose request has left. */
let left = new Set<string>();
let problem: string | null = null;
const failedJobs = [1_000, 2_000, 3_000].map((atMs) => jobOf(atMs, { status: 'FAILED' }));
const unsent: Partial<Job> = { phase: 'waiting', status: null, jobId: null };
const unsentJobs = [4_000, 5_000].map((atMs) => jobOf(atMs, unsent));
const byKey = new Map([...failedJobs, ...unsentJobs].map((job) => [job.key, job]));

beforeEach(() => {
  asked = [];
  resubmitted = [];
  endPress();
  left = new Set();
  problem = null;
  plainWindow();
  const jobWith = (key: string): Job => byKey.get(key) ?? jobOf(9_000);
  answerCalls({
    'job:retry': ({ key }) =>
      Promise.resolve(ok(left.has(key) ? { ...jobWith(key), ...running } : { ...jobWith(key), retryRequestedAtMs: 5 })),
    'job:resubmit': ({ key }) => {
      resubmitted.push(key);
      return Promise.resolve(ok({ ...jobWith(key), ...unsent, key: `${key} again` }));
    },
    'job:withdraw': ({ key }) => {
      asked.push(key);
      if (problem !== null) return Promise.resolve(failed({ kind: 'storage', message: problem }));
      const isWithdrawn = !left.has(key);
      const job: Job = isWithdrawn
        ? { ...jobWith(key), phase: 'finished', status: 'CANCELLED', reason: { kind: 'withdrawn' } }
        : { ...jobWith(key), ...running };
      return Promise.resolve(ok({ job, isWithdrawn }));
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const lastToast = () => useToasts.getState().items.at(-1);
const keysOf = (jobs: readonly Job[]): string[] => jobs.map(({ key }) => key);

test('retries that wait to be sent are withdrawn, and no others', async () => {
  left.add(failedJobs[0]?.key ?? '');
  await retryMany(failedJobs);
  expect(lastToast()?.message).toBe('3 jobs retried, 2 of them as soon as possible');
  expect(lastToast()?.action?.label).toBe('Undo 2 jobs');
  left.add(failedJobs[1]?.key ?? '');
  lastToast()?.action?.onSelect();
  await expect.poll(() => lastToast()?.message).toBe('1 retry will not be sent. Too late for 1 that had already left.');
  expect(asked).toEqual(keysOf(failedJobs.slice(1)));
});

test('retries that were sent offer no undo', async () => {
  left = new Set(keysOf(failedJobs));
  await retryMany(failedJobs);
  expect(lastToast()?.message).toBe('3 jobs retried');
  expect(lastToast()).not.toHaveProperty('action');
});

test('new jobs that wait to be sent are withdrawn', async () => {
  await resubmitMany(failedJobs);
  expect(lastToast()?.action?.label).toBe('Undo');
  lastToast()?.action?.onSelect();
  await expect.poll(() => lastToast()?.message).toBe('3 new jobs will not be sent.');
  expect(asked).toEqual(failedJobs.map(({ key }) => `${key} again`));
});

test('a double press resubmits jobs once; other jobs, and a later press, count separately', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await Promise.all([resubmitMany(failedJobs), resubmitMany(failedJobs)]);
  expect(resubmitted).toEqual(keysOf(failedJobs));
  vi.advanceTimersByTime(400);
  await resubmitMany(failedJobs);
  expect(resubmitted).toEqual(keysOf(failedJobs));
  await resubmitMany(failedJobs.slice(1));
  expect(resubmitted).toEqual(keysOf([...failedJobs, ...failedJobs.slice(1)]));
  vi.advanceTimersByTime(600);
  await resubmitMany(failedJobs.slice(1));
  expect(resubmitted).toHaveLength(7);
});

test('an undo that comes too late, or fails, says so', async () => {
  await retryMany(failedJobs);
  const undo = lastToast()?.action?.onSelect;
  left = new Set(keysOf(failedJobs));
  undo?.();
  await expect.poll(() => lastToast()?.message).toBe('Too late to undo: all 3 had already left.');
  problem = 'The disk is full.';
  undo?.();
  await expect.poll(() => lastToast()?.message).toBe('0 retries will not be sent. The disk is full.');
});

test('several unsent jobs are cancelled without a question, and can be restored', async () => {
  cancelOrAsk(unsentJobs);
  await expect.poll(() => lastToast()?.message).toBe('2 jobs cancelled');
  expect(lastToast()?.action?.label).toBe('Submit 2 unsent jobs again');
  expect(useShell.getState().cancelDialogKeys).toBeNull();
});

test('jobs that left at that moment lead to a question, and are not cancelled before it', async () => {
  left.add(unsentJobs[1]?.key ?? '');
  cancelOrAsk(unsentJobs);
  await expect.poll(() => useShell.getState().cancelDialogKeys).toEqual([unsentJobs[1]?.key]);
  expect(lastToast()?.message).toBe('1 of 2 jobs cancelled');
});

test('several jobs one of which is at the service lead to a question first', () => {
  const jobs = [...unsentJobs, jobOf(6_000, running)];
  cancelOrAsk(jobs);
  expect(useShell.getState().cancelDialogKeys).toEqual(keysOf(jobs));
  expect(asked).toEqual([]);
});
