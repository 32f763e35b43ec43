import type { RecentEnd } from './input.ts';

/** A run of this share of its executionTimeout and more that failed was ended by it, whatever the failure says. */
const reachedShare = 0.99;

/** True for a job that its executionTimeout ended, in either form (ruling 14). */
export function isOut({ isTimedOut, status, executionTimeMs, executionTimeoutMs }: RecentEnd): boolean {
  if (isTimedOut || status === 'TIMED_OUT') return true;
  return (
    status === 'FAILED' &&
    executionTimeMs !== null &&
    executionTimeoutMs > 0 &&
    executionTimeMs >= executionTimeoutMs * reachedShare
  );
}
