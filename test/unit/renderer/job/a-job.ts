import type { Attempt, Job } from '../../../../src-preload/job.ts';
import { aJob as aQueuedJob } from '../../../kit/a-job.ts';

/** 14:31:26 of some day, in epoch ms: when every job of these tests was accepted. */
export const acceptedAtMs = 1_760_000_000_000;

/** A running job with what the test sets. */
export function aJob(over: Partial<Job> = {}): Job {
  return aQueuedJob({
    key: 'k1',
    jobId: '5d1f0c7e-93ab-4c1e-8f2a-6b7d20e4a917',
    connectionId: 'c1',
    endpointId: 'text',
    status: 'IN_PROGRESS',
    createdAtMs: acceptedAtMs - 40,
    acceptedAtMs,
    startedSeenAtMs: acceptedAtMs + 2_000,
    delayTimeMs: 1_240,
    ttlEndsAtMs: acceptedAtMs + 86_400_000,
    inputBytes: 214_000,
    isSeen: true,
    ...over,
  });
}

/** A former attempt with what the test sets. */
export function anAttempt(over: Partial<Attempt> = {}): Attempt {
  return {
    number: 1,
    startedAtMs: acceptedAtMs,
    status: 'FAILED',
    delayTimeMs: 660,
    executionTimeMs: 12_800,
    workerId: 'w1',
    errorText: 'CUDA out of memory',
    hasOutput: false,
    outputBytes: 0,
    chunkCount: 0,
    finishedSeenAtMs: acceptedAtMs + 14_000,
    ...over,
  };
}
