import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from '../../../../src-renderer/data/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs immediately, then once for all calls in between', () => {
  let runs = 0;
  const ask = createThrottle(100, () => {
    runs += 1;
  });
  ask();
  expect(runs).toBe(1);
  ask();
  ask();
  expect(runs).toBe(1);
  vi.advanceTimersByTime(100);
  expect(runs).toBe(2);
  vi.advanceTimersByTime(500);
  expect(runs).toBe(2);
});

test('a steady stream of calls runs once an interval, the last one included', () => {
  let runs = 0;
  const ask = createThrottle(100, () => {
    runs += 1;
  });
  for (let ms = 0; ms < 1_000; ms += 10) {
    ask();
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(200);
  expect(runs).toBe(11);
});
