import { afterEach, expect, test, vi } from 'vitest';
import { countTimeShown } from '../../../../src-renderer/design/toast.tsx';

afterEach(() => void vi.useRealTimers());

test('it is over after its time', () => {
  vi.useFakeTimers();
  const onOver = vi.fn<() => void>();
  countTimeShown(1_200, onOver);
  vi.advanceTimersByTime(1_199);
  expect(onOver).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onOver).toHaveBeenCalledOnce();
});

test('a window that does nothing for seconds shows it no shorter', () => {
  vi.useFakeTimers();
  const onOver = vi.fn<() => void>();
  countTimeShown(5_000, onOver);
  // A timer that is late runs once, whatever time has passed.
  for (let late = 0; late < 9; late += 1) vi.advanceTimersToNextTimer();
  expect(onOver).not.toHaveBeenCalled();
  vi.advanceTimersToNextTimer();
  expect(onOver).toHaveBeenCalledOnce();
});

test('it can be ended', () => {
  vi.useFakeTimers();
  const onOver = vi.fn<() => void>();
  countTimeShown(5_000, onOver)();
  vi.advanceTimersByTime(10_000);
  expect(onOver).not.toHaveBeenCalled();
});
