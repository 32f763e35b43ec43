import type { Steps } from '../../../../src-renderer/stream/use-steps.ts';

/** The result of work in steps, done without pauses. */
export function drained<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
