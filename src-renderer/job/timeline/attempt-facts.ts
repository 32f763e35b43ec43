import {
  endOf,
  isExternal,
  isTerminalStatus,
  missingInputReason,
  runningSinceMs,
  statusKind,
  type Attempt,
  type Job,
  type StatusKind,
} from '../../../src-preload/job.ts';
import { policyDefaults } from '../../../src-preload/job-bounds.ts';
import { retentionMs } from '../../../src-preload/service-retention.ts';
import type { StreamLog } from '../../stream/stream-log.ts';

/** What the strip needs of one attempt. Times are epoch ms of our clock, durations are ms from the service. */
export interface AttemptFacts {
  kind: StatusKind;
  /** True while the service still works on it. */
  isLive: boolean;
  isSending: boolean;
  startedAtMs: number;
  queuedMs: number | null;
  runningSinceMs: number | null;
  /** When it was seen running before it returned to the queue (ruling 40), oldest first. */
  formerStartsAtMs: readonly number[];
  ranMs: number | null;
  finishedAtMs: number | null;
  executionTimeoutMs: number;
  ttlEndsAtMs: number | null;
  retentionEndsAtMs: number | null;
  retentionMs: number;
  isResultSaved: boolean;
  /** Submitted from here, so that what it was sent with is known. */
  isFromHere: boolean;
  /** Its input is here. */
  hasInput: boolean;
  outputBytes: number;
  chunkCount: number;
  hasError: boolean;
  /** It is over, and the rest of its stream is still being read (ruling 36). */
  isStreamPending: boolean;
  /** The service's reply about it exceeds what is ever read (ruling 43). */
  isReplyUnread: boolean;
  /** The user's retention rule deleted its output here. */
  isOutputForgotten: boolean;
}

/** The facts of a job's current attempt, or of a former one (of which only less was saved). */
export function attemptFacts(job: Job, attempt: Attempt | null): AttemptFacts {
  const isCurrent = attempt === null || attempt.number === job.attempt;
  const policyFacts = {
    executionTimeoutMs: job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs,
    retentionMs: retentionMs[job.operation],
    isFromHere: !isExternal(job),
    hasInput: missingInputReason(job) === null,
    isOutputForgotten: job.outputForgottenAtMs !== undefined,
  };
  if (!isCurrent) {
    return {
      ...policyFacts,
      kind: statusKind(endOf(attempt)),
      isLive: false,
      isSending: false,
      startedAtMs: attempt.startedAtMs,
      queuedMs: attempt.delayTimeMs,
      runningSinceMs: null,
      formerStartsAtMs: [],
      ranMs: attempt.executionTimeMs,
      finishedAtMs: attempt.finishedSeenAtMs,
      ttlEndsAtMs: null,
      retentionEndsAtMs: null,
      isResultSaved: true,
      outputBytes: attempt.outputBytes,
      chunkCount: attempt.chunkCount,
      hasError: attempt.errorText !== null,
      isStreamPending: false,
      isReplyUnread: false,
    };
  }
  const startedAtMs =
    attempt !== null && attempt.number > 1 ? attempt.startedAtMs : (job.acceptedAtMs ?? job.createdAtMs);
  // A job that returned to the queue waits there, whatever was seen before (ruling 40).
  const isRunning = job.status !== 'IN_QUEUE' && (job.status === 'IN_PROGRESS' || job.startedSeenAtMs !== null);
  // As in the list's execution column, so that both show the same number.
  const runsSinceMs = isRunning ? runningSinceMs(job) : null;
  return {
    ...policyFacts,
    kind: statusKind(job),
    // A job with a final status whose stream is still being read is no longer running.
    isLive: job.phase === 'active' && (job.status === null || !isTerminalStatus(job.status)),
    isSending: job.phase === 'submitting' || job.phase === 'waiting',
    startedAtMs,
    queuedMs: job.delayTimeMs ?? (runsSinceMs === null ? null : runsSinceMs - startedAtMs),
    runningSinceMs: runsSinceMs,
    formerStartsAtMs: job.formerStartsAtMs ?? [],
    ranMs:
      job.executionTimeMs ??
      (job.finishedSeenAtMs !== null && runsSinceMs !== null ? Math.max(0, job.finishedSeenAtMs - runsSinceMs) : null),
    finishedAtMs: job.finishedSeenAtMs,
    ttlEndsAtMs: job.ttlEndsAtMs,
    retentionEndsAtMs: job.retentionEndsAtMs,
    isResultSaved: job.isResultSaved,
    outputBytes: job.outputBytes,
    chunkCount: job.chunkCount,
    hasError: attempt === null ? statusKind(job) === 'fail' : attempt.errorText !== null,
    isStreamPending: job.pendingStream !== undefined,
    isReplyUnread: job.unreadReply !== undefined || job.goneReason === 'too-large',
  };
}

/** When an attempt started, in epoch milliseconds: the zero of its stream's times. Never later than its first chunk. */
export function streamStartMs(
  job: Job,
  attempt: Attempt | null,
  { firstReceivedAtMs }: Pick<StreamLog, 'firstReceivedAtMs'>,
): number {
  const isCurrent = attempt === null || attempt.number === job.attempt;
  const startMs = isCurrent ? runningSinceMs(job) : attempt.startedAtMs + (attempt.delayTimeMs ?? 0);
  return Math.min(startMs, firstReceivedAtMs ?? startMs);
}

/** The time from acceptance to the first chunk, by our clock. Null if either is unknown. */
export function firstChunkMs(
  job: Job,
  attempt: Attempt | null,
  { firstReceivedAtMs }: Pick<StreamLog, 'firstReceivedAtMs'>,
): number | null {
  const fromMs = attempt !== null && attempt.number > 1 ? attempt.startedAtMs : job.acceptedAtMs;
  return firstReceivedAtMs === null || fromMs === null ? null : Math.max(0, firstReceivedAtMs - fromMs);
}
