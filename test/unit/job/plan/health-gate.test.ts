import { describe, expect, it } from 'vitest';
import type { HealthGate } from '../../../../src-main/job/plan/health-gate.ts';
import { allLookedAt, endSeen, healthAsked, healthFailed, healthRead, isReliable, openGate, soughtEnds } from '../../../../src-main/job/plan/health-gate.ts';

const counters = (completed: number, failed = 0) => ({ jobs: { completed, failed, inProgress: 0, inQueue: 0, retried: 0 }, workers: { idle: 0, running: 0 }, extra: {} });
/** Read at 1,000 with five finished, and all looked at since. */
const calm = allLookedAt(healthRead(healthAsked(openGate), counters(5), 1_000), 1_000);

const sought = (gate: HealthGate): number => soughtEnds(gate, gate.readAtMs ?? 0)?.count ?? 0;

describe('the health gate', () => {
  it('makes every job worth one look after the first read', () => {
    const first = healthRead(healthAsked(openGate), counters(5), 1_000);
    expect(soughtEnds(first, 1_000)).toEqual({ count: Infinity, beforeMs: 1_000, sinceMs: 1_000 });
    expect(soughtEnds(allLookedAt(first, 1_000), 1_000)).toBeNull();
  });

  it('stays shut while nothing ends, and opens for as many as ended', () => {
    expect(soughtEnds(healthRead(healthAsked(calm), counters(5), 2_000), 2_000)).toBeNull();
    const moved = healthRead(healthAsked(calm), counters(6, 1), 2_000);
    expect(soughtEnds(moved, 2_000)).toEqual({ count: 2, beforeMs: 2_000, sinceMs: 2_000 });
    const explained = endSeen(endSeen(moved, 'COMPLETED', 1_500), 'FAILED', 1_600);
    expect(soughtEnds(explained, 2_000)).toBeNull();
  });

  it('does not count an end twice that was seen before the counters showed it', () => {
    const seen = endSeen(calm, 'COMPLETED', 1_200);
    expect(sought(healthRead(healthAsked(seen), counters(6), 2_000))).toBe(0);
    expect(sought(healthRead(healthAsked(seen), counters(7), 2_000))).toBe(1);
  });

  it('does not take an end off counters that may not hold it: it was seen while they were read', () => {
    const asked = healthAsked(calm);
    const read = healthRead(endSeen(asked, 'COMPLETED', 1_200), counters(6), 2_000);
    expect(sought(read)).toBe(1);
    expect(sought(healthRead(healthAsked(read), counters(7), 3_000))).toBe(1);
  });

  it('takes nothing off for an end that the last counters already held', () => {
    const late = endSeen(calm, 'COMPLETED', 800);
    expect(sought(healthRead(healthAsked(late), counters(6), 2_000))).toBe(1);
  });

  it('lets cancelled and timed-out jobs explain nothing: they may not be counted', () => {
    const moved = healthRead(healthAsked(calm), counters(6), 2_000);
    expect(endSeen(endSeen(moved, 'CANCELLED', 1_500), 'TIMED_OUT', 1_500)).toBe(moved);
  });

  it('opens for everything when the counters went back', () => {
    expect(sought(healthRead(healthAsked(calm), counters(0), 2_000))).toBe(Infinity);
  });

  it('is not relied on after two failures, and again after one answer', () => {
    const once = healthFailed(calm, 2_000);
    const twice = healthFailed(once, 3_000);
    expect([once, twice].map(isReliable)).toEqual([true, false]);
    expect(isReliable(healthRead(twice, counters(5), 4_000))).toBe(true);
  });

  it('waits some seconds for the webhook where the last ends all came with one, and no longer after one that did not', () => {
    let hinted = calm;
    for (let end = 0; end < 5; end += 1) hinted = endSeen(hinted, 'COMPLETED', 1_200, true);
    const moved = healthRead(healthAsked(hinted), counters(12), 2_000);
    expect(soughtEnds(moved, 4_999)).toBeNull();
    expect(soughtEnds(moved, 5_000)).toEqual({ count: 2, beforeMs: 2_000, sinceMs: 2_000 });
    const later = healthRead(healthAsked(moved), counters(13), 4_000);
    expect(soughtEnds(later, 5_000)).toEqual({ count: 2, beforeMs: 2_000, sinceMs: 2_000 });
    expect(soughtEnds(allLookedAt(later, 2_500), 7_000)).toEqual({ count: 1, beforeMs: 4_000, sinceMs: 4_000 });
    expect(soughtEnds(endSeen(moved, 'COMPLETED', 1_500, true), 5_000)).toEqual({ count: 1, beforeMs: 2_000, sinceMs: 2_000 });
    expect(soughtEnds(endSeen(moved, 'COMPLETED', 1_500, false), 2_000)).toEqual({ count: 1, beforeMs: 2_000, sinceMs: 2_000 });
  });
});
