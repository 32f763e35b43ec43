import { hourMs } from '../../src-preload/durations.ts';
import { isTerminalStatus, statusKind, type Job } from '../../src-preload/job.ts';
import { policyDefaults } from '../../src-preload/job-bounds.ts';
import { mayExpireAtMs } from '../../src-preload/service-retention.ts';
import type { DiagnosisInput, LiveJob, RecentEnd, UnsavedResult } from './diagnosis/diagnose.ts';

/** Older ends say nothing about an endpoint's present state. */
export const recentEndsMs = hourMs;
/** The most ends that are kept. */
const maxEnds = 1_000;

/** What our own jobs show of one endpoint. */
export class OurJobs {
  readonly #live = new Map<string, LiveJob>();
  readonly #unsaved = new Map<string, UnsavedResult>();
  /** By job and attempt, in the order they came. */
  readonly #ends = new Map<string, RecentEnd>();

  /** The current state of a job. */
  take(job: Job): void {
    this.#live.delete(job.key);
    this.#unsaved.delete(job.key);
    const liveJob = liveJobOf(job);
    if (liveJob !== null) this.#live.set(job.key, liveJob);
    const result = unsavedResultOf(job);
    if (result !== null) this.#unsaved.set(job.key, result);
    const end = endOf(job);
    if (end === null) return;
    this.#ends.set(`${job.key} ${job.attempt}`, end);
    for (const id of this.#ends.keys()) {
      if (this.#ends.size <= maxEnds) break;
      this.#ends.delete(id);
    }
  }

  /** A job as it was on disk. A state that `take` received since then is newer. */
  takeSaved(job: Job): void {
    if (!this.#live.has(job.key) && !this.#unsaved.has(job.key) && !this.#ends.has(`${job.key} ${job.attempt}`))
      this.take(job);
  }

  /** The jobs for a judgement at `nowMs`. */
  at(nowMs: number): Pick<DiagnosisInput, 'liveJobs' | 'recentEnds' | 'unsavedResults'> {
    for (const [id, { endedAtMs }] of this.#ends) if (endedAtMs < nowMs - recentEndsMs) this.#ends.delete(id);
    return {
      liveJobs: [...this.#live.values()].filter(({ acceptedAtMs }) => acceptedAtMs <= nowMs),
      recentEnds: [...this.#ends.values()].filter(({ endedAtMs }) => endedAtMs <= nowMs),
      // A job whose ttl has passed is gone.
      unsavedResults: [...this.#unsaved.values()].filter(
        ({ key }) => (this.#live.get(key)?.ttlEndsAtMs ?? Infinity) > nowMs,
      ),
    };
  }
}

/** The job's unfinished state at the service, or null. */
function liveJobOf(job: Job): LiveJob | null {
  const { key, operation, startedSeenAtMs, ttlEndsAtMs } = job;
  if (job.phase !== 'active' || job.acceptedAtMs === null || isEnded(job)) return null;
  return {
    key,
    operation,
    acceptedAtMs: job.acceptedAtMs,
    startedSeenAtMs,
    ttlEndsAtMs,
    executionTimeoutMs: executionTimeoutOf(job),
  };
}

/**
 * What only the service may have of the job. A job whose end was not seen may have ended right after its last read. A
 * final record is on disk as soon as it is seen; then only the rest of the stream can be missing (ruling 36).
 */
function unsavedResultOf(job: Job): UnsavedResult | null {
  const { key, operation, phase, pendingStream } = job;
  if (phase !== 'active') return null;
  if (isEnded(job))
    return pendingStream === undefined
      ? null
      : { key, operation, part: 'stream', knownAtMs: pendingStream.sinceMs, leavesAtMs: pendingStream.untilMs };
  const knownAtMs = job.statusReadAtMs ?? job.acceptedAtMs;
  return knownAtMs === null
    ? null
    : { key, operation, part: 'result', knownAtMs, leavesAtMs: mayExpireAtMs(operation, knownAtMs) };
}

function endOf(job: Job): RecentEnd | null {
  const { status, finishedSeenAtMs, executionTimeMs } = job;
  // A job that was cancelled before it was sent never ended at the service.
  if (status === null || finishedSeenAtMs === null || job.jobId === null || !isEnded(job)) return null;
  return {
    endedAtMs: finishedSeenAtMs,
    status,
    executionTimeMs,
    executionTimeoutMs: executionTimeoutOf(job),
    isTimedOut: statusKind(job) === 'timeout',
  };
}

function isEnded(job: Job): boolean {
  return job.status !== null && isTerminalStatus(job.status);
}

function executionTimeoutOf({ policy }: Job): number {
  return policy.executionTimeout ?? policyDefaults.executionTimeoutMs;
}
