export interface Deadline {
  /** Aborts when the deadline passes. */
  signal: AbortSignal;
  /** Moves the deadline to its first time plus `ms`. */
  extendTo(ms: number): void;
  clear(): void;
}

/**
 * A deadline `timeoutMs` from now that can be moved while it runs: a reply that keeps coming at a fair rate is waited
 * for, one that drips is not. Real time, not the app's clock: it bounds the network, and nothing else depends on it.
 */
export function createDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const startedAt = performance.now();
  let endsAt = startedAt + timeoutMs;
  let timer = setTimeout(check, timeoutMs);
  function check(): void {
    const leftMs = endsAt - performance.now();
    // Timers may come up to a millisecond early.
    if (leftMs <= 1) controller.abort();
    else timer = setTimeout(check, leftMs);
  }
  return {
    signal: controller.signal,
    extendTo: (ms) => {
      endsAt = startedAt + timeoutMs + ms;
    },
    clear: () => clearTimeout(timer),
  };
}
