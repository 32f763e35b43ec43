import type { JobRecord } from './job-record.ts';

type JobEnds = Pick<JobRecord, 'ttlEndsAtMs' | 'stateEndsAtMs'>;

/**
 * When a job ends by time: when its ttl has passed, in whatever state it is, or with its state, which is the execution
 * timeout of a running job and the retention of an ended one (spec: policy object). In clock milliseconds.
 */
export function endsAtMs({ ttlEndsAtMs, stateEndsAtMs }: JobEnds): number {
  return Math.min(ttlEndsAtMs, stateEndsAtMs);
}

/** Why a job has ended by time: the earlier reason counts. */
export function causeOfEnd({ ttlEndsAtMs, stateEndsAtMs }: JobEnds): 'ttl' | 'retention' {
  return ttlEndsAtMs <= stateEndsAtMs ? 'ttl' : 'retention';
}
