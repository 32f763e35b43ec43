import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { engineNow } from '../../../../src-renderer/data/engine-time.ts';
import { tickerOf } from '../../../../src-renderer/data/use-now.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_900_000_000_000, toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a clock that nothing used for long shows the present time from its first reading, not that of its last use', () => {
  const clock = tickerOf(1_000);
  clock.subscribe(() => {})();
  vi.advanceTimersByTime(600_000);
  expect(clock.read()).toBe(engineNow());
});

test('two readings within one interval are the same, used or not, so that a render is not repeated', () => {
  const clock = tickerOf(1_000);
  vi.advanceTimersByTime(5_000);
  const first = clock.read();
  vi.advanceTimersByTime(900);
  expect(clock.read()).toBe(first);
});

test('a clock in use ticks at each whole interval', () => {
  const clock = tickerOf(1_000);
  const firstMs = (Math.floor(engineNow() / 1_000) + 1) * 1_000;
  const seen: number[] = [];
  const stop = clock.subscribe(() => seen.push(clock.read()));
  vi.advanceTimersByTime(3_000);
  stop();
  expect(seen).toEqual([firstMs, firstMs + 1_000, firstMs + 2_000]);
});

test.each([
  [true, 1],
  [false, 10],
])('with less motion wanted (%s), tenths of a second tick %i times a second', async (matches, ticks) => {
  vi.stubGlobal('matchMedia', () => ({ matches }));
  vi.resetModules();
  const { tickerOf: freshTickerOf } = await import('../../../../src-renderer/data/use-now.ts');
  const clock = freshTickerOf(100);
  const seen: number[] = [];
  const stop = clock.subscribe(() => seen.push(clock.read()));
  vi.advanceTimersByTime(1_000);
  stop();
  expect(seen).toHaveLength(ticks);
});
