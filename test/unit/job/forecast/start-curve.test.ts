import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noStarts, startAtMs, withStart } from '../../../../src-main/job/forecast/start-curve.ts';
import type { StartCurve, StartPoint } from '../../../../src-main/job/forecast/start-curve.ts';

const exact = (acceptedAtMs: number, startedAtMs: number): StartPoint => ({ acceptedAtMs, startedAtMs, isExact: true });
const queued = (acceptedAtMs: number, startedAtMs: number): StartPoint => ({
  acceptedAtMs,
  startedAtMs,
  isExact: false,
});
const curveOf = (...points: StartPoint[]): StartCurve => points.reduce(withStart, noStarts);

describe('the start times of jobs', () => {
  it('are interpolated between known ones', () => {
    const curve = curveOf(exact(0, 1_000), exact(100, 3_000));
    expect([0, 50, 100].map((ms) => startAtMs(curve, ms))).toEqual([1_000, 2_000, 3_000]);
    expect(startAtMs(noStarts, 5)).toBeNull();
  });

  it('are extrapolated beyond them: earlier with the same delay, later as the queue grows', () => {
    const curve = curveOf(exact(1_000, 1_500), exact(2_000, 3_500));
    expect(startAtMs(curve, 500)).toBe(1_000);
    expect(startAtMs(curve, 3_000)).toBe(5_500);
  });

  it('are extrapolated at fifty times the pace of the submissions at most', () => {
    const burst = curveOf(exact(0, 0), exact(10, 10_000));
    expect(startAtMs(burst, 20)).toBe(10_500);
  });

  it('are no earlier for a job that was still seen in the queue, until a reply shows more', () => {
    const waiting = curveOf(exact(0, 100), queued(1_000, 9_000));
    expect(startAtMs(waiting, 1_000)).toBe(9_000);
    expect(startAtMs(withStart(waiting, queued(1_000, 12_000)), 1_000)).toBe(12_000);
    const known = withStart(waiting, exact(2_000, 4_000));
    expect(startAtMs(known, 1_000)).toBe(2_050);
    expect(withStart(known, queued(1_500, 5_000))).toBe(known);
    expect(withStart(known, queued(2_000, 3_000))).toBe(known);
  });

  it('are never before the acceptance, and follow a queue served in order', () => {
    const anyQueue = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 900 })), {
        minLength: 1,
        maxLength: 40,
      })
      .map((steps) => {
        let acceptedAtMs = 0;
        let startedAtMs = 0;
        return steps.map(([gapMs, serviceMs]) => {
          acceptedAtMs += gapMs;
          startedAtMs = Math.max(acceptedAtMs, startedAtMs + serviceMs);
          return exact(acceptedAtMs, startedAtMs);
        });
      });
    fc.assert(
      fc.property(
        anyQueue,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        fc.nat(20_000),
        (jobs, isKnown, askedMs) => {
          const known = jobs.filter((_, index) => isKnown[index]);
          const curve = curveOf(...known);
          expect(curveOf(...known.toReversed())).toEqual(curve);
          const told = startAtMs(curve, askedMs);
          if (told !== null) expect(told).toBeGreaterThanOrEqual(askedMs);
          const [first, last] = [known[0], known.at(-1)];
          if (first === undefined || last === undefined) return;
          for (const job of jobs.filter(
            ({ acceptedAtMs }) => acceptedAtMs >= first.acceptedAtMs && acceptedAtMs <= last.acceptedAtMs,
          )) {
            const before = known.findLast(({ acceptedAtMs }) => acceptedAtMs <= job.acceptedAtMs) ?? first;
            const after = known.find(({ acceptedAtMs }) => acceptedAtMs >= job.acceptedAtMs) ?? last;
            expect(startAtMs(curve, job.acceptedAtMs)).toBeGreaterThanOrEqual(before.startedAtMs - 1e-6);
            expect(startAtMs(curve, job.acceptedAtMs)).toBeLessThanOrEqual(after.startedAtMs + 1e-6);
          }
        },
      ),
    );
  });

  it('remember only the newest few hundred', () => {
    let curve = noStarts;
    for (let ms = 0; ms < 1_000; ms += 1) curve = withStart(curve, exact(ms, ms));
    expect(curve.points).toHaveLength(256);
    expect(curve.points.at(-1)).toEqual(exact(999, 999));
  });
});
