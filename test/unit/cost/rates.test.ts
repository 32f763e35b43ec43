import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withRate } from '../../../src-main/cost/costs.ts';
import { rateAt } from '../../../src-preload/cost.ts';
import type { CostRate } from '../../../src-preload/cost.ts';

const source = { kind: 'typed' } as const;

describe('setting a rate', () => {
  it('prices everything before if there was no rate, and only what follows if there was one', () => {
    const first = withRate([], { creditsPerHour: 1, source }, 100);
    expect(first).toEqual([{ creditsPerHour: 1, sinceMs: 0, source }]);
    const second = withRate(first, { creditsPerHour: 2, source }, 200);
    expect([0, 199, 200].map((atMs) => rateAt(second, atMs))).toEqual([1, 1, 2]);
  });
  it('deletes the former rates only if it also applies to earlier jobs', () => {
    const rates = withRate(
      withRate([], { creditsPerHour: 1, source }, 100),
      { creditsPerHour: 2, source, isForEarlier: true },
      200,
    );
    expect(rates).toEqual([{ creditsPerHour: 2, sinceMs: 0, source }]);
  });
  it('to none keeps the prices of earlier jobs', () => {
    const rates = withRate([{ creditsPerHour: 1, sinceMs: 0, source }], { creditsPerHour: null, source }, 200);
    expect([199, 200].map((atMs) => rateAt(rates, atMs))).toEqual([1, null]);
  });
  it('to the same value keeps its time and uses the new source', () => {
    const pod = { kind: 'pod', podId: 'p', readAtMs: 5, field: 'costPerHr' } as const;
    expect(withRate([{ creditsPerHour: 1, sinceMs: 0, source }], { creditsPerHour: 1, source: pod }, 200)).toEqual([
      { creditsPerHour: 1, sinceMs: 0, source: pod },
    ]);
  });
  it('never changes the price of earlier jobs, and applies from now on, whatever came before', () => {
    const change = fc.record({
      creditsPerHour: fc.option(fc.integer({ min: 1, max: 5 })),
      atMs: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.integer({ min: 0, max: 60 }), (changes, probeMs) => {
        let rates: CostRate[] = [];
        for (const { creditsPerHour, atMs } of changes.toSorted((a, b) => a.atMs - b.atMs)) {
          const before = rateAt(rates, probeMs);
          rates = withRate(rates, { creditsPerHour, source, isForEarlier: false }, atMs);
          expect(rateAt(rates, atMs)).toBe(creditsPerHour);
          if (probeMs < atMs) expect(rateAt(rates, probeMs)).toBe(before);
          expect(rates.map(({ sinceMs }) => sinceMs)).toEqual(
            rates.map(({ sinceMs }) => sinceMs).toSorted((a, b) => a - b),
          );
        }
      }),
    );
  });
});
