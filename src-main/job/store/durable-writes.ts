import { backoffMs } from '../../../src-preload/backoff.ts';
import type { Clock, Timer } from '../../time/clock.ts';
import type { Job } from '../../../src-preload/job.ts';
import { isOfStorage } from '../../history/history.ts';
import type { JobCommit } from '../../history/records.ts';

/** Repeats a write that must not be given up, because its content exists nowhere else. */
export interface DurableWrites {
  /** Resolves when `write` has. Rejects only if the engine closes before. */
  untilDone<T>(write: () => Promise<T>): Promise<T>;
  /**
   * As `untilDone`, for what could be read from the service again, but not for ever. `chars` of text stay in memory
   * meanwhile; if too many do already, it rejects as `write` does, and the caller reads it again.
   */
  holdUntilDone<T>(chars: number, write: () => Promise<T>): Promise<T>;
  /** Everything that waits is tried again, once. */
  close(): void;
}

/** The most characters that wait for a disk. A service repeats what is above that. */
const maxHeldChars = 128_000_000;

export interface DurableWritesParts {
  clock: Clock;
  random: () => number;
  onTrouble: (error: unknown) => void;
  maxHeldChars?: number;
}

/** Repeats with back-off (base 500 ms, cap 30 s) while the disk refuses. `onTrouble` is called each time. */
export function createDurableWrites(parts: DurableWritesParts): DurableWrites {
  const waiting = new Map<Timer, () => void>();
  let isClosed = false;
  let heldChars = 0;

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
        return await write();
      } catch (error) {
        if (isClosed || !mayWait()) throw error;
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

/** The most changes in one transaction: enough to share its fsync, few enough not to delay reads. */
const batchSize = 200;
/** ...and the most characters of bodies, or one change: chunks, which the service no longer has, wait behind it. */
const batchChars = 4_000_000;

/** Many changes in one transaction. */
export interface CommitQueue {
  commit(change: JobCommit): Promise<Job>;
}

/**
 * Group commit: while one transaction is being written, new changes gather for the next one. Each `commit` resolves
 * when its own change is durable. It rejects if it alone cannot be written, or if nothing can: a locked file is awaited
 * once, not once for each change.
 */
export function createCommitQueue(commitAll: (changes: JobCommit[]) => Promise<Job[]>): CommitQueue {
  interface Waiting {
    change: JobCommit;
    resolve: (job: Job) => void;
    reject: (reason: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      const jobs = await commitAll(batch.map(({ change }) => change));
      batch.forEach(({ change, resolve }, index) => resolve(jobs[index] ?? change.job));
    } catch (error) {
      // One bad change must not affect the others.
      if (batch.length > 1 && !isOfStorage(error)) for (const one of batch) await write([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const count = countOfNext(waiting.map(({ change }) => change));
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      await write(batch);
    }
    isRunning = false;
  }

  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        if (!isRunning) void run();
      }),
  };
}

/** How many of the first changes go into one transaction. */
function countOfNext(changes: readonly JobCommit[]): number {
  let chars = 0;
  const count = changes.slice(0, batchSize).findIndex((change, index) => {
    for (const { text } of change.bodies ?? []) chars += text.length;
    return index > 0 && chars > batchChars;
  });
  return count === -1 ? Math.min(changes.length, batchSize) : count;
}
