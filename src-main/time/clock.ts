/** A timer that can be called off. */
export interface Timer {
  cancel(): void;
}

/** Time as the engine knows it. Passed in, so that tests can be hours long and take milliseconds. */
export interface Clock {
  /** Epoch milliseconds. Never less than it returned before. */
  now(): number;
  /** Calls `run` once, `delayMs` from now at the earliest. */
  after(delayMs: number, run: () => void): Timer;
}

/** setTimeout fires at once when given more than this. */
const longestTimerMs = 2_147_483_647;

/** The machine's clocks: `wallMs` tells the date and can be set; `steadyMs` only runs, and may stand in a sleep. */
export interface TimeSources {
  /** Epoch milliseconds. */
  wallMs: () => number;
  /** Milliseconds since any one moment. */
  steadyMs: () => number;
}

/**
 * The time of day that never runs backwards. It follows the wall clock, over a sleep too; where that is put back, it
 * continues from where it was (docs/decisions/027). Times that a former run kept may still lie ahead of it: readers of
 * kept times apply `notAfter`.
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

/** A time that a former run kept, which may have been written by a clock that was put back since. */
export function notAfter(keptMs: number, nowMs: number): number {
  return Math.min(keptMs, nowMs);
}

/** The machine's clock. Its timers keep the process alive only as long as something else does. */
export const systemClock: Clock = {
  now: createForwardTime({ wallMs: () => Date.now(), steadyMs: () => performance.now() }),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), longestTimerMs));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Midnight of the day that `atMs` falls in, where this computer is. Epoch milliseconds, both. */
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
