import type { HealthPoint } from '../../../src-preload/health.ts';
import type { JobStatus, SubmitOperation } from '../../../src-preload/job.ts';

/** One of our unfinished jobs at the service. Times are epoch milliseconds. */
export interface LiveJob {
  key: string;
  /** When the service accepted it. */
  acceptedAtMs: number;
  /** When a reply first showed it running. Null while it waits. */
  startedSeenAtMs: number | null;
  /** When the service deletes it, whatever its state (spec: policy object, ttl). Null if that is not known. */
  ttlEndsAtMs: number | null;
  executionTimeoutMs: number;
  operation: SubmitOperation;
}

/** How one of our jobs ended. */
export interface RecentEnd {
  /** When its end was seen. Epoch milliseconds. */
  endedAtMs: number;
  /** The final status, verbatim. */
  status: JobStatus;
  /** Null if the reply does not say. */
  executionTimeMs: number | null;
  executionTimeoutMs: number;
  /** The executionTimeout ended it, in either form of ruling 14: TIMED_OUT, or FAILED with that reason. */
  isTimedOut: boolean;
}

/** One of our jobs of which the service may have something that is not saved here. Times are epoch milliseconds. */
export interface UnsavedResult {
  key: string;
  operation: SubmitOperation;
  /**
   * `result`: it may have ended without having been read. `stream`: its result is saved, but not the rest of its
   * stream.
   */
  part: 'result' | 'stream';
  /** When it was last known to run, or to have more of its stream. */
  knownAtMs: number;
  /** When that expires on the service at the earliest (spec: Queue operations, rule 3). */
  leavesAtMs: number;
}

/** What a diagnosis is made from. It uses nothing else: no clock, no network. */
export interface DiagnosisInput {
  /** The readings of the last hour, oldest first, with gaps while the app was closed or did not read. */
  points: readonly HealthPoint[];
  liveJobs: readonly LiveJob[];
  /** The ends of the last hour, in any order. */
  recentEnds: readonly RecentEnd[];
  unsavedResults: readonly UnsavedResult[];
  /** How long this endpoint's jobs usually run, learned from saved ones. Null while too few are known. */
  execution: { p50Ms: number; p95Ms: number } | null;
  nowMs: number;
}

/**
 * The input without times and durations that are not finite numbers. They came from the network and through a database,
 * and NaN must not appear in a text.
 */
export function withoutInvalidNumbers(input: DiagnosisInput): DiagnosisInput {
  const { execution } = input;
  return {
    ...input,
    liveJobs: input.liveJobs
      .filter(
        ({ acceptedAtMs, executionTimeoutMs }) => Number.isFinite(acceptedAtMs) && Number.isFinite(executionTimeoutMs),
      )
      .map((job) =>
        isFiniteOrNull(job.startedSeenAtMs) && isFiniteOrNull(job.ttlEndsAtMs)
          ? job
          : { ...job, startedSeenAtMs: finiteOrNull(job.startedSeenAtMs), ttlEndsAtMs: finiteOrNull(job.ttlEndsAtMs) },
      ),
    recentEnds: input.recentEnds
      .filter(({ endedAtMs, executionTimeoutMs }) => Number.isFinite(endedAtMs) && Number.isFinite(executionTimeoutMs))
      .map((end) => (isFiniteOrNull(end.executionTimeMs) ? end : { ...end, executionTimeMs: null })),
    unsavedResults: input.unsavedResults.filter(
      ({ knownAtMs, leavesAtMs }) => Number.isFinite(knownAtMs) && Number.isFinite(leavesAtMs),
    ),
    execution:
      execution !== null && Number.isFinite(execution.p50Ms) && Number.isFinite(execution.p95Ms) ? execution : null,
  };
}

function isFiniteOrNull(value: number | null): boolean {
  return value === null || Number.isFinite(value);
}

function finiteOrNull(value: number | null): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A failed run of at least this share of its executionTimeout was ended by it, whatever the failure says. */
const reachedShare = 0.99;

/** Whether a job was ended by its executionTimeout, in either form (ruling 14). */
export function hasTimedOut({ isTimedOut, status, executionTimeMs, executionTimeoutMs }: RecentEnd): boolean {
  if (isTimedOut || status === 'TIMED_OUT') return true;
  return (
    status === 'FAILED' &&
    executionTimeMs !== null &&
    executionTimeoutMs > 0 &&
    executionTimeMs >= executionTimeoutMs * reachedShare
  );
}
