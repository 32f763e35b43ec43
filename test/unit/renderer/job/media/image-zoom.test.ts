import { expect, test } from 'vitest';
import { scaledBySteps, scaledByWheel } from '../../../../../src-renderer/job/media/image-zoom.tsx';

test('a step back undoes a step, and a wheel towards the user zooms out', () => {
  expect(scaledBySteps(1, 1)).toBeGreaterThan(1);
  expect(scaledBySteps(scaledBySteps(1, 1), -1)).toBeCloseTo(1);
  expect(scaledByWheel(1, 100)).toBeLessThan(1);
  expect(scaledByWheel(1, -100)).toBeCloseTo(scaledBySteps(1, 1), 2);
});

test('no scale exceeds the useful range', () => {
  expect(scaledBySteps(1, 100)).toBe(16);
  expect(scaledBySteps(1, -100)).toBe(0.05);
  expect(scaledByWheel(1, -1e6)).toBe(16);
  expect(scaledByWheel(1, 1e6)).toBe(0.05);
});
