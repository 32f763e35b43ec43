import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noJobs, type AllJobCounts } from '../../../../src-preload/history.ts';
import { listenToJobs, useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf } from '../jobs/job-of.ts';

const counts: AllJobCounts = { revision: 1, all: { ...noJobs, byEndpoint: {} }, byConnection: {}, savedBytes: 0 };
let page = Object.assign(new EventTarget(), { hidden: false, hasFocus: () => false });

beforeEach(() => {
  page = Object.assign(new EventTarget(), { hidden: false, hasFocus: () => false });
  vi.stubGlobal('document', page);
  // A hidden window draws no frame.
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => void vi.unstubAllGlobals());

test('a change that waits for the next frame is applied when the window is hidden before it', () => {
  const { listeners } = answerCalls({});
  listenToJobs();
  const job = jobOf(10_000, { title: 'Before' });
  const report = (title: string): void =>
    listeners['job:changed']?.({ jobs: [{ ...job, title }], removedKeys: [], batches: [], counts });

  report('Before');
  expect(useJobs.getState().list.get(job.key)).toBeUndefined();
  page.hidden = true;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(useJobs.getState().list.get(job.key)?.title).toBe('Before');
});
