import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

/** Keys reported to the engine. */
let seen: string[] = [];
/** Whether the engine refuses to mark jobs as seen. */
let isRefused = false;
beforeEach(() => {
  seen = [];
  isRefused = false;
  answerCalls({
    'job:markSeen': ({ keys }) => {
      seen.push(...keys);
      const refused = failed({ kind: 'storage', message: 'The disk is full.' } as const);
      return Promise.resolve(isRefused ? refused : ok({ keys, atMs: 0 }));
    },
  });
  vi.stubGlobal('document', { hasFocus: () => true });
});
afterEach(() => void vi.unstubAllGlobals());

it('a job that was opened while it ran, and closed, is not seen when it fails', () => {
  const job = { ...jobOf(70_000, running), isSeen: false };
  useJobs.getState().apply([job]);
  useJobs.getState().select(job.key);
  useJobs.getState().closeDetail();
  useJobs.getState().apply([{ ...job, phase: 'finished', status: 'FAILED' }]);
  expect(seen).toEqual([]);
  expect(useJobs.getState().list.get(job.key)?.isSeen).toBe(false);
  useJobs.getState().select(job.key);
  expect(seen).toEqual([job.key]);
});

it('a job that ends while it is open is seen', () => {
  const job = { ...jobOf(71_000, running), isSeen: false };
  useJobs.getState().apply([job]);
  useJobs.getState().select(job.key);
  expect(seen).toEqual([]);
  useJobs.getState().apply([{ ...job, phase: 'finished', status: 'COMPLETED' }]);
  expect(seen).toEqual([job.key]);
});

it('a job that could not be marked as seen is shown as not seen, as the counts have it', async () => {
  isRefused = true;
  const job = { ...jobOf(72_000), isSeen: false };
  const other = { ...jobOf(73_000), isSeen: false };
  useJobs.getState().apply([job, other]);
  useJobs.getState().select(job.key);
  useJobs.getState().select(other.key);
  expect(useJobs.getState().list.get(job.key)?.isSeen).toBe(true);
  // What the engine reports meanwhile is newer than what was undone.
  useJobs.getState().closeDetail();
  useJobs.getState().apply([{ ...other, isSeen: true, title: 'renamed' }]);
  await expect.poll(() => useJobs.getState().list.get(job.key)?.isSeen).toBe(false);
  expect(useJobs.getState().list.get(other.key)).toMatchObject({ isSeen: true, title: 'renamed' });
});
