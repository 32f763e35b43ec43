/** How many times as long as it took to read what a handler printed it waits until that may print more. */
const PAUSE_TIMES = 4;
/** Less is not worth a timer. Milliseconds. */
const PAUSE_MIN_MS = 1;
/** So that a handler is never stopped for long, however busy the machine is. */
export const PAUSE_MAX_MS = 50;

interface ReadPaceParts {
  /** Lets the handler print `length` more characters. */
  acknowledge: (length: number) => void;
  /** Any clock that only advances, with fractions of a millisecond. */
  nowMs: () => number;
  /** Calls `run` after `afterMs`; with 0 when what waits in this turn of the event loop is done. */
  later: (afterMs: number, run: () => void) => void;
}

interface ReadPace {
  /** Reads `length` printed characters by `take`. */
  read(length: number, take: () => void): void;
}

/**
 * A handler that prints without a pause waits until the server has read it. So the pace of reading decides how much of
 * the server's time it gets: a fifth, and the rest is for the requests of others. What prints little never waits.
 */
export function createReadPace({ acknowledge, nowMs, later }: ReadPaceParts): ReadPace {
  /** Characters that were read and not acknowledged, and how long that took. */
  let unacknowledged = 0;
  let tookMs = 0;

  function answer(): void {
    const length = unacknowledged;
    unacknowledged = 0;
    acknowledge(length);
  }

  function endTurn(): void {
    const pauseMs = Math.min(PAUSE_MAX_MS, tookMs * PAUSE_TIMES);
    tookMs = 0;
    if (pauseMs < PAUSE_MIN_MS) answer();
    else later(pauseMs, answer);
  }

  return {
    read(length, take) {
      const fromMs = nowMs();
      take();
      tookMs += nowMs() - fromMs;
      if (unacknowledged === 0) later(0, endTurn);
      unacknowledged += length;
    },
  };
}
