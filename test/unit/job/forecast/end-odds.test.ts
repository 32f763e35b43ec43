import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedShare, likelyEndedAtMs, oddsEnded } from '../../../../src-main/job/forecast/end-odds.ts';

const anyErrors = fc
  .array(fc.integer({ min: -60_000, max: 60_000 }), { minLength: 1, maxLength: 60 })
  .map((errors) => errors.sort((a, b) => a - b));
const anyMs = fc.integer({ min: -200_000, max: 200_000 });

describe('the share of jobs that ended', () => {
  it('lies between 0 and 1 and never falls with lateness', () => {
    fc.assert(
      fc.property(anyErrors, anyMs, anyMs, (errors, a, b) => {
        const [early, late] = [endedShare(errors, Math.min(a, b)), endedShare(errors, Math.max(a, b))];
        expect(early).toBeGreaterThan(0);
        expect(late).toBeLessThan(1);
        expect(late).toBeGreaterThanOrEqual(early);
      }),
    );
  });

  it('is a step for good forecasts, and a slope for poor ones', () => {
    const good = Array.from({ length: 50 }, (_, index) => index - 25);
    expect(endedShare(good, -500)).toBeLessThan(0.02);
    expect(endedShare(good, 500)).toBeGreaterThan(0.97);
    const poor = good.map((ms) => ms * 400);
    expect(endedShare(poor, -500)).toBeGreaterThan(0.4);
    expect(endedShare(poor, 500)).toBeLessThan(0.6);
  });
});

describe('the odds that a job ended since its last status read', () => {
  it('begin at zero and never fall with time', () => {
    fc.assert(
      fc.property(
        anyErrors,
        anyMs,
        anyMs,
        fc.nat(100_000),
        fc.nat(100_000),
        (errors, forecastAtMs, statusReadAtMs, after, later) => {
          expect(oddsEnded(errors, forecastAtMs, statusReadAtMs, statusReadAtMs)).toBeCloseTo(0);
          const odds = oddsEnded(errors, forecastAtMs, statusReadAtMs, statusReadAtMs + after);
          expect(odds).toBeGreaterThanOrEqual(0);
          expect(odds).toBeLessThan(1);
          expect(
            oddsEnded(errors, forecastAtMs, statusReadAtMs, statusReadAtMs + after + later),
          ).toBeGreaterThanOrEqual(odds - 1e-9);
        },
      ),
    );
  });

  it('reach any odds eventually, at exactly the predicted time', () => {
    fc.assert(
      fc.property(
        anyErrors,
        anyMs,
        anyMs,
        fc.double({ min: 0.01, max: 0.95, noNaN: true }),
        (errors, forecastAtMs, statusReadAtMs, odds) => {
          const atMs = likelyEndedAtMs(errors, forecastAtMs, statusReadAtMs, odds);
          expect(atMs).toBeGreaterThanOrEqual(statusReadAtMs - 1e-3);
          expect(oddsEnded(errors, forecastAtMs, statusReadAtMs, atMs + 1)).toBeGreaterThanOrEqual(odds - 1e-6);
          expect(oddsEnded(errors, forecastAtMs, statusReadAtMs, atMs - 1)).toBeLessThanOrEqual(odds + 1e-6);
        },
      ),
    );
  });
});
