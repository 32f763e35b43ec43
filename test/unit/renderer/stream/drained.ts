import type { Steps } from '../../../../src-renderer/stream/use-steps.ts';

/** What work in steps comes to, done at once. */
export function drained<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
