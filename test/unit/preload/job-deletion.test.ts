import { expect, test } from 'vitest';
import { deletionAllowed } from '../../../src-preload/job-deletion.ts';
import { aJob } from '../../kit/a-job.ts';

test.each(['finished', 'refused', 'gone', 'orphaned'] as const)('a job that is %s may be deleted', (phase) => {
  expect(deletionAllowed(aJob({ phase }), false)).toEqual({ isAllowed: true, reason: '' });
});

test.each(['waiting', 'submitting', 'active'] as const)('a job that is %s may not, and gives the reason', (phase) => {
  expect(deletionAllowed(aJob({ phase }), true)).toEqual({ isAllowed: false, reason: expect.stringMatching(/./) });
});

test('one of unknown outcome may be deleted only if its connection is gone', () => {
  const job = aJob({ phase: 'outcome-unknown' });
  expect(deletionAllowed(job, false)).toMatchObject({ isAllowed: false, reason: expect.stringContaining('unknown') });
  expect(deletionAllowed(job, true).isAllowed).toBe(true);
});

test('one whose retry waits, or whose stream is pending, may not', () => {
  expect(deletionAllowed(aJob({ phase: 'finished', retryRequestedAtMs: 1 }), false).isAllowed).toBe(false);
  const pendingStream = { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' };
  expect(deletionAllowed(aJob({ phase: 'active', pendingStream }), false).reason).toContain('stream');
});
