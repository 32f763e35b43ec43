import type { Clock, ClockTimer } from '../clock.ts';

/** Keeps a handler that cannot be loaded, or crashes immediately, from being restarted in a tight loop. */
export interface StartPauses {
  /** True while nothing may be started. */
  isPaused(): boolean;
  /** True from a failed start until a worker is ready. Meanwhile one at a time is tried. */
  isFailing(): boolean;
  failed(): void;
  /** A worker is ready, or something changed that may help: the next pause is the shortest again. */
  reset(): void;
  close(): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** `onOver` is called when a pause ends. Pauses double from 1 s up to 30 s. */
export function createStartPauses(clock: Clock, onOver: () => void): StartPauses {
  let failuresInRow = 0;
  let timer: ClockTimer | null = null;

  function clear(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  return {
    isPaused: () => timer !== null,
    isFailing: () => failuresInRow > 0,
    failed: () => {
      // Workers that were started together fail together, which counts as one failure.
      if (timer !== null) return;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failuresInRow);
      failuresInRow += 1;
      timer = clock.setTimeout(() => {
        timer = null;
        onOver();
      }, pauseMs);
    },
    reset: () => {
      failuresInRow = 0;
      clear();
    },
    close: clear,
  };
}
