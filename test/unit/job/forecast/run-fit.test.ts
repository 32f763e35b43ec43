import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunSample } from '../../../../src-main/history/records.ts';
import { expectedRunMs, fitRuns } from '../../../../src-main/job/forecast/run-fit.ts';

const run = (executionMs: number, numbers: Record<string, number> = {}): RunSample => ({ executionMs, numbers });
const fitted = (samples: readonly RunSample[]) => {
  const fit = fitRuns(samples);
  if (fit === null) throw new Error('Nothing was learned.');
  return fit;
};
/** A whole number below `size` that looks drawn, the same for each index. */
const drawn = (index: number, size: number): number => (index * 7_919 + 104_729) % size;

describe('learned run times', () => {
  it('are unknown before a few runs, then their median', () => {
    expect(fitRuns([1, 2, 3, 4].map((ms) => run(ms)))).toBeNull();
    const fit = fitted([100, 200, 300, 400, 90_000].map((ms) => run(ms)));
    expect(fit).toMatchObject({ typicalMs: 300, by: null });
    expect(expectedRunMs(fit, { steps: 5 })).toBe(300);
  });

  it('follow the number of the input that explains them, among others that do not', () => {
    const samples = Array.from({ length: 40 }, (_, index) => {
      const steps = 10 + drawn(index, 41);
      return run(500 + 80 * steps + (index % 5), { steps, seed: drawn(index * 31, 10_007), 'size.width': 512 });
    });
    const fit = fitted(samples);
    expect(fit.by?.field).toBe('steps');
    expect(Math.abs(expectedRunMs(fit, { steps: 100 }) - 8_500)).toBeLessThan(100);
    expect(expectedRunMs(fit, {})).toBe(fit.typicalMs);
  });

  it('are never expected to be more than four times the longest, or negative', () => {
    const fit = fitted(Array.from({ length: 20 }, (_, steps) => run(1_000 * (steps + 1), { steps })));
    expect([-50, 10, 60, 500].map((steps) => expectedRunMs(fit, { steps }))).toEqual([0, 11_000, 61_000, 80_000]);
  });

  it('are not distorted by a fifth of odd runs', () => {
    const samples = Array.from({ length: 60 }, (_, index) =>
      run(index % 5 === 0 ? 50_000 : 1_000 * (1 + drawn(index, 13)), { frames: 1 + drawn(index, 13) }),
    );
    const fit = fitted(samples);
    expect(fit.by?.field).toBe('frames');
    expect(Math.abs(expectedRunMs(fit, { frames: 8 }) - 8_000)).toBeLessThan(900);
  });

  it('drop a number that no longer explains anything', () => {
    const delivery = Array.from({ length: 30 }, (_, index) => run(100 * drawn(index, 11), { steps: drawn(index, 11) }));
    const silent = Array.from({ length: 270 }, (_, index) =>
      run(3_000 + drawn(index * 17, 997), { steps: drawn(index, 11) }),
    );
    expect(fitted(delivery).by?.field).toBe('steps');
    expect(fitted([...delivery, ...silent].slice(-270)).by).toBeNull();
  });

  it('use a field of any name', () => {
    const samples = Array.from({ length: 12 }, (_, index) => run(100 * index, { constructor: index }));
    expect(expectedRunMs(fitted(samples), {})).toBe(fitted(samples).typicalMs);
  });

  it('are the same for shuffled runs, never negative, and never beyond four times the longest', () => {
    const anySample = fc.record({
      executionMs: fc.nat(100_000),
      numbers: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), fc.integer({ min: -1_000, max: 1_000 }), {
        maxKeys: 3,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(anySample, { minLength: 5, maxLength: 80 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'toString'), fc.integer()),
        (samples, numbers) => {
          const fit = fitted(samples);
          expect(fitRuns(samples.toReversed())).toEqual(fit);
          const expected = expectedRunMs(fit, numbers);
          expect(expected).toBeGreaterThanOrEqual(0);
          expect(expected).toBeLessThanOrEqual(4 * Math.max(...samples.map(({ executionMs }) => executionMs)));
          expect(fit.residualsMs).toHaveLength(samples.length);
        },
      ),
    );
  });

  it('never leave more spread than the median does', () => {
    const middle = (values: number[]): number =>
      values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
    const anySample = fc.record({ executionMs: fc.nat(10_000), numbers: fc.record({ a: fc.nat(50), b: fc.nat(5) }) });
    fc.assert(
      fc.property(fc.array(anySample, { minLength: 8, maxLength: 60 }), (samples) => {
        const fit = fitted(samples);
        const left = middle(fit.residualsMs.map(Math.abs));
        expect(left).toBeLessThanOrEqual(
          middle(samples.map(({ executionMs }) => Math.abs(executionMs - fit.typicalMs))),
        );
      }),
    );
  });
});
