import { expect, it } from 'vitest';
import { backoffMs, maxBackoffMs } from '../../../src-preload/backoff.ts';

it('a wait lies anywhere below 500 ms, doubled with each try, at most 30 s (ruling 10)', () => {
  const steps = [0, 1, 2, 5, 6, 60];
  expect(steps.map(maxBackoffMs)).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000]);
  expect(steps.map((step) => backoffMs(step, () => 0.999_999))).toEqual([499, 999, 1_999, 15_999, 29_999, 29_999]);
  expect(backoffMs(9, () => 0)).toBe(0);
});
