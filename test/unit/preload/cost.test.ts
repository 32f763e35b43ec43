import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptsOf, creditsFor, estimateCost, rateAt } from '../../../src-preload/cost.ts';
import type { CostRate } from '../../../src-preload/cost.ts';
import { aJob } from '../../kit/a-job.ts';

const hour = 3_600_000;
const typed = { kind: 'typed' } as const;
const rate = (creditsPerHour: number | null, sinceMs: number): CostRate => ({ creditsPerHour, sinceMs, source: typed });

describe('the rate at a time', () => {
  it('is the last one set before', () => {
    const rates = [rate(1, 100), rate(2, 200), rate(null, 300)];
    expect([50, 100, 199, 200, 299, 300, 1_000].map((atMs) => rateAt(rates, atMs))).toEqual([
      null,
      1,
      1,
      2,
      2,
      null,
      null,
    ]);
  });
});

describe('a job', () => {
  const finished = aJob({
    jobId: 'j',
    phase: 'finished',
    status: 'COMPLETED',
    startedSeenAtMs: 1_000,
    finishedSeenAtMs: 5_000,
    executionTimeMs: hour / 2,
  });

  it('that ended is priced by the rate at its end', () => {
    expect(estimateCost(attemptsOf(finished, [], 9_000), [rate(2, 0), rate(10, 6_000)], 9_000)).toEqual({
      kind: 'estimate',
      credits: 1,
      executionMs: hour / 2,
      creditsPerHour: 2,
      isRunning: false,
      isPartial: false,
    });
  });
  it('has no price if no rate was valid then, or none was ever set', () => {
    expect(estimateCost(attemptsOf(finished, [], 9_000), [rate(2, 6_000)], 9_000)).toEqual({ kind: 'no-rate' });
    expect(estimateCost(attemptsOf(finished, [], 9_000), [], 9_000)).toEqual({ kind: 'no-rate' });
  });
  it('that waits has no execution time yet', () => {
    expect(estimateCost(attemptsOf(aJob(), [], 9_000), [rate(2, 0)], 9_000)).toEqual({ kind: 'no-time' });
  });
  it('that runs costs the elapsed time, by the current rate', () => {
    const running = aJob({ status: 'IN_PROGRESS', startedSeenAtMs: 1_000, executionTimeMs: 5 });
    expect(estimateCost(attemptsOf(running, [], 1_000 + hour), [rate(3, 0)], 1_000 + hour)).toMatchObject({
      kind: 'estimate',
      credits: 3,
      isRunning: true,
    });
  });
  it('adds its former attempts, and says when one of them has no time', () => {
    const retried = { ...finished, attempt: 3 };
    const former = [
      { number: 1, status: 'FAILED', executionTimeMs: hour, finishedSeenAtMs: 1_500 },
      { number: 2, status: 'FAILED', executionTimeMs: null, finishedSeenAtMs: 2_500 },
      { number: 3, status: 'COMPLETED', executionTimeMs: hour / 2, finishedSeenAtMs: 5_000 },
    ];
    expect(estimateCost(attemptsOf(retried, former, 9_000), [rate(4, 0), rate(2, 2_000)], 9_000)).toMatchObject({
      credits: 4 + 1,
      executionMs: 1.5 * hour,
      isPartial: true,
    });
  });
  it('never costs less if it ran longer or the rate was higher', () => {
    const amount = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.double({ min: 0.0001, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1e5, noNaN: true }),
        (ms, moreMs, perHour, more) => {
          const cost = (executionMs: number, creditsPerHour: number): number => creditsFor(executionMs, creditsPerHour);
          expect(cost(ms, perHour)).toBeGreaterThanOrEqual(0);
          expect(cost(ms + moreMs, perHour)).toBeGreaterThanOrEqual(cost(ms, perHour));
          expect(cost(ms, perHour + more)).toBeGreaterThanOrEqual(cost(ms, perHour));
        },
      ),
    );
  });
});
