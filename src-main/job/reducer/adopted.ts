import { ttlEndMs } from '../../../src-preload/service-retention.ts';
import type { JobState } from './job-event.ts';

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
