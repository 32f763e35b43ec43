import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { plotRight } from '../../../../src-renderer/health/draw-chart.ts';
import { ranges } from '../../../../src-renderer/health/range.ts';
import { tickText, timeTicks, valueTicks } from '../../../../src-renderer/design/ticks.ts';

describe('ticks', () => {
  it('are whole numbers from 0 that reach the most, in at most four steps', () => {
    expect(valueTicks(0)).toEqual([0, 1]);
    expect(valueTicks(3)).toEqual([0, 1, 2, 3]);
    expect(valueTicks(6)).toEqual([0, 2, 4, 6]);
    expect(valueTicks(17)).toEqual([0, 5, 10, 15, 20]);
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000 }), (max) => {
        const ticks = valueTicks(max);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(1, max));
        // The scale that ends at the last tick has the same ticks.
        expect(valueTicks(ticks.at(-1) ?? 0)).toEqual(ticks);
      }),
    );
  });

  it('are at round local times within the range, for every range', () => {
    const nowMs = new Date(2026, 10, 21, 14, 33, 17).getTime();
    for (const { spanMs } of ranges) {
      const ticks = timeTicks(nowMs - spanMs, nowMs, 7);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(9);
      for (const tick of ticks) {
        expect(tick).toBeGreaterThanOrEqual(nowMs - spanMs);
        expect(tick).toBeLessThanOrEqual(nowMs);
        expect(new Date(tick).getSeconds()).toBe(0);
      }
    }
    expect(timeTicks(nowMs - 3_600_000, nowMs, 7).map((tick) => tickText(tick, 3_600_000))).toEqual([
      '13:40',
      '13:50',
      '14:00',
      '14:10',
      '14:20',
      '14:30',
    ]);
  });

  it('are days from two days on', () => {
    expect(tickText(new Date(2026, 10, 18).getTime(), 7 * 86_400_000)).toBe('18 Nov');
  });
});

it('the label of a tick at the end of the axis has room', () => {
  const day = 86_400_000;
  const longest = [day, 90 * day].flatMap((spanMs) =>
    Array.from({ length: 365 }, (_, at) => tickText(at * day, spanMs).length),
  );
  // A figure of Inter at 11 px is 6.6 px wide, and half of a label hangs over its tick.
  expect((Math.max(...longest) * 6.6) / 2).toBeLessThanOrEqual(plotRight);
});

describe('times around a day of 23 or 25 hours', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
    ['America/Santiago', '2026-09-06'],
    ['America/Santiago', '2026-04-05'],
  ])('are round by the wall clock, each once (%s, %s)', (zone, change) => {
    vi.stubEnv('TZ', zone);
    const noonMs = Date.parse(`${change}T12:00:00`);
    for (const spanMs of [86_400_000, 2 * 86_400_000, 6 * 86_400_000]) {
      const ticks = timeTicks(noonMs - spanMs / 2, noonMs + spanMs / 2, 7);
      expect(new Set(ticks).size).toBe(ticks.length);
      expect(ticks).toEqual(ticks.toSorted((one, other) => one - other));
      // Santiago has no midnight on the day on which its summer begins.
      const odd = ticks.filter((tick) => !/^(?:00|04|06|08|12|16|18|20):00$/.test(tickText(tick, 1)));
      expect(odd.map((tick) => tickText(tick, 1))).toEqual(
        zone === 'America/Santiago' && odd.length > 0 ? ['01:00'] : [],
      );
    }
  });
});
