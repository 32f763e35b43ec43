/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

/** The engine's clock. It is passed in, so that tests can simulate hours in milliseconds. */
export interface Clock {
  /** Epoch milliseconds. Never less than before. */
  now(): number;
  /** Calls `run` once, after at least `delayMs`. */
  after(delayMs: number, run: () => void): Timer;
}

/** setTimeout fires immediately with a longer delay. */
const longestTimerMs = 2_147_483_647;

/** The machine's clocks: `wallMs` can be set by the user; `steadyMs` always advances, but may stop during sleep. */
export interface TimeSources {
  /** Epoch milliseconds. */
  wallMs: () => number;
  /** Milliseconds since an arbitrary moment. */
  steadyMs: () => number;
}

/**
 * Wall time that never runs backwards. It follows the wall clock, even over a sleep; if that is set back, it continues
 * from where it was (docs/decisions/027). Times saved by an earlier run may still be in the future: their readers apply
 * `notAfter`.
 */
export function createForwardTime({ wallMs, steadyMs }: TimeSources): () => number {
  let anchor = { wallMs: wallMs(), steadyMs: steadyMs() };
  return () => {
    const nowSteadyMs = steadyMs();
    const reachedMs = anchor.wallMs + Math.max(0, nowSteadyMs - anchor.steadyMs);
    anchor = { wallMs: Math.max(reachedMs, wallMs()), steadyMs: nowSteadyMs };
    return Math.floor(anchor.wallMs);
  };
}

/** A saved time, limited to now: the clock may have been set back since it was saved. */
export function notAfter(keptMs: number, nowMs: number): number {
  return Math.min(keptMs, nowMs);
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: createForwardTime({ wallMs: () => Date.now(), steadyMs: () => performance.now() }),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), longestTimerMs));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Local midnight of the day of `atMs`. Both in epoch milliseconds. */
export function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

/** The local date, such as `2026-11-21`. */
export function localDate(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/** The local time of day, such as `14:32`. */
export function localTime(atMs: number): string {
  const at = new Date(atMs);
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** Minutes since local midnight by the wall clock. */
export function localMinute(atMs: number): number {
  const at = new Date(atMs);
  return at.getHours() * 60 + at.getMinutes();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
