import { backoffMs } from '../../../src-preload/backoff.ts';
import type { Clock, Timer } from '../../time/clock.ts';

/** Repeats a write that must not be given up, because its content exists nowhere else. */
export interface DurableWrites {
  /** Resolves when `write` has. Rejects only if the engine closes before. */
  untilDone<T>(write: () => Promise<T>): Promise<T>;
  /**
   * As `untilDone`, for what could be read from the service again, but not for ever. `chars` of text stay in memory
   * meanwhile; if too many do already, it rejects as `write` does, and the caller reads it again.
   */
  holdUntilDone<T>(chars: number, write: () => Promise<T>): Promise<T>;
  /** Tries everything that waits a last time. */
  close(): void;
}

/** The most characters held for a disk. What exceeds that is read from the service again. */
const maxHeldChars = 128_000_000;

export interface DurableWritesParts {
  clock: Clock;
  random: () => number;
  onTrouble: (error: unknown) => void;
  /** Called when the last write that had been refused is done. */
  onRecovered: () => void;
  maxHeldChars?: number;
}

/** Repeats with back-off (base 500 ms, cap 30 s) while the disk refuses. `onTrouble` is called each time. */
export function createDurableWrites(parts: DurableWritesParts): DurableWrites {
  const waiting = new Map<Timer, () => void>();
  let isClosed = false;
  let heldChars = 0;
  /** How many writes were refused and are not done. */
  let refused = 0;

  function pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = parts.clock.after(delayMs, () => {
        waiting.delete(timer);
        resolve();
      });
      waiting.set(timer, resolve);
    });
  }

  async function untilDone<T>(write: () => Promise<T>, mayWait = (): boolean => true): Promise<T> {
    for (let step = 0; ; step += 1) {
      try {
        const done = await write();
        if (step > 0) refused -= 1;
        if (step > 0 && refused === 0) parts.onRecovered();
        return done;
      } catch (error) {
        if (isClosed || !mayWait()) {
          if (step > 0) refused -= 1;
          throw error;
        }
        if (step === 0) refused += 1;
        parts.onTrouble(error);
        await pause(backoffMs(step + 1, parts.random));
      }
    }
  }

  return {
    untilDone: (write) => untilDone(write),
    async holdUntilDone(chars, write) {
      let isHeld = false;
      const hold = (): boolean => {
        if (!isHeld && heldChars + chars <= (parts.maxHeldChars ?? maxHeldChars)) {
          isHeld = true;
          heldChars += chars;
        }
        return isHeld;
      };
      try {
        return await untilDone(write, hold);
      } finally {
        if (isHeld) heldChars -= chars;
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
