import type { Job } from '../../../../src-preload/job.ts';

/** A job of the main connection, created at `createdAtMs`. Keys are in the order of creation, like real ones. */
export function jobOf(createdAtMs: number, patch: Partial<Job> = {}): Job {
  return {
    key: String(createdAtMs).padStart(15, '0'),
    jobId: `id-${createdAtMs}`,
    connectionId: 'c1',
    baseUrl: 'http://127.0.0.1:1/v2',
    endpointId: 'text',
    operation: 'run',
    title: `Job ${createdAtMs}`,
    tags: [],
    phase: 'finished',
    status: 'COMPLETED',
    goneReason: null,
    attempt: 1,
    createdAtMs,
    acceptedAtMs: createdAtMs,
    startedSeenAtMs: createdAtMs,
    finishedSeenAtMs: createdAtMs,
    delayTimeMs: 100,
    executionTimeMs: 1_000,
    policy: {},
    ttlEndsAtMs: null,
    retentionEndsAtMs: null,
    inputBytes: 2,
    outputBytes: 2,
    isResultSaved: true,
    isWithoutOutput: false,
    chunkCount: 0,
    reason: null,
    statusReadAtMs: null,
    requestCount: 1,
    isStarred: false,
    isSeen: true,
    isCancelling: false,
    batchId: null,
    batchRow: null,
    ...patch,
  };
}

export const queued = {
  phase: 'active',
  status: 'IN_QUEUE',
  startedSeenAtMs: null,
  finishedSeenAtMs: null,
  delayTimeMs: null,
  executionTimeMs: null,
} as const satisfies Partial<Job>;
export const running = {
  phase: 'active',
  status: 'IN_PROGRESS',
  finishedSeenAtMs: null,
  executionTimeMs: null,
} as const satisfies Partial<Job>;
