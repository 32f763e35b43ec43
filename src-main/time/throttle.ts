import { createAlarm } from './alarm.ts';
import type { Clock } from './clock.ts';

/** Work that may be asked for at any time and is done at most once in a while. */
export interface Throttle {
  /** Does the work now, or as soon as it may be done again. What is asked for meanwhile is done once. */
  request(): void;
  /** The work is done now by somebody else: the next request waits for the gap. */
  skip(): void;
  /** What waits is not done; what is under way goes on. */
  cancel(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** The work begins at most once in `gapMs`, and never while it is still under way. It must not throw or reject. */
export function createThrottle({
  clock,
  gapMs,
  run,
}: {
  clock: Clock;
  gapMs: number;
  run: () => Promise<void> | void;
}): Throttle {
  const alarm = createAlarm(clock, begin);
  let openAtMs = -Infinity;
  let underWay: Promise<void> | null = null;
  let isWanted = false;

  function begin(): void {
    isWanted = false;
    openAtMs = clock.now() + gapMs;
    const work = run();
    if (work === undefined) return;
    underWay = work.finally(() => {
      underWay = null;
      if (isWanted) request();
    });
  }

  function request(): void {
    if (underWay !== null) isWanted = true;
    else if (alarm.isSet()) return;
    else if (clock.now() >= openAtMs) begin();
    else alarm.set(openAtMs);
  }

  return {
    request,
    skip() {
      openAtMs = clock.now() + gapMs;
    },
    cancel() {
      isWanted = false;
      alarm.cancel();
    },
    idle: async () => void (await underWay),
  };
}
