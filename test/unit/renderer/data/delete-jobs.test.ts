import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import type { JobDeletion } from '../../../../src-preload/job-deletion.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { deleteJobs } from '../../../../src-renderer/data/delete-jobs.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { usePendingDeletions, withoutJobs } from '../../../../src-renderer/data/pending-deletions.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

/** Keys that the engine was asked to delete. */
let deleted: string[] = [];
let answer: (keys: string[]) => Result<JobDeletion>;
beforeEach(() => {
  deleted = [];
  answer = (keys) => ok({ deleted: keys, kept: [] });
  useToasts.setState({ items: [] });
  usePendingDeletions.setState(new Map(), true);
  answerCalls({
    'job:delete': ({ keys }) => {
      deleted.push(...keys);
      return Promise.resolve(answer(keys));
    },
    'job:markSeen': ({ keys }) => Promise.resolve(ok({ keys, atMs: 0 })),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const shown = (): string[] => [...useJobs.getState().list.live(), ...useJobs.getState().list.rest()];
const lastToast = () => useToasts.getState().items.at(-1);
/** As if the offer to undo had passed. */
async function offerPasses(): Promise<void> {
  const item = lastToast();
  useToasts.setState({ items: [] });
  item?.onGone?.();
  await new Promise((resolve) => setImmediate(resolve));
}

test('a deleted job leaves the list immediately, and the engine is called when undo is no longer possible', async () => {
  const [one, two] = [jobOf(10_000), jobOf(11_000)];
  useJobs.getState().apply([one, two]);
  useJobs.getState().select(two.key);
  deleteJobs([two]);
  expect(shown()).not.toContain(two.key);
  expect(useJobs.getState()).toMatchObject({ selectedKey: one.key, isDetailOpen: true });
  // An event about it does not bring it back.
  useJobs.getState().apply([{ ...two, isStarred: true }]);
  expect(shown()).not.toContain(two.key);
  expect(deleted).toEqual([]);
  expect(lastToast()).toMatchObject({ message: 'Deleted 1 job', action: { label: 'Undo' } });
  await offerPasses();
  expect(deleted).toEqual([two.key]);
});

test('after undo, it is back in its place and the engine is not called', async () => {
  const job = jobOf(20_000);
  useJobs.getState().apply([job]);
  deleteJobs([job]);
  lastToast()?.action?.onSelect();
  expect(shown()).toContain(job.key);
  await offerPasses();
  expect(deleted).toEqual([]);
});

test('a job that is not over stays, and the reason is shown', () => {
  const [live, over] = [jobOf(30_000, running), jobOf(31_000)];
  useJobs.getState().apply([live, over]);
  deleteJobs([live, over]);
  expect(shown()).toContain(live.key);
  expect(lastToast()?.message).toBe('Deleted 1 job; 1 not deleted. It is still active; cancel it first.');
});

test('a job that the engine could not delete is back, and the reason is shown', async () => {
  const job = jobOf(40_000);
  useJobs.getState().apply([job]);
  answer = () => failed({ kind: 'storage', message: 'The disk is full.' });
  deleteJobs([job]);
  await offerPasses();
  expect(shown()).toContain(job.key);
  expect(lastToast()?.message).toBe('Could not delete 1 job. The disk is full.');
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
