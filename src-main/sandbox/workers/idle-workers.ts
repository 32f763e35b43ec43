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
export function createIdleWorkers<Worker extends object>({
  clock,
  timeoutMs,
  mayEnd,
  end,
}: IdleWorkersOptions<Worker>): IdleWorkers<Worker> {
  const idle: Worker[] = [];
  // Weak, because a worker that was taken ends without being removed here.
  const sinceMs = new WeakMap<Worker, number>();
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
