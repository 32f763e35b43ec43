import type { Clock } from '../../../src-main/job/clock.ts';

/** The machine's clock, `speed` times as fast: waits between polls and tries are as long as ever, and over sooner. Sockets and threads keep their own time. */
export function createFastClock(speed: number): Clock {
  const startedAtMs = Date.now();
  const origin = performance.now();
  return {
    now: () => Math.floor(startedAtMs + (performance.now() - origin) * speed),
    after(delayMs, run) {
      const timer = setTimeout(run, Math.min(Math.max(0, delayMs) / speed, 2 ** 31 - 1));
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
