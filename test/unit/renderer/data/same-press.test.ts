import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endPress, isSamePress } from '../../../../src-renderer/data/same-press.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  endPress();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The window handles a click that happened at this time. */
function handleClickOf(timeStamp: number): void {
  vi.stubGlobal('event', Object.defineProperty(new Event('click'), 'timeStamp', { value: timeStamp }));
}

test('the second of a double click is the same press, however late a busy window handles it', () => {
  handleClickOf(1_000);
  expect(isSamePress('retry')).toBe(false);
  vi.advanceTimersByTime(3_000);
  handleClickOf(1_120);
  expect(isSamePress('retry')).toBe(true);
});

test('a press half a second later is another one, also if both are handled at once', () => {
  handleClickOf(1_000);
  expect(isSamePress('retry')).toBe(false);
  handleClickOf(1_500);
  expect(isSamePress('retry')).toBe(false);
});

test('without an event it is now', () => {
  expect(isSamePress('retry')).toBe(false);
  vi.advanceTimersByTime(400);
  expect(isSamePress('retry')).toBe(true);
  vi.advanceTimersByTime(500);
  expect(isSamePress('retry')).toBe(false);
});
