/** A pending timer of a {@link Clock}; opaque to everyone but the clock that made it. */
export type ClockTimer = NodeJS.Timeout | number;

/**
 * The only source of time in the sandbox: ttl, timeouts, retention, cold starts and webhook pauses
 * all go through it, so that a test lets 30 minutes pass in an instant. Times are whole milliseconds.
 */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): ClockTimer;
  clearTimeout(timer: ClockTimer): void;
}

/** Real time, read from the monotonic clock: a changed wall clock must not shorten anyone's ttl. */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer),
};
