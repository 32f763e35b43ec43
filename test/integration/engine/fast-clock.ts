import type { Clock } from '../../../src-main/job/clock.ts';

export interface FastClock extends Clock {
  /** Lets `ms` be gone at once. Timers that are set fire when they would have. */
  skip(ms: number): void;
  /** Timers that are set. */
  pending(): number;
}

/**
 * The machine's clock, `speed` times as fast: waits between polls and tries are as long as ever, and over sooner.
 * Sockets and threads keep their own time.
 */
export function createFastClock(speed: number): FastClock {
  let originMs = Date.now();
  const startedAt = performance.now();
  const timers = new Set<NodeJS.Timeout>();
  return {
    now: () => Math.floor(originMs + (performance.now() - startedAt) * speed),
    after(delayMs, run) {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          run();
        },
        Math.min(Math.max(0, delayMs) / speed, 2 ** 31 - 1),
      );
      timers.add(timer);
      return {
        cancel() {
          timers.delete(timer);
          clearTimeout(timer);
        },
      };
    },
    skip(ms) {
      originMs += ms;
    },
    pending: () => timers.size,
  };
}
