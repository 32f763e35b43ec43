/** The wait after the first failure, and the shortest one after any. */
const firstWaitMs = 5_000;
const maxWaitMs = 300_000;

/** When the index is tried again after it could not be written: a full disk, or a file that another program holds. */
export interface IndexRetries {
  /**
   * It could not be written. Returns how long to wait, twice as long each time up to five minutes. Null after that:
   * only a change or a search tries again, so that a disk that stays full costs nothing while nothing happens.
   */
  failed(): number | null;
  worked(): void;
  /** How long to wait before a change is indexed: until five seconds after a failure, which most would only repeat. */
  beforeChange(): number;
}

/** `now` and all waits are in milliseconds. */
export function createIndexRetries(now: () => number): IndexRetries {
  let waitMs = firstWaitMs;
  let failedAtMs = -Infinity;
  return {
    failed() {
      failedAtMs = now();
      if (waitMs > maxWaitMs) return null;
      const wait = waitMs;
      waitMs = wait === maxWaitMs ? Infinity : Math.min(wait * 2, maxWaitMs);
      return wait;
    },
    worked() {
      waitMs = firstWaitMs;
      failedAtMs = -Infinity;
    },
    beforeChange: () => Math.max(0, failedAtMs + firstWaitMs - now()),
  };
}
