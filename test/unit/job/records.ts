import { bornJob } from '../../../src-main/job/job-event.ts';
import type { Intent, JobState } from '../../../src-main/job/job-event.ts';
import { reduce } from '../../../src-main/job/reducer.ts';
import type { JobRecord } from '../../../src-main/service/reply.ts';
import type { ServiceFailure } from '../../../src-preload/failure.ts';

/** A record as the service sends it, with what a test names. */
export function aRecord(changes: Partial<JobRecord> = {}): JobRecord {
  return {
    id: 'job-1',
    status: 'IN_QUEUE',
    outputJson: null,
    errorText: null,
    delayTimeMs: null,
    executionTimeMs: null,
    workerId: null,
    extra: {},
    raw: '',
    ...changes,
  };
}

export function aFailure(changes: Partial<ServiceFailure> = {}): ServiceFailure {
  return { kind: 'server', message: 'The service answered 500.', mayHaveArrived: true, ...changes };
}

/** A job whose intent was just journalled, at 1,000. */
export function submitting(changes: Partial<Intent> = {}): JobState {
  return bornJob(
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
      note: null,
      ...changes,
    },
    1_000,
  );
}

/** A job the service took at 2,000 and that waits in its queue. */
export function queued(changes: Partial<Intent> = {}): JobState {
  return reduce(submitting(changes), { kind: 'accepted', record: aRecord() }, 2_000);
}
