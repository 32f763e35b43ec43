import type { Job } from '../../src-preload/job.ts';
import { formatMinute } from '../design/format.ts';
import type { Condition } from '../session/condition.ts';

/** What a job says whose retry waits to be sent: what it waits for, and until when that makes sense. Null where none waits. */
export function waitingRetryWords(job: Pick<Job, 'retryAskedAtMs' | 'retentionEndsAtMs'>, condition: Condition | null, isPaused: boolean): string | null {
  if (job.retryAskedAtMs === undefined) return null;
  const until = job.retentionEndsAtMs === null ? '' : `, unless its result leaves the service before, at ${formatMinute(job.retentionEndsAtMs)}`;
  return `Sent once, ${isPaused ? 'when following jobs is resumed' : whenOf(condition)}${until}.`;
}

function whenOf(condition: Condition | null): string {
  switch (condition?.kind) {
    case 'offline': return 'when the service can be reached';
    case 'no-key':
    case 'key-refused': return 'when the connection has a key that the service takes';
    case 'sandbox-stopped': return 'when the sandbox runs';
    case undefined: return 'when its connection is there again';
    case 'ready': return 'as soon as the limit for retries allows it';
  }
}
