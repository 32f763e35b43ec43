import type { Clock } from './clock.ts';

/** Runs a few pieces of work at once, in the order they were added. */
export interface FewAtOnce {
  /**
   * Runs `work` when there is a place for it, and resolves or rejects as it does. Rejects with `refusal`, without
   * running it, if there is none in time.
   */
  run<T>(work: () => Promise<T>, refusal: () => Error): Promise<T>;
}

/** At most `max` at once. The others wait for `waitMs` at most. */
export function createFewAtOnce({ max, waitMs, clock }: { max: number; waitMs: number; clock: Clock }): FewAtOnce {
  const waiting: (() => void)[] = [];
  let running = 0;

  function place(refusal: () => Error): Promise<void> {
    if (running < max) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = clock.after(waitMs, () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(refusal());
      });
      function begin(): void {
        timer.cancel();
        resolve();
      }
      waiting.push(begin);
    });
  }

  /** The place goes to the next one that waits. */
  function release(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run(work, refusal) {
      await place(refusal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
