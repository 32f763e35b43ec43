import { minuteMs } from '../../src-preload/durations.ts';
import { Alarm } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';

/** Batches that changed and could not be read, so that windows show them as before. */
export interface UnreadBatches {
  /** The history sent counts, and could not read `count` of the batches that changed. */
  noted(count: number): void;
  /** From now on nothing is read again. */
  close(): void;
}

/** What can be read again is mostly readable within seconds. What is damaged for good costs a hundred reads a day. */
const longestMs = 15 * minuteMs;

export interface UnreadBatchesParts {
  clock: Clock;
  /** Has the history read them again. It then sends counts. */
  readAgain: () => Promise<void>;
}

/**
 * Has the history read such batches again after growing pauses, until it can or Jobdeck closes. Any change in the
 * history reads them too, but nothing may change for hours.
 */
export function createUnreadBatches({ clock, readAgain }: UnreadBatchesParts): UnreadBatches {
  let tries = 0;
  let isClosed = false;
  const alarm = new Alarm(clock, () => {
    // If it refuses, it sends no counts.
    readAgain().catch(plan);
  });

  function plan(): void {
    if (isClosed || alarm.isSet()) return;
    tries += 1;
    alarm.set(clock.now() + Math.min(longestMs, 500 * 2 ** Math.min(tries, 16)));
  }

  return {
    noted(count) {
      if (count > 0) return plan();
      tries = 0;
      alarm.cancel();
    },
    close() {
      isClosed = true;
      alarm.cancel();
    },
  };
}
