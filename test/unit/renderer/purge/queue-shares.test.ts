import { describe, expect, it } from 'vitest';
import { purgeOrderText } from '../../../../src-renderer/messages/purge.tsx';
import { expectedCount, oldAgeMs, purgeCount, queueShares } from '../../../../src-renderer/purge/queue-shares.ts';

/** What is known before a purge: by the service's last reading, and by Jobdeck. */
function known(inQueue: number | null, tracked: number): Parameters<typeof expectedCount>[0] {
  const jobs = { inQueue: inQueue ?? 0, inProgress: 0, completed: 0, failed: 0, retried: 0 };
  return { health: inQueue === null ? null : { atMs: 1, jobs }, tracked };
}

describe('the number of jobs that a purge is expected to remove', () => {
  it.each([
    ['the queue has more than ours', 5, 2, 5],
    ['a job of ours came after the last reading', 0, 1, 1],
    ['nothing waits', 0, 0, 0],
  ])('is that of the button: %s', (_case, inQueue, tracked, count) => {
    expect(expectedCount(known(inQueue, tracked))).toBe(count);
    expect(purgeCount(queueShares(known(inQueue, tracked)))).toEqual({ jobs: count, isLeast: false });
  });

  it('is not known without a reading, however many of our jobs wait', () => {
    expect(expectedCount(known(null, 3))).toBeNull();
  });
});

it('the age of a reading is shown from ten seconds on', () => {
  expect(oldAgeMs(known(3, 0), 10_000)).toBeNull();
  expect(oldAgeMs(known(3, 0), 10_001)).toBe(10_000);
  expect(oldAgeMs(known(null, 3), 10_001)).toBeNull();
  expect(purgeOrderText.jobs(3, false, 12_000)).toBe('3 jobs as of 12 s ago');
  expect(purgeOrderText.jobs(3, true, null)).toBe('3 jobs or more');
});
