import { systemClock } from '../../src-main/time/clock.ts';
import type { Clock } from '../../src-main/time/clock.ts';

/** A clock that stands still until it is advanced. */
export interface VirtualClock extends Clock {
  /**
   * Lets `ms` pass. Timers fire in order, each at its own time. Between two of them, real work (promises, sockets, the
   * disk) may finish, as it would in the real time between them.
   */
  advance(ms: number): Promise<void>;
  /** Moves time without firing timers between, like a machine that sleeps. They fire at the next `advance`. */
  jump(ms: number): void;
  /** Sets the clock ahead by `ms`, which do not pass. Timers fire at the next `advance`. */
  set(ms: number): void;
  /** Timers that are set. */
  pending(): number;
  /** When the next timer fires. Null if none is set. */
  nextAtMs(): number | null;
}

/** `settle` waits until the work that a timer began is done. The default runs promises and the event loop. */
export function createVirtualClock(startMs = 1_700_000_000_000, settle: () => Promise<void> = turnLoop): VirtualClock {
  interface Entry {
    atMs: number;
    order: number;
    run: () => void;
  }
  const timers = new Set<Entry>();
  const settings: { atMs: number; byMs: number }[] = [];
  let nowMs = startMs;
  let order = 0;

  function next(): Entry | null {
    let first: Entry | null = null;
    for (const entry of timers)
      if (first === null || entry.atMs < first.atMs || (entry.atMs === first.atMs && entry.order < first.order))
        first = entry;
    return first;
  }

  return {
    now: () => nowMs,
    after(delayMs, run) {
      const entry: Entry = { atMs: nowMs + Math.max(0, delayMs), order: (order += 1), run };
      timers.add(entry);
      return { cancel: () => void timers.delete(entry) };
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (let entry = next(); entry !== null && entry.atMs <= untilMs; entry = next()) {
        timers.delete(entry);
        nowMs = Math.max(nowMs, entry.atMs);
        entry.run();
        await settle();
      }
      nowMs = untilMs;
      await settle();
    },
    jump(ms) {
      nowMs += ms;
    },
    set(ms) {
      nowMs += ms;
      settings.push({ atMs: nowMs, byMs: ms });
    },
    setAheadMs: (sinceMs) => settings.reduce((sum, { atMs, byMs }) => (atMs > sinceMs ? sum + byMs : sum), 0),
    settings: () => [...settings],
    pending: () => timers.size,
    nextAtMs: () => next()?.atMs ?? null,
  };
}

/** A few turns of the event loop, so that no promise or immediate callback is left. */
async function turnLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A clock that runs `times` as fast as the machine's, so that pauses between real requests are shorter. */
export function createFastClock(times: number): Clock {
  const startMs = Date.now();
  return {
    now: () => startMs + (Date.now() - startMs) * times,
    after: (delayMs, run) => systemClock.after(delayMs / times, run),
  };
}
