import { afterEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { jobsOf } from '../../../../src-renderer/jobs/row-actions.ts';
import { setStarred } from '../../../../src-renderer/job/actions.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf } from './job-of.ts';

afterEach(() => void vi.unstubAllGlobals());

function inList(key: string): Job | undefined {
  return useJobs.getState().list.get(key);
}

test('a star is shown at once and stays when it was kept', async () => {
  const job = jobOf(1_000);
  useJobs.getState().apply([job]);
  answerCalls({ 'job:star': () => Promise.resolve(ok(null)) });
  const done = setStarred(job, true);
  expect(inList(job.key)?.isStarred).toBe(true);
  await done;
  expect(inList(job.key)?.isStarred).toBe(true);
  expect(useToasts.getState().items).toEqual([]);
});

test('a star that could not be kept goes again, the reason is said, and what the job became meanwhile stands', async () => {
  const job = jobOf(2_000);
  useJobs.getState().apply([job]);
  let answer = (_result: Result<null>): void => {};
  answerCalls({
    'job:star': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const done = setStarred(job, true);
  useJobs.getState().apply([{ ...job, isStarred: true, requestCount: 9 }]);
  answer(failed({ kind: 'storage', message: 'The disk is full.' }));
  await done;
  expect(inList(job.key)).toMatchObject({ isStarred: false, requestCount: 9 });
  expect(useToasts.getState().items.map(({ message }) => message)).toEqual([
    'Could not save the star. The disk is full.',
  ]);
});

test('the list is another object after every change, and holds the same jobs', () => {
  const job = jobOf(3_000);
  useJobs.getState().apply([job]);
  const before = useJobs.getState().list;
  useJobs.getState().apply([{ ...job, title: 'Another' }]);
  const { list } = useJobs.getState();
  expect(list).not.toBe(before);
  expect(jobsOf(list, [job.key, 'not there']).map(({ title }) => title)).toEqual(['Another']);
});
