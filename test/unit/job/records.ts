import { newJob, type Intent } from '../../../src-main/job/reducer/new-job.ts';
import type { JobEvent, JobState, NotFound } from '../../../src-main/job/reducer/job-event.ts';
import { reduce, reduceAll } from '../../../src-main/job/reducer/reducer.ts';
import type { JobRecord } from '../../../src-main/service/reply.ts';
import type { ServiceFailure } from '../../../src-preload/failure.ts';

/** A record as the service sends it, with the given fields. */
export function aRecord(changes: Partial<JobRecord> = {}): JobRecord {
  return {
    id: 'job-1',
    status: 'IN_QUEUE',
    outputJson: null,
    errorText: null,
    delayTimeMs: null,
    executionTimeMs: null,
    workerId: null,
    extraJson: null,
    raw: '',
    ...changes,
  };
}

export function aFailure(changes: Partial<ServiceFailure> = {}): ServiceFailure {
  return { kind: 'server', message: 'The service answered 500.', mayHaveArrived: true, ...changes };
}

/** A job whose submission was just journalled, at 1,000. */
export function submitting(changes: Partial<Intent> = {}): JobState {
  return newJob(
    {
      key: 'key-1',
      connectionId: 'main',
      baseUrl: 'http://127.0.0.1:1',
      endpointId: 'echo',
      operation: 'run',
      title: 'A job',
      tags: [],
      policy: {},
      inputBytes: 2,
      phase: 'submitting',
      reason: null,
      ...changes,
    },
    1_000,
  );
}

/** A job that the service accepted at 2,000 and that waits in its queue. */
export function queued(changes: Partial<Intent> = {}): JobState {
  return reduce(submitting(changes), { kind: 'accepted', record: aRecord() }, 2_000);
}

/** A record that a status read returned. */
export const status = (changes: Partial<JobRecord>, attempt = 1, requestedAtMs = 3_000): JobEvent => ({
  kind: 'status',
  record: aRecord(changes),
  attempt,
  requestedAtMs: requestedAtMs,
});

/** One 404 in the service's own words while the endpoint's health answers, unless a test says otherwise. */
export const notFound = (requestedAtMs: number, changes: Partial<NotFound> = {}): NotFound => ({
  kind: 'not-found',
  attempt: 1,
  requestedAtMs: requestedAtMs,
  isJson: true,
  isEndpointKnown: true,
  wasPurgedHere: false,
  isClockDoubted: false,
  setAheadMs: 0,
  ...changes,
});

/** Its stream was read to the end. */
export const drained = (attempt = 1): JobEvent => ({ kind: 'drained', attempt });

/** A job that failed and was read to its end, at 4,000. */
export function failedJob(): JobState {
  return reduceAll(
    queued(),
    [status({ status: 'FAILED', errorText: 'boom', outputJson: '{"status":"failed"}' }), drained()],
    4_000,
  );
}
