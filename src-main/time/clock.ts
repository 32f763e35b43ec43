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

/** The wall clock moved ahead by more than this: the machine slept, or its clock was set. */
const jumpMs = 1_000;

/**
 * Wall time that never runs backwards. It follows the wall clock, even over a sleep; if that is set back, it continues
 * from where it was (docs/decisions/027). Times saved by an earlier run may still be in the future: their readers apply
 * `notAfter`. `onJump` is called with the new time when it moved ahead faster than time passes.
 */
function createForwardTime({ wallMs, steadyMs }: TimeSources, onJump: (nowMs: number) => void): () => number {
  let anchor = { wallMs: wallMs(), steadyMs: steadyMs() };
  return () => {
    const nowSteadyMs = steadyMs();
    const reachedMs = anchor.wallMs + Math.max(0, nowSteadyMs - anchor.steadyMs);
    anchor = { wallMs: Math.max(reachedMs, wallMs()), steadyMs: nowSteadyMs };
    const nowMs = Math.floor(anchor.wallMs);
    if (anchor.wallMs - reachedMs > jumpMs) onJump(nowMs);
    return nowMs;
  };
}

/** A saved time, limited to now: the clock may have been set back since it was saved. */
export function notAfter(keptMs: number, nowMs: number): number {
  return Math.min(keptMs, nowMs);
}

/** Starts a timer of the system, which stands still while the machine sleeps. Returns what cancels it. */
type StartTimer = (delayMs: number, run: () => void) => () => void;

interface Waiting {
  dueAtMs: number;
  cancel: () => void;
  run: () => void;
}

/**
 * A clock over the machine's. Its timers follow it: after a sleep, or when the wall clock was set ahead, what is due by
 * the new time runs at once, and not later by as much as the machine slept.
 */
export function createMachineClock(sources: TimeSources, startTimer: StartTimer): Clock {
  const waiting = new Set<Waiting>();
  const now = createForwardTime(sources, (nowMs) => {
    for (const each of waiting) {
      each.cancel();
      start(each, each.dueAtMs - nowMs);
    }
  });

  function start(each: Waiting, delayMs: number): void {
    each.cancel = startTimer(Math.min(Math.max(0, delayMs), longestTimerMs), () => {
      waiting.delete(each);
      each.run();
    });
  }

  return {
    now,
    after(delayMs, run) {
      const each: Waiting = { dueAtMs: now() + delayMs, cancel: () => undefined, run };
      waiting.add(each);
      start(each, delayMs);
      return {
        cancel() {
          waiting.delete(each);
          each.cancel();
        },
      };
    },
  };
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = createMachineClock(
  { wallMs: () => Date.now(), steadyMs: () => performance.now() },
  (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
);

/** Minutes since local midnight by the wall clock. */
export function localMinute(atMs: number): number {
  const at = new Date(atMs);
  return at.getHours() * 60 + at.getMinutes();
}
