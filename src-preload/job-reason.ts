/**
 * Why a job stands as it does, where its phase and status do not tell all. Kept with the job as data; worded in
 * `messages/job-reason.ts` alone. What somebody else said stands in `said`, as it came.
 */
export type JobReason =
  | HeldBackReason
  | UnansweredReason
  | NoLongerKnownReason
  | StreamGivenUpReason
  /** The service said that it will not take the submission. */
  | { kind: 'refused'; said: string }
  /** Output before the end is progress. */
  | { kind: 'progress'; said: string }
  | { kind: 'failed'; said: string }
  /** An execution timeout, in either form (ruling 14). `said`: the error, where it tells more than that. */
  | { kind: 'timed-out'; limitMs: number; said: string | null }
  | { kind: 'no-output' }
  | { kind: 'withdrawn' }
  | { kind: 'cancel-refused'; said: string }
  | { kind: 'not-retried'; said: string }
  /** The retry could not be sent before the result left the service. */
  | { kind: 'retry-too-late' }
  /** What the service answers is beyond what is ever read (ruling 43). */
  | { kind: 'reply-too-large'; said: string }
  | { kind: 'connection-removed'; wasSent: boolean }
  /** From a version of Jobdeck that kept words: they are shown as they are. */
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

/** A submission got no answer (ruling 9), and what the endpoint's counters say about it since. */
export interface UnansweredReason {
  kind: 'unanswered';
  why: UnansweredWhy;
  counters?: CounterEvidence;
}

export type UnansweredWhy =
  /** Jobdeck ended while it was being sent. */
  | { kind: 'ended' }
  | { kind: 'error'; said: string }
  /** It was taken for one that did not arrive, and the service called back about it all the same. */
  | { kind: 'called-back' }
  /** The connection broke, or what came is no answer; `mentionedId` stands somewhere in it. */
  | { kind: 'no-answer'; said: string; mentionedId: string | null };

/** How many jobs more an endpoint counts than are known here, beside how many were sent without an answer. */
export interface CounterEvidence {
  more: number;
  unanswered: number;
  /** Set where it is compared with a reading of a former run, made this long before they were sent. */
  readBeforeMs: number | null;
}

/** Why the service no longer has it (rulings 11, 34). */
export interface NoLongerKnownReason {
  kind: 'gone';
  /** `removed`: though neither its ttl nor the retention of a result can have passed. */
  because: 'unknown-endpoint' | 'purged' | 'expired' | 'removed';
}

/** Why the rest of the stream of a job that is over is not waited for. `said`: how the last read failed. */
export interface StreamGivenUpReason {
  kind: 'stream-given-up';
  because: 'not-waited-for' | 'left-service' | 'connection-removed';
  said: string | null;
}
