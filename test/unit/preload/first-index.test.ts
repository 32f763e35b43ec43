import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstIndex } from '../../../src-preload/first-index.ts';

it('finds the place of a value in ascending ones, as a walk from the start does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: -1, max: 21 }),
      fc.nat(5),
      (some, wanted, from) => {
        const sorted = some.toSorted((a, b) => a - b);
        const start = Math.min(from, sorted.length);
        const walked = sorted.findIndex((value, index) => index >= start && value >= wanted);
        expect(firstIndex(sorted.length, (index) => (sorted[index] ?? 0) < wanted, start)).toBe(
          walked === -1 ? sorted.length : walked,
        );
      },
    ),
  );
});

it('asks about few of many', () => {
  let asked = 0;
  const isBefore = (index: number): boolean => {
    asked += 1;
    return index < 700_000;
  };
  expect(firstIndex(1_000_000, isBefore)).toBe(700_000);
  expect(asked).toBeLessThanOrEqual(20);
});
