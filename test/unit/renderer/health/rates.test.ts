import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearingTime } from '../../../../src-renderer/health/figures.ts';
import { rateBars, counterIncrease, counterIncreaseSince } from '../../../../src-renderer/health/rates.ts';
import { aPoint, readings } from './points.ts';

const minute = 60_000;

describe('rates from counters', () => {
  it('counts from zero again if a counter fell', () => {
    expect([counterIncrease(3, 5), counterIncrease(5, 5), counterIncrease(48_211, 2)]).toEqual([2, 0, 2]);
  });

  it('makes bars of the rise per minute, null if nothing was read', () => {
    // One more each five seconds from the second minute on: twelve a minute.
    const bars = rateBars(
      readings(minute, 25, (index) => ({ completed: index })),
      'completed',
      { fromMs: 0, toMs: 3 * minute, barMs: minute, nowMs: 3 * minute },
    );
    expect(bars.map((bar) => bar.perMinute)).toEqual([null, 12, 12]);
    expect(bars[0]).toMatchObject({ fromMs: 0, toMs: minute });
  });

  it('assigns a rise during a silence to no bar, but counts it for the hour', () => {
    const points = [
      aPoint(0, { failed: 1 }),
      aPoint(5 * minute, { failed: 4 }),
      aPoint(5 * minute + 5_000, { failed: 5 }),
    ];
    const bars = rateBars(points, 'failed', { fromMs: 0, toMs: 6 * minute, barMs: minute, nowMs: 6 * minute });
    expect(bars.map((bar) => bar.perMinute)).toEqual([null, null, null, null, null, 1]);
    expect(counterIncreaseSince(points, 'failed', 0)).toBe(4);
    expect(counterIncreaseSince(points, 'failed', 6 * minute)).toBeNull();
  });

  it('scales an unfinished bar by its elapsed time', () => {
    const points = readings(0, 7, (index) => ({ completed: index }));
    expect(rateBars(points, 'completed', { fromMs: 0, toMs: minute, barMs: minute, nowMs: 30_000 })[0]?.perMinute).toBe(
      12,
    );
    expect(
      rateBars(points.slice(0, 2), 'completed', { fromMs: 0, toMs: minute, barMs: minute, nowMs: 5_000 })[0]?.perMinute,
    ).toBe(3);
  });

  it('puts each rise into exactly one bar', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 100 }), (rises) => {
        let completed = 0;
        const points = [
          aPoint(0),
          ...rises.map((more, index) => aPoint((index + 1) * 5_000, { completed: (completed += more) })),
        ];
        const bars = rateBars(points, 'completed', { fromMs: 0, toMs: 10 * minute, barMs: minute, nowMs: 10 * minute });
        expect(bars.reduce((sum, bar) => sum + (bar.perMinute ?? 0), 0)).toBeCloseTo(completed);
      }),
    );
  });
});

describe('clearing time', () => {
  it('is the queue over the rate of ended jobs, completed or failed', () => {
    const points = readings(0, 121, (index) => ({
      inQueue: 12,
      completed: Math.floor(index / 12),
      failed: Math.floor(index / 24),
    }));
    // Ten minutes: ten completed and five failed, 1.5 a minute.
    expect(clearingTime(points, 600_000)).toEqual({ kind: 'known', ms: 8 * minute });
  });

  it('is nothing for an empty queue', () => {
    expect(clearingTime([aPoint(0)], 0)).toEqual({ kind: 'empty' });
    expect(clearingTime([], 0)).toEqual({ kind: 'empty' });
  });

  it('is unknown if nothing ended, or too little was sampled', () => {
    expect(
      clearingTime(
        readings(0, 60, () => ({ inQueue: 3 })),
        300_000,
      ),
    ).toEqual({ kind: 'unknown', why: 'nothing-ended' });
    expect(
      clearingTime(
        readings(0, 3, (index) => ({ inQueue: 3, completed: index })),
        10_000,
      ),
    ).toEqual({ kind: 'unknown', why: 'too-new' });
  });

  it('derives no rate from a silence', () => {
    const points = [
      aPoint(0, { completed: 0 }),
      ...readings(5 * minute, 13, (index) => ({ inQueue: 4, completed: 400 + Math.floor(index / 6) })),
    ];
    // In the one sampled minute two ended.
    expect(clearingTime(points, 6 * minute)).toEqual({ kind: 'known', ms: 2 * minute });
  });
});
