import type { Clock, Timer } from './clock.ts';

/** A timer for one moment. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #waiting: { atMs: number; timer: Timer } | null = null;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings at `atMs` (epoch milliseconds) instead of any moment set before. Rings immediately if that has passed. */
  set(atMs: number): void {
    if (this.#waiting?.atMs === atMs) return;
    this.cancel();
    if (atMs !== Infinity) this.#wait(atMs);
  }

  /** As `set`, unless it already rings earlier. */
  setAtLatest(atMs: number): void {
    if (this.#waiting === null || atMs < this.#waiting.atMs) this.set(atMs);
  }

  /** Whether it is set. */
  isSet(): boolean {
    return this.#waiting !== null;
  }

  /** Cancels it, until it is set again. */
  cancel(): void {
    this.#waiting?.timer.cancel();
    this.#waiting = null;
  }

  #wait(atMs: number): void {
    this.#waiting = { atMs, timer: this.#clock.after(Math.max(0, atMs - this.#clock.now()), () => this.#reach(atMs)) };
  }

  /** A timer cannot wait longer than some weeks. It then fires earlier and is set again. */
  #reach(atMs: number): void {
    if (this.#clock.now() < atMs) return this.#wait(atMs);
    this.#waiting = null;
    this.#ring();
  }
}

/** Work that may be requested at any time and runs at most once in a given time. */
export interface Throttle {
  /** Runs the work now, or as soon as that is allowed again. Requests in the meantime run it once. */
  request(): void;
  /** The work was done elsewhere, so the next request waits for the gap. */
  skip(): void;
  /** Drops a waiting request. Work in progress continues. */
  cancel(): void;
  /** Resolves when nothing is in progress. */
  idle(): Promise<void>;
}

interface ThrottleParts {
  clock: Clock;
  gapMs: number;
  run: () => Promise<void> | void;
}

/** Runs at most once in `gapMs`, and never while it is still in progress. `run` must not throw or reject. */
export function createThrottle({ clock, gapMs, run }: ThrottleParts): Throttle {
  const alarm = new Alarm(clock, begin);
  let openAtMs = -Infinity;
  let inProgress: Promise<void> | null = null;
  let isWanted = false;

  function begin(): void {
    isWanted = false;
    openAtMs = clock.now() + gapMs;
    const work = run();
    if (work === undefined) return;
    inProgress = work.finally(() => {
      inProgress = null;
      if (isWanted) request();
    });
  }

  function request(): void {
    if (inProgress !== null) isWanted = true;
    else if (alarm.isSet()) return;
    else if (clock.now() >= openAtMs) begin();
    else alarm.set(openAtMs);
  }

  return {
    request,
    skip() {
      openAtMs = clock.now() + gapMs;
    },
    cancel() {
      isWanted = false;
      alarm.cancel();
    },
    idle: async () => void (await inProgress),
  };
}

export interface Deadline {
  /** Aborts when the deadline passes. */
  signal: AbortSignal;
  /** The deadline is this much later than at first, whatever was allowed before. */
  allowExtra(extraMs: number): void;
  clear(): void;
}

/** Real time, not the app's clock, because a deadline only limits the network. */
const realTime: Clock = {
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/**
 * A deadline `timeoutMs` from now that can be moved while it runs, so that a reply that keeps coming at a fair rate is
 * awaited and one that drips is not.
 */
export function createDeadline(timeoutMs: number, time: Clock = realTime): Deadline {
  const controller = new AbortController();
  const startedAtMs = time.now();
  let endsAtMs = startedAtMs + timeoutMs;
  let timer = time.after(timeoutMs, check);
  function check(): void {
    const leftMs = endsAtMs - time.now();
    // Timers may fire up to a millisecond early.
    if (leftMs <= 1) controller.abort();
    else timer = time.after(leftMs, check);
  }
  return {
    signal: controller.signal,
    allowExtra: (extraMs) => {
      endsAtMs = startedAtMs + timeoutMs + extraMs;
    },
    clear: () => timer.cancel(),
  };
}

/**
 * The result of `work`, or null after `limitMs`; the work itself then continues. Rejects if the work rejects in time.
 * Uses real time unless `after` is given, because it waits for threads, sockets and the keychain.
 */
export async function within<T>(
  work: Promise<T>,
  limitMs: number,
  after: Clock['after'] = realTime.after,
): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = after(limitMs, () => late.resolve(null));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    timer.cancel();
  }
}
