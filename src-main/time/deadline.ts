import type { Clock } from './clock.ts';

export interface Deadline {
  /** Aborts when the deadline passes. */
  signal: AbortSignal;
  /** Moves the deadline to its first time plus `ms`. */
  extendTo(ms: number): void;
  clear(): void;
}

/** Real time, not the app's clock: a deadline bounds the network, and nothing else depends on it. */
const realTime: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/**
 * A deadline `timeoutMs` from now that can be moved while it runs: a reply that keeps coming at a fair rate is waited
 * for, one that drips is not.
 */
export function createDeadline(timeoutMs: number, time: Clock = realTime): Deadline {
  const controller = new AbortController();
  const startedAt = time.now();
  let endsAt = startedAt + timeoutMs;
  let timer = time.after(timeoutMs, check);
  function check(): void {
    const leftMs = endsAt - time.now();
    // Timers may come up to a millisecond early.
    if (leftMs <= 1) controller.abort();
    else timer = time.after(leftMs, check);
  }
  return {
    signal: controller.signal,
    extendTo: (ms) => {
      endsAt = startedAt + timeoutMs + ms;
    },
    clear: () => timer.cancel(),
  };
}
