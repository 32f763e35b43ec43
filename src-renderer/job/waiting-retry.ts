import type { Job } from '../../src-preload/job.ts';
import { formatMinute } from '../design/format.ts';
import { whenAskedAgain } from '../data/condition.ts';
import type { Condition } from '../data/condition.ts';

/**
 * What a job says whose retry waits to be sent: what it waits for, and until when that makes sense. Null where none
 * waits.
 */
export function waitingRetryText(
  job: Pick<Job, 'retryAskedAtMs' | 'retentionEndsAtMs'>,
  condition: Condition | null,
  isPaused: boolean,
): string | null {
  if (job.retryAskedAtMs === undefined) return null;
  const until =
    job.retentionEndsAtMs === null
      ? ''
      : `, unless its result leaves the service before, at ${formatMinute(job.retentionEndsAtMs)}`;
  return `Sent once, ${whenAskedAgain(condition, isPaused) ?? 'as soon as the limit for retries allows it'}${until}.`;
}
