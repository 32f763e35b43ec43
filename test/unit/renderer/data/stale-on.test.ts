import { QueryObserver, environmentManager } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import type { Job, JobDetail } from '../../../../src-preload/job.ts';
import { keptAnswer, callQuery, queries } from '../../../../src-renderer/data/calls.ts';
import { listenForStale } from '../../../../src-renderer/data/stale-on.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aJob } from '../job/a-job.ts';

beforeAll(() => environmentManager.setIsServer(() => false));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queries.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const counts = { revision: 1, all: noJobs, byConnection: {}, savedBytes: 0 };

function detailOf(isStarred: boolean): JobDetail {
  return {
    job: aJob({ isStarred }),
    attempts: [],
    webhook: null,
    waitMs: null,
    s3ProfileId: null,
    note: '',
    lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
    error: null,
    extraFields: {},
  };
}

/** A window that listens to its engine, which answers as given. */
function listening(answers: Parameters<typeof answerCalls>[0]): ReturnType<typeof answerCalls>['listeners'] {
  const { listeners } = answerCalls(answers);
  listenForStale();
  return listeners;
}

test('a job that changes while it is first read is shown as after the change', async () => {
  const reads: ((detail: Result<JobDetail>) => void)[] = [];
  const listeners = listening({ 'job:get': () => new Promise((resolve) => void reads.push(resolve)) });
  const hide = new QueryObserver(queries, callQuery('job:get', { key: 'k1' })).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toHaveLength(1);
  listeners['job:changed']?.({ jobs: [aJob({ isStarred: false })], removedKeys: [], batches: [], counts });
  reads[0]?.(ok(detailOf(true)));
  await vi.advanceTimersByTimeAsync(1_000);
  reads[1]?.(ok(detailOf(false)));
  await vi.advanceTimersByTimeAsync(0);
  expect(keptAnswer('job:get', { key: 'k1' })?.job.isStarred).toBe(false);
  hide();
});

test('a reading of the queue for a purge is not asked for again when it is reported before its answer', async () => {
  const of = { connectionId: 'c1', endpointId: 'text' };
  const reads: boolean[] = [];
  const answers: (() => void)[] = [];
  const jobs = { completed: 0, failed: 0, inProgress: 0, inQueue: 3, retried: 0 };
  const health = { ...of, atMs: 2_000, jobs, workers: { idle: 0, running: 0 }, extra: {} };
  const allowance = { used: 0, of: 2, lockedUntilMs: null };
  const preview = { ...of, health, problem: null, jobs: [], tracked: 0, unsent: 0, sending: 0, allowance };
  const listeners = listening({
    'purge:preview': ({ isFresh }) => {
      reads.push(isFresh);
      return new Promise((resolve) => void answers.push(() => resolve(ok(preview))));
    },
  });
  const hide = [true, false].map((isFresh) =>
    new QueryObserver(queries, callQuery('purge:preview', { ...of, isFresh })).subscribe(() => {}),
  );
  await vi.advanceTimersByTimeAsync(0);
  listeners['health:changed']?.({ health });
  for (const answer of answers.splice(0)) answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reads.filter((isFresh) => isFresh)).toHaveLength(1);
  for (const each of hide) each();
});

test('the use of the disk on screen is measured again after jobs changed', async () => {
  const use = { totalBytes: 0, bodyBytes: 0, streamBytes: 0, indexBytes: 0, freeBytes: 0, isGivenBack: true };
  let totalBytes = 40_000;
  const listeners = listening({ 'storage:use': async () => ok({ ...use, totalBytes }) });
  const hide = new QueryObserver(queries, callQuery('storage:use', undefined)).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  totalBytes = 10_000;
  listeners['job:changed']?.({ jobs: [aJob()], removedKeys: [], batches: [], counts });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(keptAnswer('storage:use', undefined)?.totalBytes).toBe(10_000);
  hide();
});

test('what a retention rule would delete is counted again after jobs changed, as long as it is asked', async () => {
  const rule = { afterDays: 7, maxBytes: null, areInputsDeleted: false };
  let jobs = 12;
  const listeners = listening({ 'storage:wouldForget': async () => ok({ jobs, freedBytes: 1, usedBytes: 2 }) });
  const query = callQuery('storage:wouldForget', rule, { unusedMs: 0 });
  const hide = new QueryObserver(queries, query).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  jobs = 13;
  listeners['job:changed']?.({ jobs: [aJob()], removedKeys: [], batches: [], counts });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(keptAnswer('storage:wouldForget', rule)?.jobs).toBe(13);
  hide();
});

test('a job in view names those that were resubmitted from it as they are now', async () => {
  const copy = aJob({ key: 'k2', originKey: 'k1', phase: 'submitting', jobId: null });
  let copies = [copy];
  let reads = 0;
  const listeners = listening({
    'job:get': async () => {
      reads += 1;
      const detail = detailOf(false);
      return ok({ ...detail, lineage: { ...detail.lineage, copies } });
    },
  });
  const change = (jobs: readonly Job[]) =>
    listeners['job:changed']?.({ jobs: [...jobs], removedKeys: [], batches: [], counts });
  const listed = () => keptAnswer('job:get', { key: 'k1' })?.lineage.copies.map(({ key, phase }) => [key, phase]);
  const hide = new QueryObserver(queries, callQuery('job:get', { key: 'k1' })).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  // It ended before it was reported again.
  change([{ ...copy, phase: 'finished' }]);
  expect(listed()).toEqual([['k2', 'finished']]);
  expect(reads).toBe(1);
  // A new one that was accepted in the same moment, and an old one that is not listed.
  const next = aJob({ key: 'k3', originKey: 'k1' });
  copies = [next, { ...copy, phase: 'finished' }];
  change([aJob({ key: 'k0', originKey: 'k1' }), next]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(listed()).toEqual([
    ['k3', 'active'],
    ['k2', 'finished'],
  ]);
  expect(reads).toBe(2);
  hide();
});
