import { uptime } from 'node:os';
import { createForwardTime, type ClockSetting, type TimeSources } from '../../src-preload/forward-time.ts';

/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

/** The engine's clock. It is passed in, so that tests can simulate hours in milliseconds. */
export interface Clock {
  /** Epoch milliseconds. Never less than before. */
  now(): number;
  /** By how much it was set ahead after `sinceMs`, as far as known: that time did not pass. Absent: never. */
  setAheadMs?: (sinceMs: number) => number;
  /** Each time that it was set ahead. Absent: never. */
  settings?: () => readonly ClockSetting[];
  /** Calls `run` once, after at least `delayMs`. */
  after(delayMs: number, run: () => void): Timer;
}

/** setTimeout fires immediately with a longer delay. */
const maxTimerMs = 2_147_483_647;

/** Now, without what the clock was set ahead since `sinceMs`: for what must really have passed since then. */
export function nowWithoutSetting(clock: Clock, sinceMs: number): number {
  return clock.now() - (clock.setAheadMs?.(sinceMs) ?? 0);
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
 * the new time runs immediately. Otherwise it would be late by as long as the machine slept.
 */
export function createMachineClock(sources: TimeSources, startTimer: StartTimer): Clock {
  const waiting = new Set<Waiting>();
  const { now, setAheadMs, settings } = createForwardTime(sources, (nowMs) => {
    for (const each of waiting) {
      each.cancel();
      start(each, each.dueAtMs - nowMs);
    }
  });

  function start(each: Waiting, delayMs: number): void {
    each.cancel = startTimer(Math.min(Math.max(0, delayMs), maxTimerMs), () => {
      waiting.delete(each);
      each.run();
    });
  }

  return {
    now,
    setAheadMs,
    settings,
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
  { wallMs: () => Date.now(), steadyMs: () => performance.now(), uptimeMs: () => uptime() * 1_000 },
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
