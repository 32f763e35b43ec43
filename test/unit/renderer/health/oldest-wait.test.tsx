import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../../../src-preload/job.ts';
import { FiguresStrip } from '../../../../src-renderer/health/figures-strip.tsx';
import { oldestWaiting, withJobs } from '../../../../src-renderer/health/our-jobs.ts';
import { aHealthPoint } from '../../../kit/health-point.ts';
import { aJob } from '../job/a-job.ts';

beforeEach(() => {
  // An hour on: what shows the time was last used when this file began.
  vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The figures of an endpoint at which this job waits, without tags. */
function shown(job: Job): string {
  const nowMs = Date.now();
  const last = aHealthPoint(nowMs);
  const markup = renderToStaticMarkup(
    createElement(FiguresStrip, {
      points: [last],
      last,
      health: null,
      oldest: oldestWaiting(withJobs({}, [job], 'c1', 'text')),
      isStale: false,
      nowMs,
      onShowJob: () => {},
    }),
  );
  return markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

const waiting = { status: 'IN_QUEUE', startedSeenAtMs: null, delayTimeMs: null } as const;

test('the oldest wait counts up while the service reports on the job, and stands still with its age when it does not', () => {
  const nowMs = Date.now();
  const acceptedAtMs = nowMs - 300_600;
  expect(shown(aJob({ ...waiting, acceptedAtMs, statusReadAtMs: nowMs }))).toMatch(/Oldest wait 5:00 min/);
  expect(shown(aJob({ ...waiting, acceptedAtMs, statusReadAtMs: nowMs - 120_500 }))).toMatch(
    /Oldest wait 3:00 min .* as of 2 m ago/,
  );
});

test('the wait of a job that was retried is that since its retry, as in the list', () => {
  const nowMs = Date.now();
  const job = aJob({ ...waiting, attempt: 2, acceptedAtMs: nowMs - 600_000, retriedAtMs: nowMs - 120_000 });
  const first = withJobs({}, [{ ...job, statusReadAtMs: nowMs - 60_000 }], 'c1', 'text');
  expect(oldestWaiting(first)?.sinceMs).toBe(nowMs - 120_000);
  const later = withJobs(first, [{ ...job, statusReadAtMs: nowMs }], 'c1', 'text');
  expect(oldestWaiting(later)?.knownMs).toBe(nowMs);
});
