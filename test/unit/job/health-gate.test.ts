import { describe, expect, it } from 'vitest';
import { allLookedAt, endSeen, healthAsked, healthFailed, healthRead, isReliable, mayHaveEnded, openGate } from '../../../src-main/job/health-gate.ts';

const counters = (completed: number, failed = 0) => ({ jobs: { completed, failed, inProgress: 0, inQueue: 0, retried: 0 }, workers: { idle: 0, running: 0 }, extra: {} });
/** Read at 1,000 with five finished, and all looked at since. */
const calm = allLookedAt(healthRead(healthAsked(openGate), counters(5), 1_000));

describe('the health gate', () => {
  it('makes every job worth one look after the first read', () => {
    const first = healthRead(healthAsked(openGate), counters(5), 1_000);
    expect(mayHaveEnded(first, 999)).toBe(true);
    expect(mayHaveEnded(first, 1_000)).toBe(false);
    expect(mayHaveEnded(allLookedAt(first), 999)).toBe(false);
  });

  it('stays shut while nothing ends, and opens for as many as ended', () => {
    expect(healthRead(healthAsked(calm), counters(5), 2_000).unexplained).toBe(0);
    const moved = healthRead(healthAsked(calm), counters(6, 1), 2_000);
    expect(moved.unexplained).toBe(2);
    expect(mayHaveEnded(moved, 1_500)).toBe(true);
    const explained = endSeen(endSeen(moved, 'COMPLETED', 1_500), 'FAILED', 1_600);
    expect(mayHaveEnded(explained, 1_500)).toBe(false);
  });

  it('does not count an end twice that was seen before the counters showed it', () => {
    const seen = endSeen(calm, 'COMPLETED', 1_200);
    expect(healthRead(healthAsked(seen), counters(6), 2_000).unexplained).toBe(0);
    expect(healthRead(healthAsked(seen), counters(7), 2_000).unexplained).toBe(1);
  });

  it('does not take an end off counters that may not hold it: it was seen while they were read', () => {
    const asked = healthAsked(calm);
    const read = healthRead(endSeen(asked, 'COMPLETED', 1_200), counters(6), 2_000);
    expect(read.unexplained).toBe(1);
    expect(healthRead(healthAsked(read), counters(7), 3_000).unexplained).toBe(1);
  });

  it('takes nothing off for an end that the last counters already held', () => {
    const late = endSeen(calm, 'COMPLETED', 800);
    expect(healthRead(healthAsked(late), counters(6), 2_000).unexplained).toBe(1);
  });

  it('lets cancelled and timed-out jobs explain nothing: they may not be counted', () => {
    const moved = healthRead(healthAsked(calm), counters(6), 2_000);
    expect(endSeen(endSeen(moved, 'CANCELLED', 1_500), 'TIMED_OUT', 1_500)).toBe(moved);
  });

  it('opens for everything when the counters went back', () => {
    expect(healthRead(healthAsked(calm), counters(0), 2_000).unexplained).toBe(Infinity);
  });

  it('is not relied on after two failures, and again after one answer', () => {
    const once = healthFailed(calm, 2_000);
    const twice = healthFailed(once, 3_000);
    expect([once, twice].map(isReliable)).toEqual([true, false]);
    expect(isReliable(healthRead(twice, counters(5), 4_000))).toBe(true);
  });
});
