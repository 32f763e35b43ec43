/** A timer that can be called off. */
export interface Timer {
  cancel(): void;
}

/** Time as the engine knows it. Passed in, so that tests can be hours long and take milliseconds. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `run` once, `delayMs` from now at the earliest. */
  after(delayMs: number, run: () => void): Timer;
}

/** setTimeout fires at once when given more than this. */
const longestTimerMs = 2_147_483_647;

/** The machine's clock. Its timers keep the process alive only as long as something else does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), longestTimerMs));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
