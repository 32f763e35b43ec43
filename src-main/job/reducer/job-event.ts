import type { ServiceFailure } from '../../../src-preload/failure.ts';
import type { Attempt, Job, Policy, SubmitOperation } from '../../../src-preload/job.ts';
import type {
  CounterEvidence,
  HeldBackReason,
  JobReason,
  StreamGivenUpReason,
  UnansweredWhy,
} from '../../../src-preload/job-reason.ts';
import type { JobRecord } from '../../service/reply.ts';

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
  /** The request may have arrived and nothing told so (ruling 9). */
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

/** What makes a job: the intent, before anything is sent. */
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
  /** `submitting`: the request follows at once. `waiting`: it stands in the outbox, `reason` says why. */
  phase: 'submitting' | 'waiting';
  reason: HeldBackReason | null;
  batchId?: string;
  batchRow?: number;
  isKeptWhole?: false;
}

/** The job as it stands when its intent is journalled. */
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
      lastCheckedAtMs: null,
      requestCount: 0,
      isStarred: false,
      isSeen: false,
      isCancelling: false,
    },
    attempt: newAttempt(1, nowMs),
  };
}

/** An attempt of which nothing is known yet. */
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
