/** Time as this feature needs it. Passed in, so that tests can be hours long and take milliseconds. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `run` once, `delayMs` from now at the earliest. */
  after(delayMs: number, run: () => void): Timer;
}

/** A timer that can be called off. */
export interface Timer {
  cancel(): void;
}
