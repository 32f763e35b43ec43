import { isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import type { JobRecord } from '../../service/reply.ts';

/**
 * What a record shows about a finished job that was perhaps retried. `strange`: nothing, because the specification does
 * not have its status.
 */
export function retryStateOf(job: Job, record: JobRecord): 'as-before' | 'retried' | 'strange' {
  if (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS') return 'retried';
  // An unknown status, but the run time is that of the saved run.
  const isSavedRun =
    record.executionTimeMs !== null && record.executionTimeMs > 0 && record.executionTimeMs === job.executionTimeMs;
  if (!isTerminalStatus(record.status)) return isSavedRun ? 'as-before' : 'strange';
  // It may be over again already. Two runs hardly ever take the same times.
  const isOtherRun =
    record.status !== job.status ||
    differs(record.delayTimeMs, job.delayTimeMs) ||
    differs(record.executionTimeMs, job.executionTimeMs);
  return isOtherRun ? 'retried' : 'as-before';
}

function differs(ms: number | null, savedMs: number | null): boolean {
  return ms !== null && savedMs !== null && ms !== savedMs;
}
