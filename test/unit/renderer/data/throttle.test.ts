import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle, createDebounce } from '../../../../src-renderer/data/throttle.ts';

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

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs once, when the last request is long enough ago', () => {
  const run = vi.fn<() => void>();
  const work = createDebounce(100, run);
  for (let times = 0; times < 5; times += 1) {
    work.request();
    vi.advanceTimersByTime(99);
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledOnce();
});

test('flush runs what is pending now, and only that', () => {
  const run = vi.fn<() => void>();
  const work = createDebounce(100, run);
  work.flush();
  expect(run).not.toHaveBeenCalled();
  work.request();
  work.flush();
  expect([run.mock.calls.length, work.isWaiting()]).toEqual([1, false]);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledOnce();
});

test('a cancelled call does not run', () => {
  const run = vi.fn<() => void>();
  const work = createDebounce(100, run);
  work.request();
  work.cancel();
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
});
