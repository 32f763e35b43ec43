import { runningSinceMs, type Attempt, type Job } from '../../src-preload/job.ts';
import type { StreamLog } from '../stream/stream-log.ts';

/** When an attempt started, in epoch milliseconds: the zero of its stream's times. Never later than its first chunk. */
export function streamStartMs(
  job: Job,
  attempt: Attempt | null,
  { firstReceivedAtMs }: Pick<StreamLog, 'firstReceivedAtMs'>,
): number {
  const isCurrent = attempt === null || attempt.number === job.attempt;
  const startMs = isCurrent ? runningSinceMs(job) : attempt.startedAtMs + (attempt.delayTimeMs ?? 0);
  return Math.min(startMs, firstReceivedAtMs ?? startMs);
}

/** The time from acceptance to the first chunk, by our clock. Null if either is unknown. */
export function firstChunkMs(
  job: Job,
  attempt: Attempt | null,
  { firstReceivedAtMs }: Pick<StreamLog, 'firstReceivedAtMs'>,
): number | null {
  const fromMs = attempt !== null && attempt.number > 1 ? attempt.startedAtMs : job.acceptedAtMs;
  return firstReceivedAtMs === null || fromMs === null ? null : Math.max(0, firstReceivedAtMs - fromMs);
}
