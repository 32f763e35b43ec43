import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyFilter, type JobFilter } from '../../../../src-preload/history.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { onNewDay, readAfterMidnight } from '../../../../src-renderer/data/new-day.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.now() });
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The moment before or after the next local midnight. */
function midnight(offsetMs: number): Date {
  const day = new Date();
  day.setHours(24, 0, 0, 0);
  return new Date(day.getTime() + offsetMs);
}

test('a new day is noticed within a minute, once', () => {
  vi.setSystemTime(midnight(-150_000));
  const run = vi.fn<() => void>();
  const end = onNewDay(run);
  vi.advanceTimersByTime(120_000);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(120_000);
  expect(run).toHaveBeenCalledOnce();
  end();
});

test('after midnight the jobs are counted again, and the list of what finished today is read again', () => {
  const { calls } = answerCalls({});
  vi.stubGlobal('innerHeight', 900);
  const show = (filter: Partial<JobFilter>): void => useJobs.setState({ filter: { ...emptyFilter, ...filter } });
  show({ view: 'all' });
  readAfterMidnight();
  expect(calls).toEqual(['job:counts']);
  show({ view: 'finished-today' });
  readAfterMidnight();
  show({ sinceMs: 1 });
  readAfterMidnight();
  expect(calls.filter((name) => name === 'job:list').length).toBeGreaterThanOrEqual(2);
});
