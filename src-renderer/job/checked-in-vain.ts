import type { Failure } from '../../src-preload/failure.ts';
import type { ActionFailure } from './action-store.ts';

/**
 * What is said of a job called gone that was looked at again without finding it: that it is still so, or that nothing
 * was learned.
 */
export function checkedInVain(failure: Failure): ActionFailure {
  switch (failure.kind) {
    case 'not-found':
      return { title: 'Checked just now', failure, tone: 'neutral' };
    default:
      return 'isBeyondLimits' in failure && failure.isBeyondLimits
        ? { title: 'Checked just now', failure, tone: 'neutral' }
        : { title: 'The job could not be checked', failure };
  }
}
