import type { Clock, ClockTimer } from '../clock.ts';

/** The idle workers. The last to become idle gets the next job, so that the first can time out. */
export interface IdleWorkers<Worker> {
  add(worker: Worker): void;
  /** Removes and returns the one for the next job. */
  take(): Worker | undefined;
  /** Returns it as if it had never been taken. */
  putBack(worker: Worker): void;
  remove(worker: Worker): void;
  count(): number;
  /** Longest idle first. */
  all(): readonly Worker[];
  /** Call it when a timeout may have become possible. */
  watchTimeout(): void;
  /** Call it when the timeout itself has changed. */
  restartTimeout(): void;
  close(): void;
}

export interface IdleWorkersOptions<Worker> {
  clock: Clock;
  timeoutMs(): number;
  /** False at the minimum of workers. */
  mayEnd(): boolean;
  /** Ends one that has timed out, which must then be removed. */
  end(worker: Worker): void;
}

/** One timer serves all: it is set for the longest idle, and left unchanged while jobs come and go. */
export function createIdleWorkers<Worker>({
  clock,
  timeoutMs,
  mayEnd,
  end,
}: IdleWorkersOptions<Worker>): IdleWorkers<Worker> {
  const idle: Worker[] = [];
  const sinceMs = new Map<Worker, number>();
  let timer: ClockTimer | null = null;

  function dueInMs(): number {
    const [longest] = idle;
    if (longest === undefined || !mayEnd()) return Infinity;
    return (sinceMs.get(longest) ?? 0) + timeoutMs() - clock.now();
  }

  function watchTimeout(): void {
    if (timer !== null) return;
    const delayMs = dueInMs();
    if (delayMs === Infinity) return;
    timer = clock.setTimeout(
      () => {
        timer = null;
        while (dueInMs() <= 0) {
          const worker = idle.shift();
          if (worker !== undefined) end(worker);
        }
        watchTimeout();
      },
      Math.max(0, delayMs),
    );
  }

  function clearTimer(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  return {
    add: (worker) => {
      idle.push(worker);
      sinceMs.set(worker, clock.now());
    },
    take: () => idle.pop(),
    putBack: (worker) => void idle.push(worker),
    remove: (worker) => {
      sinceMs.delete(worker);
      const index = idle.indexOf(worker);
      if (index !== -1) idle.splice(index, 1);
    },
    count: () => idle.length,
    all: () => [...idle],
    watchTimeout,
    restartTimeout: () => {
      clearTimer();
      watchTimeout();
    },
    close: clearTimer,
  };
}

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
