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
import type { BodyToKeep } from '../../history/records.ts';

/** A job with its current attempt: all that the reducer reads and writes. */
export interface JobState {
  job: Job;
  attempt: Attempt;
}

/** Everything that can happen to a job after its birth. Times are our clock's, epoch milliseconds. */
export type JobEvent =
  /** The one request is about to leave; from now on the job is pinned to this base URL. */
  | { kind: 'sending'; baseUrl: string }
  /** It is certain that the service did not take it; it is tried again later (ruling 9). */
  | { kind: 'held-back'; reason: HeldBackReason }
  | { kind: 'accepted'; record: JobRecord }
  /** The service said that it will not take it. */
  | { kind: 'refused'; failure: ServiceFailure }
  /** The request may have arrived without any sign of it (ruling 9). */
  | { kind: 'outcome-unknown'; why: UnansweredWhy; rawReply: string | null }
  /** A webhook call on the submission's own path named this id: it arrived, though its outcome is unknown. */
  | { kind: 'sighted'; jobId: string }
  /**
   * What the endpoint's counters say about a submission of unknown outcome (see outcome-evidence.ts), and whether that
   * is that it arrived.
   */
  | { kind: 'evidence'; counters: CounterEvidence; isLikelyThere: boolean }
  /** Cancelled here before it was ever sent. */
  | { kind: 'withdrawn' }
  /** A job record read for `attempt`. `askedAtMs` is when the question left: the reply knows nothing later. */
  | { kind: 'status'; record: JobRecord; attempt: number; askedAtMs: number }
  | NotFound
  /** What the service answers about it is beyond what is ever read (ruling 43). */
  | { kind: 'beyond-limits'; attempt: number; failure: ServiceFailure }
  /** Its connection was removed, and with it the key: nothing more can be asked or sent. */
  | { kind: 'connection-removed' }
  /** A job that was orphaned has its connection again. */
  | { kind: 'connection-back' }
  /** A 2xx that cannot be read (ruling 7). */
  | { kind: 'malformed'; failure: ServiceFailure }
  /** Chunks are on disk; `chunkCount` is how many there are now. */
  | { kind: 'chunks-kept'; attempt: number; chunkCount: number }
  /** The stream of a job whose final record is on disk was read to its end. */
  | { kind: 'drained'; attempt: number }
  | StreamFailed
  /** Nothing more of that stream is waited for: the service has forgotten it, or the user wants no more of it. */
  | (StreamGivenUpReason & { attempt: number })
  | { kind: 'cancel-asked' }
  | { kind: 'cancel-answered'; record: JobRecord; askedAtMs: number }
  | { kind: 'cancel-refused'; said: string }
  /** `ofAttempt` is the attempt that was retried; a doubled event finds another one and changes nothing. */
  | { kind: 'retry-accepted'; ofAttempt: number; record: JobRecord }
  /** The user wants a retry that cannot be sent now. */
  | { kind: 'retry-asked' }
  /**
   * It leaves now, or the user took it back (`reason` null), or it came to nothing, which the job says from then on.
   */
  | { kind: 'retry-dropped'; reason: JobReason | null }
  | { kind: 'ttl-extended'; ttlMs: number; askedAtMs: number };

/** The service answered 404 or 410 about the job. */
export interface NotFound {
  kind: 'not-found';
  attempt: number;
  /** When the question left. */
  askedAtMs: number;
  /** It said so in its own words; a page of a proxy is no answer (ruling 34). */
  isJson: boolean;
  /**
   * What the endpoint's health says of the endpoint since the job was last asked about; null where that could not be
   * found out.
   */
  isEndpointKnown: boolean | null;
  /** It waited in a queue that was purged from here. */
  wasPurgedHere: boolean;
}

/** A read of the stream of a job that is over failed; the next is at `nextTryMs`. */
export interface StreamFailed {
  kind: 'stream-failed';
  attempt: number;
  reason: string;
  nextTryMs: number;
}

/** What an event made of a job, and what has to be committed with it. */
export interface Reduced extends JobState {
  /** False when there is nothing to commit: at most `lastCheckedAtMs` moved. */
  isChanged: boolean;
  bodies: BodyToKeep[];
  /** What is worth a line in the log, such as news that came too late. */
  log: string | null;
}

/** Nothing to commit. */
export function same(state: JobState, log: string | null = null): Reduced {
  return { job: state.job, attempt: state.attempt, isChanged: false, bodies: [], log };
}

/** These fields of the job and its attempt, and these bodies, are to be committed. */
export function changed(
  state: JobState,
  job: Partial<Job>,
  attempt: Partial<Attempt> = {},
  bodies: BodyToKeep[] = [],
  log: string | null = null,
): Reduced {
  return { job: { ...state.job, ...job }, attempt: { ...state.attempt, ...attempt }, isChanged: true, bodies, log };
}

/** A change only when a field really differs: most status reads find a job as it was. */
export function changedIfDiffers(state: JobState, job: Partial<Job>, attempt: Partial<Attempt> = {}): Reduced {
  const isReasonKept = job.reason !== undefined && isSameReason(job.reason, state.job.reason);
  const result = changed(state, isReasonKept ? { ...job, reason: state.job.reason } : job, attempt);
  return { ...result, isChanged: differs(state.job, result.job) || differs(state.attempt, result.attempt) };
}

/** The job without these of its optional fields. */
export function without(
  job: Job,
  ...fields: ('notKnown' | 'pendingStream' | 'unreadReply' | 'retryAskedAtMs' | 'formerStartsAtMs')[]
): Job {
  const left = { ...job };
  for (const field of fields) delete left[field];
  return left;
}

/**
 * When the last answered status read left. Answers may come out of order: one that was asked for before this knows
 * nothing later.
 */
export function lastStatusReadMs({ lastCheckedAtMs }: Pick<Job, 'lastCheckedAtMs'>): number {
  return lastCheckedAtMs ?? -Infinity;
}

/** Bodies to commit for a raw reply that is kept beside the job. */
export function replyBody(job: Pick<Job, 'attempt'>, text: string | null): BodyToKeep[] {
  return text === null ? [] : [{ part: 'reply', attempt: job.attempt, text }];
}

/** True when the final record is on disk, and only the stream may still hold something (ruling 2). */
export function isSettling({ phase, status }: Pick<Job, 'phase' | 'status'>): boolean {
  return phase === 'active' && status !== null && isTerminalStatus(status);
}

function isSameReason(one: JobReason | null, other: JobReason | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function differs<T extends object>(before: T, after: T): boolean {
  for (const key in after) if (before[key] !== after[key]) return true;
  return false;
}
