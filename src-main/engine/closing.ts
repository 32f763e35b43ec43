import type { Log } from '../log.ts';

/** What was opened and has to be ended, in the reverse order. */
export interface Closing {
  /** Run at the end, before what was named earlier. */
  later(part: string, end: () => Promise<void> | void): void;
  /** Ends everything, once; a part that cannot be ended does not keep the others. */
  all(): Promise<void>;
}

export function createClosing(log: Log): Closing {
  const ends: { part: string; end: () => Promise<void> | void }[] = [];
  let closing: Promise<void> | null = null;

  async function endAll(): Promise<void> {
    for (const { part, end } of ends.toReversed()) {
      try {
        await end();
      } catch (error) {
        log.error('A part of Jobdeck did not close in order', { part, error });
      }
    }
  }

  return {
    later: (part, end) => void ends.push({ part, end }),
    all: () => (closing ??= endAll()),
  };
}
