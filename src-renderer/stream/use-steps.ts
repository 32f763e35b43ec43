import { useLayoutEffect, useState } from 'react';
import { inSlices } from '../design/in-slices.ts';

/** Work divided into steps of well under a millisecond each. Its return value is the result. */
export type Steps<T> = Generator<undefined, T>;

/**
 * Works a few milliseconds per frame, and calls `onDone` with the result. Short work is done before this returns.
 * Returns the function that stops it.
 */
export function runSteps<T>(steps: Steps<T>, onDone: (result: T) => void): () => void {
  let next: IteratorResult<undefined, T> = { done: false, value: undefined };
  return inSlices(
    () => {
      next = steps.next();
    },
    () => next.done === true,
    () => {
      if (next.done === true) onDone(next.value);
    },
  );
}

/**
 * Works a few milliseconds per frame, so that a window stays usable with twenty megabytes. Returns the last result,
 * with the `start` that it belongs to; null before the first. Short work is done before anything is painted. The caller
 * must memoise `start`: a new one starts again.
 */
export function useSteps<T>(start: () => Steps<T>): { start: () => Steps<T>; result: T } | null {
  const [done, setDone] = useState<{ start: () => Steps<T>; result: T } | null>(null);
  useLayoutEffect(() => {
    return runSteps(start(), (result) => setDone({ start, result }));
  }, [start]);
  return done;
}

/** Works a few milliseconds per frame, until it is done. */
export function finished<T>(steps: Steps<T>): Promise<T> {
  return new Promise((resolve) => void runSteps(steps, resolve));
}
