import type { Clock, Timer } from './clock.ts';

/** One timer that waits for one moment. */
export interface Alarm {
  /** Rings at `atMs` (epoch milliseconds) instead of any moment set before; at once where that has passed. */
  set(atMs: number): void;
  /** As `set`, unless it rings earlier already. */
  setAtLatest(atMs: number): void;
  isSet(): boolean;
  cancel(): void;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let waiting: { atMs: number; timer: Timer } | null = null;

  function wait(atMs: number): void {
    waiting = { atMs, timer: clock.after(Math.max(0, atMs - clock.now()), () => reach(atMs)) };
  }

  /** A timer cannot wait for longer than some weeks, and fires earlier then. */
  function reach(atMs: number): void {
    if (clock.now() < atMs) return wait(atMs);
    waiting = null;
    ring();
  }

  function cancel(): void {
    waiting?.timer.cancel();
    waiting = null;
  }

  function set(atMs: number): void {
    if (waiting?.atMs === atMs) return;
    cancel();
    if (atMs !== Infinity) wait(atMs);
  }

  return {
    set,
    setAtLatest(atMs) {
      if (waiting === null || atMs < waiting.atMs) set(atMs);
    },
    isSet: () => waiting !== null,
    cancel,
  };
}
