import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAge } from '../../../../src-preload/format.ts';
import { ageEveryMs, isYoung, youngAgeMs, youngEveryMs } from '../../../../src-renderer/jobs/figure-text.tsx';

/** What stands there at a time, by clocks that tick at whole multiples of their pace. */
function shownAt(sinceMs: number, atMs: number): string {
  const slowMs = atMs - (atMs % ageEveryMs);
  const quickMs = atMs - (atMs % youngEveryMs);
  return formatAge(isYoung(sinceMs, slowMs) ? youngAgeMs(sinceMs, quickMs) : slowMs - sinceMs);
}

const secondsOf = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1);

test('an age counts second by second up to a minute, never stands still, and never runs backwards', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000, max: 1_060_000 }), (sinceMs) => {
      const shown = Array.from({ length: 120 }, (_, second) => secondsOf(shownAt(sinceMs, sinceMs + second * 1_000)));
      expect(shown).toEqual(shown.toSorted((one, other) => one - other));
      for (let second = 2; second < 60; second += 1) expect(shown[second]).toBeGreaterThanOrEqual(second - 1);
      expect(shown[61]).toBe(60);
    }),
  );
});

test('an age under a minute is never less than what a job has run, by the clock that both have', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 59_000 }), fc.nat({ max: 59_000 }), (ranMs, waitedMs) => {
      const nowMs = 1_000_000;
      expect(youngAgeMs(nowMs - waitedMs - ranMs, nowMs)).toBeGreaterThanOrEqual(ranMs);
    }),
  );
});
