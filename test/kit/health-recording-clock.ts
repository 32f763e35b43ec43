import type { Clock } from '../../src-main/sandbox/clock.ts';

/** A clock that jumps from timer to timer, so that real work can finish between two of them. */
export interface SteppedClock extends Clock {
  /** When the next timer is due. Infinity if there is none. */
  nextAtMs(): number;
  /** Sets the time to `atMs`. What is due then fires. */
  moveTo(atMs: number): void;
}

/** A clock that is stopped at `startMs`. Two timers due at the same moment fire in the order in which they were set. */
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
