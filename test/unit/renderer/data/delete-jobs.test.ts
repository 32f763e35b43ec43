import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import type { JobDeletion } from '../../../../src-preload/job-deletion.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { deleteJobs, useRefusedByBin } from '../../../../src-renderer/data/delete-jobs.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { usePendingDeletions, withoutJobs } from '../../../../src-renderer/data/pending-deletions.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

/** Keys that the engine was asked to delete, and to restore. */
let deleted: string[] = [];
let restored: string[] = [];
let answer: (keys: string[]) => Result<JobDeletion>;
beforeEach(() => {
  deleted = [];
  restored = [];
  answer = (keys) => ok({ deleted: keys, kept: [], isBinRefused: false });
  useToasts.setState({ items: [] });
  usePendingDeletions.setState(new Map(), true);
  useRefusedByBin.setState({ jobs: null });
  answerCalls({
    'job:delete': ({ keys }) => {
      deleted.push(...keys);
      return Promise.resolve(answer(keys));
    },
    'bin:restore': ({ keys }) => {
      restored.push(...(keys ?? []));
      return Promise.resolve(ok({ keys: keys ?? [], missing: 0 }));
    },
    'job:markSeen': ({ keys }) => Promise.resolve(ok({ keys, atMs: 0 })),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const shown = (): string[] => [...useJobs.getState().list.live(), ...useJobs.getState().list.rest()];
const lastToast = () => useToasts.getState().items.at(-1);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a deleted job leaves the list immediately, and is in the bin a moment later', async () => {
  const [one, two] = [jobOf(10_000), jobOf(11_000)];
  useJobs.getState().apply([one, two]);
  useJobs.getState().select(two.key);
  const deletion = deleteJobs([two]);
  expect(shown()).not.toContain(two.key);
  expect(useJobs.getState()).toMatchObject({ selectedKey: one.key, isDetailOpen: true });
  // An event about it does not bring it back.
  useJobs.getState().apply([{ ...two, isStarred: true }]);
  expect(shown()).not.toContain(two.key);
  await deletion;
  expect(deleted).toEqual([two.key]);
  expect(lastToast()).toMatchObject({ message: 'Deleted 1 job', action: { label: 'Undo' } });
});

test('undo restores it from the bin, and it is back in its place', async () => {
  const job = jobOf(20_000);
  useJobs.getState().apply([job]);
  await deleteJobs([job]);
  lastToast()?.action?.onSelect();
  await turn();
  expect(restored).toEqual([job.key]);
  expect(shown()).toContain(job.key);
});

test('undo of a long deletion stops it, restores what was deleted and shows the rest again', async () => {
  const jobs = Array.from({ length: 1_300 }, (_, index) => jobOf(100_000 + index));
  useJobs.getState().apply(jobs);
  const first = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  answerCalls({
    'job:delete': async ({ keys }) => {
      deleted.push(...keys);
      if (deleted.length > 500) first.resolve();
      if (deleted.length > 500) await held.promise;
      return ok({ deleted: keys, kept: [], isBinRefused: false });
    },
    'bin:restore': ({ keys }) => {
      restored.push(...(keys ?? []));
      return Promise.resolve(ok({ keys: keys ?? [], missing: 0 }));
    },
  });
  const deletion = deleteJobs(jobs);
  await first.promise;
  expect(lastToast()?.message).toBe('Deleted 1,300 jobs');
  lastToast()?.action?.onSelect();
  held.resolve();
  await deletion;
  await turn();
  expect(deleted).toHaveLength(1_000);
  expect(restored).toEqual(deleted);
  const present = new Set(shown());
  expect(jobs.every(({ key }) => present.has(key))).toBe(true);
});

test('a job that is not over stays, and the reason is shown', async () => {
  const [live, over] = [jobOf(30_000, running), jobOf(31_000)];
  useJobs.getState().apply([live, over]);
  await deleteJobs([live, over]);
  expect(shown()).toContain(live.key);
  expect(lastToast()?.message).toBe('Deleted 1 job; 1 not deleted. It is still active; cancel it first.');
});

test('a job that the engine could not delete is back, and the reason is shown', async () => {
  const job = jobOf(40_000);
  useJobs.getState().apply([job]);
  answer = () => failed({ kind: 'storage', message: 'The disk is full.' });
  await deleteJobs([job]);
  expect(shown()).toContain(job.key);
  expect(lastToast()?.message).toBe('Could not delete 1 job. The disk is full.');
});

test('only those that the engine deleted are counted, and the reason of the others is shown', async () => {
  const jobs = [jobOf(41_000), jobOf(42_000), jobOf(43_000)];
  useJobs.getState().apply(jobs);
  answer = ([first = '', ...others]) =>
    ok({ deleted: others, kept: [{ key: first, reason: 'Its stream is still being fetched' }], isBinRefused: false });
  await deleteJobs(jobs);
  expect(useToasts.getState().items.map(({ message }) => message)).toEqual([
    '1 job not deleted. Its stream is still being fetched.',
    'Deleted 2 jobs',
  ]);
  expect(shown()).toContain(jobs[0]?.key);
  expect(shown()).not.toContain(jobs[1]?.key);
});

test('the toast of jobs deleted for good counts those that may not be deleted apart', async () => {
  const [live, over] = [jobOf(44_000, running), jobOf(44_500)];
  useJobs.getState().apply([live, over]);
  await deleteJobs([live, over], true);
  expect(lastToast()?.message).toBe('Deleted 1 job for good; 1 not deleted. It is still active; cancel it first.');
});

test('while Jobdeck closes, nothing is offered that it would not do either', async () => {
  const job = jobOf(44_700);
  useJobs.getState().apply([job]);
  answer = () => failed({ kind: 'refused', message: 'Jobdeck is closing.' });
  await deleteJobs([job]);
  expect(shown()).toContain(job.key);
  expect(lastToast()?.action).toBeUndefined();
});

test('a bin that refuses one of many gives all others back, each once', async () => {
  const jobs = Array.from({ length: 1_200 }, (_, index) => jobOf(200_000 + index));
  useJobs.getState().apply(jobs);
  answer = (keys) =>
    ok({
      deleted: keys.slice(0, 100),
      kept: keys.slice(100).map((key) => ({ key, reason: 'The disk is full' })),
      isBinRefused: true,
    });
  await deleteJobs(jobs);
  expect(deleted).toHaveLength(500);
  expect(useToasts.getState().items.map(({ message }) => message)).toEqual([
    '1,100 jobs not deleted. The disk is full.',
    'Deleted 100 jobs',
  ]);
  const present = new Set(shown());
  expect(jobs.filter(({ key }) => present.has(key))).toHaveLength(1_100);
  expect(useRefusedByBin.getState().jobs).toBeNull();
  useToasts.getState().items[0]?.action?.onSelect();
  expect(useRefusedByBin.getState().jobs).toHaveLength(1_100);
});

test('a job that the bin refused is back, and can be deleted for good', async () => {
  const job = jobOf(45_000);
  useJobs.getState().apply([job]);
  answer = (keys) =>
    ok({ deleted: [], kept: keys.map((key) => ({ key, reason: 'The disk is full' })), isBinRefused: true });
  await deleteJobs([job]);
  expect(shown()).toContain(job.key);
  expect(lastToast()).toMatchObject({
    message: '1 job not deleted. The disk is full.',
    action: { label: 'Delete for good…' },
  });
  lastToast()?.action?.onSelect();
  expect(useRefusedByBin.getState().jobs).toEqual([job]);
  answer = (keys) => ok({ deleted: keys, kept: [], isBinRefused: false });
  await deleteJobs([job], true);
  expect(shown()).not.toContain(job.key);
  expect(lastToast()?.message).toBe('Deleted 1 job for good');
});

test('the counts exclude jobs deleted a moment ago', () => {
  const failedJob = jobOf(50_000, { status: 'FAILED', isSeen: false, isStarred: true });
  const counts = {
    ...noJobs,
    all: 5,
    finishedToday: 3,
    failed: 2,
    failedUnseen: 1,
    starred: 1,
    byEndpoint: { text: { running: 0, queued: 0, sending: 0, toSend: 0, unknown: 0, over: 0, failedUnseen: 1 } },
  };
  expect(withoutJobs(counts, [failedJob, jobOf(1_000)], 40_000)).toMatchObject({
    all: 3,
    finishedToday: 2,
    failed: 1,
    failedUnseen: 0,
    starred: 0,
    byEndpoint: { text: { failedUnseen: 0 } },
  });
});
