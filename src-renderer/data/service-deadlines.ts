import type { Job } from '../../src-preload/job.ts';
import { setAheadMs } from './engine-time.ts';

/**
 * Until when the service certainly has the result of a job, as the present clock has it: what the clock was set ahead
 * since the job ended did not pass at the service. Null if that is not known, or there is none.
 */
export function retentionEndOf({
  retentionEndsAtMs,
  finishedSeenAtMs,
}: Pick<Job, 'retentionEndsAtMs' | 'finishedSeenAtMs'>): number | null {
  return retentionEndsAtMs === null ? null : retentionEndsAtMs + setAheadMs(finishedSeenAtMs ?? retentionEndsAtMs);
}

/** When the lifespan of a job ends, likewise. */
export function ttlEndOf({
  ttlEndsAtMs,
  retriedAtMs,
  acceptedAtMs,
  createdAtMs,
}: Pick<Job, 'ttlEndsAtMs' | 'retriedAtMs' | 'acceptedAtMs' | 'createdAtMs'>): number | null {
  return ttlEndsAtMs === null ? null : ttlEndsAtMs + setAheadMs(retriedAtMs ?? acceptedAtMs ?? createdAtMs);
}

/** The time by which it is decided what can still be done with a job: the present, without what did not pass. */
export function serviceTimeMs({ finishedSeenAtMs }: Pick<Job, 'finishedSeenAtMs'>, nowMs: number): number {
  return nowMs - setAheadMs(finishedSeenAtMs ?? nowMs);
}

/** A job with both ends as the present clock has them. It is the job itself if the clock was not set. */
export function withDeadlines(job: Job): Job {
  const retentionEndsAtMs = retentionEndOf(job);
  const ttlEndsAtMs = ttlEndOf(job);
  return retentionEndsAtMs === job.retentionEndsAtMs && ttlEndsAtMs === job.ttlEndsAtMs
    ? job
    : { ...job, retentionEndsAtMs, ttlEndsAtMs };
}
