import { backoffMs } from '../../service/rate-governor.ts';
import type { Clock, Timer } from '../../time/clock.ts';

/** Repeats a write that must not be given up: what it holds exists nowhere else any more. */
export interface DurableWrites {
  /** Resolves when `write` did; rejects only when the engine closes before. */
  untilDone<T>(write: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Tries again with back-off (base 500 ms, cap 30 s) while the disk refuses. `onTrouble` is told each time. */
export function createDurableWrites(parts: {
  clock: Clock;
  random: () => number;
  onTrouble: (error: unknown) => void;
}): DurableWrites {
  const waiting = new Map<Timer, () => void>();
  let isClosed = false;

  function pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = parts.clock.after(delayMs, () => {
        waiting.delete(timer);
        resolve();
      });
      waiting.set(timer, resolve);
    });
  }

  return {
    async untilDone(write) {
      for (let step = 0; ; step += 1) {
        try {
          return await write();
        } catch (error) {
          parts.onTrouble(error);
          if (isClosed) throw error;
          await pause(backoffMs(step + 1, parts.random));
          if (isClosed) throw error;
        }
      }
    },
    close() {
      isClosed = true;
      for (const [timer, resolve] of waiting) {
        timer.cancel();
        resolve();
      }
      waiting.clear();
    },
  };
}
