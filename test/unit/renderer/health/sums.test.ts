import { describe, expect, it } from 'vitest';
import { sumPoints } from '../../../../src-renderer/health/sums.ts';
import { runsOf } from '../../../../src-renderer/health/runs.ts';
import { aPoint, readings } from './points.ts';

const minute = 60_000;

describe('the sum of several endpoints', () => {
  it('counts each by its last reading, at the times when any was read', () => {
    const one = [aPoint(0, { inQueue: 1 }), aPoint(10_000, { inQueue: 5 })];
    const other = [aPoint(4_000, { inQueue: 10 }), aPoint(14_000, { inQueue: 20 })];
    expect(sumPoints([one, other], 1_000).map((point) => [point.atMs, point.inQueue])).toEqual([
      [0, 1],
      [4_000, 11],
      [10_000, 15],
      [14_000, 25],
    ]);
  });

  it('combines readings of one step', () => {
    const sum = sumPoints([[aPoint(100, { running: 1 })], [aPoint(900, { running: 2 })]], 1_000);
    expect(sum).toHaveLength(1);
    expect(sum[0]).toMatchObject({ atMs: 900, running: 3 });
  });

  it('skips an endpoint while nothing is known of it, and has a silence if nothing is known of any', () => {
    const one = [aPoint(0, { running: 1 }), aPoint(10 * minute, { running: 1 })];
    const other = readings(0, 25, () => ({ running: 2 }));
    const sum = sumPoints([one, other], 5_000);
    expect(sum.find((point) => point.atMs === 0)).toMatchObject({ running: 3 });
    expect(sum.find((point) => point.atMs === 60_000)).toMatchObject({ running: 2 });
    expect(runsOf(sum)).toHaveLength(2);
  });

  it('adds up the rises of counters, even if one restarts or appears later', () => {
    const one = [aPoint(0, { completed: 100 }), aPoint(5_000, { completed: 104 }), aPoint(10_000, { completed: 1 })];
    const other = [aPoint(5_000, { completed: 9_000 }), aPoint(10_000, { completed: 9_002 })];
    expect(sumPoints([one, other], 5_000).map((point) => point.completed)).toEqual([0, 4, 7]);
  });

  it('includes worker states that only some services report', () => {
    expect(sumPoints([[aPoint(0, { throttled: 2 })], [aPoint(0)]], 1_000)[0]).toMatchObject({
      throttled: 2,
      ready: null,
    });
  });

  it('is empty without endpoints', () => {
    expect(sumPoints([], 1_000)).toEqual([]);
    expect(sumPoints([[], []], 1_000)).toEqual([]);
  });
});
