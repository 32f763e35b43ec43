import { useSyncExternalStore } from 'react';
import { engineNow } from './engine-time.ts';

/**
 * One clock per interval, shared by all components that show it. It stands still while the window is hidden or nothing
 * uses it.
 */
interface Ticker {
  subscribe: (listener: () => void) => () => void;
  /** Epoch milliseconds, the same until `everyMs` passed: React reads it in a render and again once it subscribed. */
  read: () => number;
}

const tickers = new Map<number, Ticker>();

/**
 * For users who want less motion, no clock is quicker: tenths of a second flicker. Looked up once, because clocks that
 * changed to another interval one by one would show different times in one frame.
 */
const quickestMs =
  typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion:reduce)').matches ? 1_000 : 0;

function createTicker(everyMs: number): Ticker {
  const listeners = new Set<() => void>();
  let nowMs = engineNow();
  let timer: ReturnType<typeof setTimeout> | null = null;

  /** While unused, the clock keeps the time of its last use, which the first frame would show. */
  const readIdle = (): number => {
    const atMs = engineNow();
    if (atMs - nowMs >= everyMs) nowMs = atMs;
    return nowMs;
  };
  const tick = (): void => {
    nowMs = engineNow();
    for (const listener of listeners) listener();
  };
  const schedule = (): void => {
    if (timer !== null || listeners.size === 0 || document.hidden) return;
    // Aligned to the interval, so that all clocks of a window change in the same frame.
    timer = setTimeout(
      () => {
        timer = null;
        tick();
        schedule();
      },
      everyMs - (engineNow() % everyMs),
    );
  };
  const onVisibility = (): void => {
    if (document.hidden) {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    } else {
      tick();
      schedule();
    }
  };
  return {
    read: () => (listeners.size === 0 ? readIdle() : nowMs),
    subscribe: (listener) => {
      if (listeners.size === 0) {
        nowMs = engineNow();
        document.addEventListener('visibilitychange', onVisibility);
      }
      listeners.add(listener);
      schedule();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        document.removeEventListener('visibilitychange', onVisibility);
        if (timer !== null) clearTimeout(timer);
        timer = null;
      };
    },
  };
}

/** The time in epoch milliseconds, updated every `everyMs`; for users who want less motion, once a second at most. */
export function useNow(everyMs: number): number {
  const { subscribe, read } = tickerOf(everyMs);
  return useSyncExternalStore(subscribe, read, read);
}

/** The clock for what is updated every `everyMs`, as `useNow` says; `read` returns epoch milliseconds. */
export function tickerOf(everyMs: number): Ticker {
  const intervalMs = Math.max(everyMs, quickestMs);
  let ticker = tickers.get(intervalMs);
  if (ticker === undefined) {
    ticker = createTicker(intervalMs);
    tickers.set(intervalMs, ticker);
  }
  return ticker;
}
