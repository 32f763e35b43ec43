/** A pending timer of a {@link Clock}; opaque to everyone but the clock that made it. */
export type ClockTimer = NodeJS.Timeout | number | ScaledTimer;

/** A timer of a clock that runs at another speed. */
class ScaledTimer {
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

/** The speeds that `--time-scale` and the control interface accept. */
export const TIME_SCALE = { min: 1, max: 10_000 } as const;

/** A clock that runs `timeScale` times as fast as the one beneath; the speed can be changed while timers wait. */
export interface ScaledClock extends Clock {
  timeScale(): number;
  /** Takes effect at once: what is left of every waiting timer passes at the new speed. */
  setTimeScale(timeScale: number): void;
}

export interface ScaledClockOptions {
  beneath?: Clock;
  timeScale?: number;
  /** The time it shows first; left out: that of the clock beneath. */
  startMs?: number;
}

/** Throws a `RangeError` for a speed outside {@link TIME_SCALE}. */
export function createScaledClock({
  beneath = systemClock,
  timeScale = 1,
  startMs,
}: ScaledClockOptions = {}): ScaledClock {
  const pending = new Set<ScaledTimer>();
  checkTimeScale(timeScale);
  let scale = timeScale;
  let anchorMs = startMs ?? beneath.now();
  let anchorBeneathMs = beneath.now();

  const exactNow = (): number => anchorMs + (beneath.now() - anchorBeneathMs) * scale;

  function arm(timer: ScaledTimer): void {
    const delayMs = Math.max(0, timer.dueMs - exactNow()) / scale;
    // Rounded up: a timer must not find, when it fires, that its time has not come.
    timer.inner = beneath.setTimeout(() => {
      pending.delete(timer);
      timer.inner = null;
      timer.callback();
    }, Math.ceil(delayMs));
  }

  function disarm(timer: ScaledTimer): void {
    if (timer.inner !== null) beneath.clearTimeout(timer.inner);
    timer.inner = null;
  }

  return {
    now: () => Math.floor(exactNow()),
    setTimeout: (callback, delayMs) => {
      const timer = new ScaledTimer(exactNow() + Math.max(0, delayMs), callback);
      pending.add(timer);
      arm(timer);
      return timer;
    },
    clearTimeout: (timer) => {
      if (!(timer instanceof ScaledTimer) || !pending.delete(timer)) return;
      disarm(timer);
    },
    timeScale: () => scale,
    setTimeScale: (next) => {
      checkTimeScale(next);
      anchorMs = exactNow();
      anchorBeneathMs = beneath.now();
      scale = next;
      for (const timer of pending) {
        disarm(timer);
        arm(timer);
      }
    },
  };
}

/** Throws a `RangeError` for a speed outside {@link TIME_SCALE}. */
export function checkTimeScale(timeScale: number): void {
  if (Number.isFinite(timeScale) && timeScale >= TIME_SCALE.min && timeScale <= TIME_SCALE.max) return;
  throw new RangeError(`The time scale must be from ${TIME_SCALE.min} to ${TIME_SCALE.max}, not ${timeScale}.`);
}
