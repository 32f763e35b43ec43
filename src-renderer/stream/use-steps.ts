import { useLayoutEffect, useState } from 'react';
import { inSlices } from './use-text-rows.ts';

/** Work cut into steps of well under a millisecond each; what it returns is its result. */
export type Steps<T> = Generator<undefined, T>;

/**
 * Does work a few milliseconds a frame, so that a window stays usable beside twenty megabytes. Answers the result of
 * the last work that is done, with `start` that began it; null before any is. Short work is done before anything is
 * painted. `start` is memoised by the caller: another one begins anew.
 */
export function useSteps<T>(start: () => Steps<T>): { start: () => Steps<T>; result: T } | null {
  const [done, setDone] = useState<{ start: () => Steps<T>; result: T } | null>(null);
  useLayoutEffect(() => {
    const steps = start();
    let next: IteratorResult<undefined, T> = { done: false, value: undefined };
    return inSlices(
      () => {
        next = steps.next();
      },
      () => next.done === true,
      () => {
        if (next.done === true) setDone({ start, result: next.value });
      },
    );
  }, [start]);
  return done;
}
