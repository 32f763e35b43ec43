/**
 * The reason for a job's state, where its phase and status do not say everything. Saved with the job as data; only
 * `messages/job-reason.ts` turns it into text. `said` is a message of the service, as it came.
 */
export type JobReason =
  | HeldBackReason
  | UnansweredReason
  | NoLongerKnownReason
  | StreamGivenUpReason
  /** The service refused the submission, with this message. */
  | { kind: 'refused'; said: string }
  /** Output before the end is progress. */
  | { kind: 'progress'; said: string }
  | { kind: 'failed'; said: string }
  /** An execution timeout, in either form (ruling 14). `said`: the error, if it says more than that. */
  | { kind: 'timed-out'; limitMs: number; said: string | null }
  | { kind: 'no-output' }
  | { kind: 'withdrawn' }
  | { kind: 'cancel-refused'; said: string }
  | { kind: 'not-retried'; said: string }
  /** The retry could not be sent before the result expired on the service. */
  | { kind: 'retry-too-late' }
  /** The service's reply exceeds what is ever read (ruling 43). */
  | { kind: 'reply-too-large'; said: string }
  | { kind: 'connection-removed'; wasSent: boolean }
  /** From a version of Jobdeck that saved text: it is shown as it is. */
  | { kind: 'prose'; text: string };

/** Why a job waits to be sent. */
export type HeldBackReason =
  | { kind: (typeof plainHeldBack)[number] }
  /** The service answered 429. */
  | { kind: 'rate-limited'; said: string | null }
  | { kind: 'not-sent'; said: string };

export const plainHeldBack = [
  'paused',
  'offline',
  'no-key',
  'key-refused',
  'submissions-refused',
  'earlier-first',
  'budget-used-up',
  'closing',
] as const;

/** A submission got no answer (ruling 9), and what the endpoint's counters have shown about it since. */
export interface UnansweredReason {
  kind: 'unanswered';
  why: UnansweredWhy;
  counters?: CounterEvidence;
}

export type UnansweredWhy =
  /** Jobdeck ended while it was being sent. */
  | { kind: 'ended' }
  | { kind: 'error'; said: string }
  /** It seemed not to have arrived, but a webhook call about it came. */
  | { kind: 'called-back' }
  /** The connection broke, or the reply was not valid. `mentionedId` is a job id in it. */
  | { kind: 'no-answer'; said: string; mentionedId: string | null };

/** The job id in the strange reply to a submission: evidence, not the job's id (ruling 9). Null if there is none. */
export function mentionedId(reason: JobReason | null): string | null {
  return reason?.kind === 'unanswered' && reason.why.kind === 'no-answer' ? reason.why.mentionedId : null;
}

/** How many more jobs an endpoint counts than are known here, and how many were sent without an answer. */
export interface CounterEvidence {
  more: number;
  unanswered: number;
  /** Set if it is compared with a reading of an earlier run, made this long before they were sent. */
  readBeforeMs: number | null;
}

/** Why the service no longer has the job (rulings 11, 34). */
export interface NoLongerKnownReason {
  kind: 'gone';
  /** `removed`: neither its ttl nor the retention of a result can have passed. */
  because: 'unknown-endpoint' | 'purged' | 'expired' | 'removed';
}

/** Why the rest of a finished job's stream was given up. `said`: why the last read failed. */
export interface StreamGivenUpReason {
  kind: 'stream-given-up';
  because: 'not-waited-for' | 'left-service' | 'connection-removed';
  said: string | null;
}
