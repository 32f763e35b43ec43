import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { type Attempt, type Job, isTerminalStatus } from '../../../src-preload/job.ts';
import type {
  CounterEvidence,
  HeldBackReason,
  JobReason,
  StreamGivenUpReason,
  UnansweredWhy,
} from '../../../src-preload/job-reason.ts';
import type { JobRecord } from '../../service/reply.ts';
import type { BodyToSave } from '../../history/records.ts';

/** A job with its current attempt: everything that the reducer reads and writes. */
export interface JobState {
  job: Job;
  attempt: Attempt;
}

/** Everything that can happen to a job after it was created. Times are from our clock, epoch milliseconds. */
export type JobEvent =
  /** The request is about to leave. From now on the job keeps this base URL. */
  | { kind: 'sending'; baseUrl: string }
  /** The service certainly did not accept it. It is tried again later (ruling 9). */
  | { kind: 'held-back'; reason: HeldBackReason }
  | { kind: 'accepted'; record: JobRecord }
  /** The service refused it. */
  | { kind: 'refused'; failure: ServiceFailure }
  /** The request may have arrived, but there is no sign of it (ruling 9). */
  | { kind: 'outcome-unknown'; why: UnansweredWhy; rawReply: string | null }
  /** A webhook call on the submission's own path named this id, so it arrived, although its outcome is unknown. */
  | { kind: 'id-mentioned'; jobId: string }
  /**
   * What the endpoint's counters show about a submission of unknown outcome (see outcome-evidence.ts), and whether that
   * is that it arrived.
   */
  | { kind: 'evidence'; counters: CounterEvidence; isLikelyThere: boolean }
  /** Cancelled here before it was ever sent. */
  | { kind: 'withdrawn' }
  /**
   * A job record read for `attempt`. `requestedAtMs` is when the request left: the reply does not include anything
   * later.
   */
  | { kind: 'status'; record: JobRecord; attempt: number; requestedAtMs: number }
  | NotFound
  | BeyondLimits
  /** Its connection was removed, and with it the key, so nothing more can be sent. */
  | { kind: 'connection-removed' }
  /** The connection of an orphaned job is back. */
  | { kind: 'connection-back' }
  /** A 2xx that cannot be read (ruling 7). */
  | { kind: 'malformed'; failure: ServiceFailure }
  /** Chunks are on disk; `chunkCount` is how many there are now. */
  | { kind: 'chunks-saved'; attempt: number; chunkCount: number }
  /** The stream of a job whose final record is on disk was read to its end. */
  | { kind: 'drained'; attempt: number }
  | StreamFailed
  /** The rest of that stream is not awaited: the service has deleted it, or the user gave it up. */
  | (StreamGivenUpReason & { attempt: number })
  | { kind: 'cancel-requested' }
  | { kind: 'cancel-answered'; record: JobRecord; requestedAtMs: number }
  | { kind: 'cancel-refused'; said: string }
  /** `ofAttempt` is the attempt that was retried. A duplicate event finds another one and changes nothing. */
  | { kind: 'retry-accepted'; ofAttempt: number; record: JobRecord }
  /** The user requested a retry that cannot be sent now. */
  | { kind: 'retry-requested' }
  /**
   * It is sent now, or the user withdrew it (`reason` null), or it failed for the `reason` that the job shows from then
   * on.
   */
  | { kind: 'retry-dropped'; reason: JobReason | null }
  | { kind: 'ttl-extended'; ttlMs: number; requestedAtMs: number };

/** The service answered 404 or 410 about the job. */
export interface NotFound {
  kind: 'not-found';
  attempt: number;
  /** When the request left. */
  requestedAtMs: number;
  /** It came from the service itself. A page of a proxy is no answer (ruling 34). */
  isJson: boolean;
  /**
   * What the endpoint's health says about the endpoint since the job was last read. Null if that could not be
   * determined.
   */
  isEndpointKnown: boolean | null;
  /** It was in a queue that was purged from here. */
  wasPurgedHere: boolean;
  /** This computer's clock may be wrong by years, so it does not show that a ttl or a retention is over. */
  isClockDoubted: boolean;
  /** By how much the clock was set ahead since the job was accepted. That time did not pass. */
  setAheadMs: number;
}

/** The service's reply about the job exceeds what is ever read (ruling 43). */
export interface BeyondLimits {
  kind: 'beyond-limits';
  attempt: number;
  failure: ServiceFailure;
  /** Both as in `NotFound`. */
  isClockDoubted: boolean;
  setAheadMs: number;
}

/** A read of an ended job's stream failed. The next is at `nextTryMs`. */
export interface StreamFailed {
  kind: 'stream-failed';
  attempt: number;
  reason: string;
  nextTryMs: number;
}

/** The job after an event, and what must be committed with it. */
export interface Reduced extends JobState {
  /** False if there is nothing to commit: at most `statusReadAtMs` changed. */
  isChanged: boolean;
  bodies: BodyToSave[];
  /** A line for the log, such as a late event, or null. */
  log: string | null;
}

/** Nothing to commit. */
export function same(state: JobState): Reduced {
  return { job: state.job, attempt: state.attempt, isChanged: false, bodies: [], log: null };
}

/** These fields of the job and its attempt, and these bodies, are to be committed. */
export function changed(
  state: JobState,
  job: Partial<Job>,
  attempt: Partial<Attempt> = {},
  { bodies = [], log = null }: Partial<Pick<Reduced, 'bodies' | 'log'>> = {},
): Reduced {
  return { job: { ...state.job, ...job }, attempt: { ...state.attempt, ...attempt }, isChanged: true, bodies, log };
}

/** A change only if a field really differs, because most status reads find the job unchanged. */
export function changedIfDiffers(state: JobState, job: Partial<Job>, attempt: Partial<Attempt> = {}): Reduced {
  const isReasonKept = job.reason !== undefined && isSameReason(job.reason, state.job.reason);
  const result = changed(state, isReasonKept ? { ...job, reason: state.job.reason } : job, attempt);
  return { ...result, isChanged: differs(state.job, result.job) || differs(state.attempt, result.attempt) };
}

/** The job without these of its optional fields. */
export function without(
  job: Job,
  ...fields: ('notKnown' | 'pendingStream' | 'unreadReply' | 'retryRequestedAtMs' | 'formerStartsAtMs')[]
): Job {
  const left = { ...job };
  for (const field of fields) delete left[field];
  return left;
}

/**
 * When the last answered status read left. Answers may come out of order: one that was requested earlier is no newer.
 */
export function statusReadOrNever({ statusReadAtMs }: Pick<Job, 'statusReadAtMs'>): number {
  return statusReadAtMs ?? -Infinity;
}

/** The bodies to commit for a raw reply that is kept beside the job. */
export function replyBody(job: Pick<Job, 'attempt'>, text: string | null): BodyToSave[] {
  return text === null ? [] : [{ part: 'reply', attempt: job.attempt, text }];
}

/** True if the final record is on disk and only the stream may have more (ruling 2). */
export function isSettling({ phase, status }: Pick<Job, 'phase' | 'status'>): boolean {
  return phase === 'active' && status !== null && isTerminalStatus(status);
}

/** It completed, and its output did not come. */
export function isOutputMissing({ job, attempt }: JobState): boolean {
  return job.phase === 'finished' && job.status === 'COMPLETED' && !attempt.hasOutput;
}

function isSameReason(one: JobReason | null, other: JobReason | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function differs<T extends object>(before: T, after: T): boolean {
  for (const key in after) if (before[key] !== after[key]) return true;
  return false;
}
