import type { Clock } from '../../../src-main/time/clock.ts';

export interface FastClock extends Clock {
  /** Lets `ms` pass immediately. Timers fire when they would have. */
  skip(ms: number): void;
  /** The number of timers. */
  pending(): number;
}

/**
 * The machine's clock, `speed` times as fast: pauses between polls and tries have their full length and are over
 * sooner. Sockets and threads keep real time.
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
