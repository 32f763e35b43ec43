import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

/** Keys reported to the engine. */
let seen: string[] = [];
beforeEach(() => {
  seen = [];
  answerCalls({
    'job:markSeen': ({ keys }) => {
      seen.push(...keys);
      return Promise.resolve(ok({ keys, atMs: 0 }));
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
