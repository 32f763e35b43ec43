import type { Attempt, Policy, SubmitOperation, Job } from '../../../src-preload/job.ts';
import type { HeldBackReason } from '../../../src-preload/job-reason.ts';
import type { JobState } from './job-event.ts';
import { ttlEndMs } from '../../../src-preload/service-retention.ts';

/** What a job is made of: the intent, before anything is sent. */
export interface Intent {
  key: string;
  connectionId: string;
  baseUrl: string;
  endpointId: string;
  operation: SubmitOperation;
  title: string;
  tags: string[];
  policy: Policy;
  inputBytes: number;
  /** `submitting`: the request follows immediately. `waiting`: it is in the outbox, and `reason` says why. */
  phase: 'submitting' | 'waiting';
  reason: HeldBackReason | null;
  batchId?: string;
  batchRow?: number;
  isKeptWhole?: false;
  originKey?: string;
}

/** The job when its intent is journalled. */
export function newJob(intent: Intent, nowMs: number): JobState {
  return {
    job: {
      batchId: null,
      batchRow: null,
      ...intent,
      jobId: null,
      status: null,
      goneReason: null,
      attempt: 1,
      createdAtMs: nowMs,
      acceptedAtMs: null,
      startedSeenAtMs: null,
      finishedSeenAtMs: null,
      delayTimeMs: null,
      executionTimeMs: null,
      ttlEndsAtMs: null,
      retentionEndsAtMs: null,
      outputBytes: 0,
      isResultSaved: false,
      isWithoutOutput: false,
      chunkCount: 0,
      statusReadAtMs: null,
      requestCount: 0,
      isStarred: false,
      isSeen: false,
      isCancelling: false,
    },
    attempt: newAttempt(1, nowMs),
  };
}

/** A new attempt. */
export function newAttempt(number: number, startedAtMs: number): Attempt {
  return {
    number,
    startedAtMs,
    status: null,
    delayTimeMs: null,
    executionTimeMs: null,
    workerId: null,
    errorText: null,
    hasOutput: false,
    outputBytes: 0,
    chunkCount: 0,
    finishedSeenAtMs: null,
  };
}

/**
 * Makes job keys of 26 characters: the millisecond, a counter and randomness, in base 32 (like UUIDv7 or ULID). The
 * keys of one maker ascend strictly, even within a millisecond and when the machine's clock is set back, because the
 * list is sorted by them.
 */
export function createJobKeys(now: () => number, random: () => number): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = Math.floor(now());
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = Math.floor(random() * 2 ** 19);
    } else {
      counter += 1;
      if (counter >= 2 ** 20) {
        lastMs += 1;
        counter = 0;
      }
    }
    return (
      base32(lastMs, 10) +
      base32(counter, 4) +
      base32(Math.floor(random() * 2 ** 30), 6) +
      base32(Math.floor(random() * 2 ** 30), 6)
    );
  };
}

/** Crockford's digits: they sort in numeric order and are not mistaken for each other. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i += 1) {
    text = (digits[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * A job that was tracked by its id, with what the submission `from` knows of it: the service answered that submission
 * with the same id. Its state and its results stay. Pure.
 */
export function adopted({ job, attempt }: JobState, from: JobState): JobState {
  const { operation, policy, inputBytes, batchId, batchRow, createdAtMs, tags, originKey, title } = from.job;
  const sentAtMs = from.attempt.startedAtMs;
  return {
    job: {
      ...job,
      operation,
      policy,
      inputBytes,
      batchId,
      batchRow,
      createdAtMs,
      tags: [...new Set([...job.tags, ...tags])],
      // Until the user names it, a job from elsewhere has its id as title.
      title: job.title === job.jobId ? title : job.title,
      ...(originKey === undefined ? {} : { originKey }),
      // The service may have had it since the request left (ruling 39).
      ttlEndsAtMs: ttlEndMs(policy, sentAtMs),
    },
    attempt: job.attempt === 1 ? { ...attempt, startedAtMs: sentAtMs } : attempt,
  };
}

/** What identifies a job at its service. Jobs here with the same id are the same job there. */
export function serviceJobId({ baseUrl, endpointId, jobId }: Pick<Job, 'baseUrl' | 'endpointId' | 'jobId'>): string {
  return JSON.stringify([baseUrl, endpointId, jobId]);
}
