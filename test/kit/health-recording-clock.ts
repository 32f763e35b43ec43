import type { Clock } from '../../src-main/sandbox/clock.ts';

/** A clock that goes from timer to timer, so that real work can come to rest between two. */
export interface SteppedClock extends Clock {
  /** When the next timer is due; Infinity without any. */
  nextAtMs(): number;
  /** Time is now `atMs`; what is due then fires. */
  moveTo(atMs: number): void;
}

/** A clock that stands at `startMs`. Two timers of one moment fire in the order in which they were set. */
export function createSteppedClock(startMs: number): SteppedClock {
  const timers = new Map<number, { atMs: number; run: () => void }>();
  let nowMs = startMs;
  let last = 0;

  function first(): [number, { atMs: number; run: () => void }] | null {
    let found: [number, { atMs: number; run: () => void }] | null = null;
    for (const entry of timers) if (found === null || entry[1].atMs < found[1].atMs) found = entry;
    return found;
  }

  return {
    now: () => nowMs,
    setTimeout: (run, delayMs) => {
      last += 1;
      timers.set(last, { atMs: nowMs + Math.max(0, delayMs), run });
      return last;
    },
    clearTimeout: (timer) => void timers.delete(Number(timer)),
    nextAtMs: () => first()?.[1].atMs ?? Infinity,
    moveTo: (atMs) => {
      nowMs = Math.max(nowMs, atMs);
      for (let due = first(); due !== null && due[1].atMs <= nowMs; due = first()) {
        timers.delete(due[0]);
        due[1].run();
      }
    },
  };
}
