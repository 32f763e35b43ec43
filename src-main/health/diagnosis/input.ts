import type { HealthPoint } from '../../../src-preload/health.ts';
import type { JobStatus, SubmitOperation } from '../../../src-preload/job.ts';

/** A job of ours that the service has and that is not finished. Times are epoch milliseconds. */
export interface LiveJob {
  key: string;
  /** When the service accepted it. */
  acceptedAtMs: number;
  /** When a reply first showed it running; null while it waits. */
  startedSeenAtMs: number | null;
  /** When the service deletes it whatever its state (spec: policy object, ttl); null where that is not known. */
  ttlEndsAtMs: number | null;
  executionTimeoutMs: number;
  operation: SubmitOperation;
}

/** How a job of ours ended. */
export interface RecentEnd {
  /** When its end was seen. Epoch milliseconds. */
  endedAtMs: number;
  /** The final status, verbatim. */
  status: JobStatus;
  /** Null where the reply does not say. */
  executionTimeMs: number | null;
  executionTimeoutMs: number;
  /** The executionTimeout ended it, in either form of ruling 14: TIMED_OUT, or FAILED that says so. */
  isTimedOut: boolean;
}

/** A job of ours of which the service may have something that is not saved here. Times are epoch milliseconds. */
export interface UnsavedResult {
  key: string;
  operation: SubmitOperation;
  /**
   * `result`: it may be over by now without having been read. `stream`: its result is saved, the rest of its stream is
   * not.
   */
  part: 'result' | 'stream';
  /** When it was last known not to be over, or to have more of its stream. */
  knownAtMs: number;
  /** When that leaves the service at the earliest (spec: Queue operations, rule 3). */
  leavesAtMs: number;
}

/** What an endpoint is judged by. Nothing else is read, no clock and no network. */
export interface DiagnosisInput {
  /** The last hour's, oldest first; with gaps where the app was closed or did not ask. */
  points: readonly HealthPoint[];
  liveJobs: readonly LiveJob[];
  /** Those of the last hour, in any order. */
  recentEnds: readonly RecentEnd[];
  unsavedResults: readonly UnsavedResult[];
  /** How long this endpoint's jobs usually run, learned from saved ones; null while too few are known. */
  execution: { p50Ms: number; p95Ms: number } | null;
  nowMs: number;
}

/**
 * The input without times and spans that are no numbers: they come from a network by way of a database, and must not
 * end up in a sentence.
 */
export function soundInput(input: DiagnosisInput): DiagnosisInput {
  const { execution } = input;
  return {
    ...input,
    liveJobs: input.liveJobs
      .filter(
        ({ acceptedAtMs, executionTimeoutMs }) => Number.isFinite(acceptedAtMs) && Number.isFinite(executionTimeoutMs),
      )
      .map((job) =>
        isSound(job.startedSeenAtMs) && isSound(job.ttlEndsAtMs)
          ? job
          : { ...job, startedSeenAtMs: finiteOrNull(job.startedSeenAtMs), ttlEndsAtMs: finiteOrNull(job.ttlEndsAtMs) },
      ),
    recentEnds: input.recentEnds
      .filter(({ endedAtMs, executionTimeoutMs }) => Number.isFinite(endedAtMs) && Number.isFinite(executionTimeoutMs))
      .map((end) => (isSound(end.executionTimeMs) ? end : { ...end, executionTimeMs: null })),
    unsavedResults: input.unsavedResults.filter(
      ({ knownAtMs, leavesAtMs }) => Number.isFinite(knownAtMs) && Number.isFinite(leavesAtMs),
    ),
    execution:
      execution !== null && Number.isFinite(execution.p50Ms) && Number.isFinite(execution.p95Ms) ? execution : null,
  };
}

function isSound(value: number | null): boolean {
  return value === null || Number.isFinite(value);
}

function finiteOrNull(value: number | null): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A run of this share of its executionTimeout and more that failed was ended by it, whatever the failure says. */
const reachedShare = 0.99;

/** True for a job that its executionTimeout ended, in either form (ruling 14). */
export function isOut({ isTimedOut, status, executionTimeMs, executionTimeoutMs }: RecentEnd): boolean {
  if (isTimedOut || status === 'TIMED_OUT') return true;
  return (
    status === 'FAILED' &&
    executionTimeMs !== null &&
    executionTimeoutMs > 0 &&
    executionTimeMs >= executionTimeoutMs * reachedShare
  );
}
