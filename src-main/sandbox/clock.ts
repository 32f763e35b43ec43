/** A pending timer of a {@link Clock}. Only the clock that made it uses its content. */
export type ClockTimer = NodeJS.Timeout | number | ScaledTimer;

/** A timer of a clock with another speed. */
class ScaledTimer {
  readonly dueMs: number;
  readonly callback: () => void;
  /** The timer of the underlying clock. Replaced when the speed changes. */
  inner: ClockTimer | null = null;

  constructor(dueMs: number, callback: () => void) {
    this.dueMs = dueMs;
    this.callback = callback;
  }
}

/**
 * The only source of time in the sandbox: ttl, timeouts, retention, cold starts, limits and webhook pauses all use it,
 * so that a test can let 30 minutes pass immediately. Times are milliseconds, not always whole: the scaled clock rounds
 * what others see.
 */
export interface Clock {
  now(): number;
  setTimeout(callback: () => void, delayMs: number): ClockTimer;
  clearTimeout(timer: ClockTimer): void;
}

/** Real time from the monotonic clock, because a changed wall clock must not shorten a ttl. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => {
    if (!(timer instanceof ScaledTimer)) clearTimeout(timer);
  },
};

/** The speeds that `--time-scale` and the control interface accept. */
export const TIME_SCALE = { min: 1, max: 10_000 } as const;

/** A clock that runs `timeScale` times as fast as the underlying one. The speed can be changed while timers wait. */
export interface ScaledClock extends Clock {
  timeScale(): number;
  /** Takes effect immediately: the rest of every waiting timer runs at the new speed. */
  setTimeScale(timeScale: number): void;
}

export interface ScaledClockOptions {
  beneath?: Clock;
  timeScale?: number;
  /** Its first time. By default that of the underlying clock. */
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
    // Rounded up, so that a timer's time has come when it fires.
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
