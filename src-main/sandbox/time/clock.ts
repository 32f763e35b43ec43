/** A pending timer of a {@link Clock}; opaque to everyone but the clock that made it. */
export type ClockTimer = NodeJS.Timeout | number | ScaledTimer;

/** A timer of a clock that runs at another speed; see scaled-clock.ts. */
export class ScaledTimer {
  readonly dueMs: number;
  readonly callback: () => void;
  /** The timer of the clock beneath; replaced when the speed changes. */
  inner: ClockTimer | null = null;

  constructor(dueMs: number, callback: () => void) {
    this.dueMs = dueMs;
    this.callback = callback;
  }
}

/**
 * The only source of time in the sandbox: ttl, timeouts, retention, cold starts, limits and webhook pauses
 * all go through it, so that a test lets 30 minutes pass in an instant. Times are milliseconds, not always whole: the
 * scaled clock rounds what others see.
 */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): ClockTimer;
  clearTimeout(timer: ClockTimer): void;
}

/** Real time, read from the monotonic clock: a changed wall clock must not shorten anyone's ttl. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => {
    if (!(timer instanceof ScaledTimer)) clearTimeout(timer);
  },
};
