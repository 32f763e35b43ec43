import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { showCancelledToast, undoOf } from '../../../../src-renderer/data/undo-cancel.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

let asked: string[] = [];
let isRefused = false;
beforeEach(() => {
  asked = [];
  isRefused = false;
  useToasts.setState({ items: [] });
  const answer = (name: string, key: string): Promise<Result<Job>> => {
    asked.push(`${name} ${key}`);
    return Promise.resolve(isRefused ? failed({ kind: 'storage', message: 'The disk is full.' }) : ok(jobOf(0)));
  };
  answerCalls({
    'job:resubmit': ({ key }) => answer('resubmit', key),
    'job:retry': ({ key }) => answer('retry', key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

const lastToast = () => useToasts.getState().items.at(-1);
const withdrawn = jobOf(1_000, { status: 'CANCELLED', reason: { kind: 'withdrawn' } });
const failedJob = jobOf(2_000, { status: 'FAILED' });
const retryTaken = { before: { ...failedJob, retryRequestedAtMs: 5 }, after: failedJob };

test('a cancel that was sent to the service has no undo', () => {
  const sent = { before: jobOf(3_000, running), after: jobOf(3_000, { status: 'CANCELLED' }) };
  expect(undoOf(sent)).toBeNull();
  showCancelledToast('1 job cancelled', [sent]);
  expect(lastToast()).not.toHaveProperty('action');
});

test('unsent work is requested again: unsent jobs as new ones, retries unchanged', async () => {
  showCancelledToast('2 jobs cancelled', [{ before: undefined, after: withdrawn }, retryTaken]);
  expect(lastToast()?.action?.label).toBe('Undo 2 jobs');
  lastToast()?.action?.onSelect();
  await expect.poll(() => asked).toEqual([`resubmit ${withdrawn.key}`, `retry ${failedJob.key}`]);
  showCancelledToast('The retry will not be sent', [retryTaken]);
  expect(lastToast()?.action?.label).toBe('Undo');
});

test('what could not be requested again is reported', async () => {
  isRefused = true;
  showCancelledToast('Not sent', [{ before: undefined, after: withdrawn }]);
  expect(lastToast()?.action?.label).toBe('Submit again');
  lastToast()?.action?.onSelect();
  await expect.poll(() => lastToast()?.message).toBe('Could not undo it for 1 job. The disk is full.');
});
