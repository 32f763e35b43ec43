import { goneAfter, isTerminalStatus, lastKnownAtMs, type Job, type NotKnown } from '../../../src-preload/job.ts';
import { dayMs } from '../../../src-preload/durations.ts';
import { policyBounds } from '../../../src-preload/job-bounds.ts';
import { hasExpiredAtMs, ttlEndMs } from '../../../src-preload/service-retention.ts';
import type { StreamGivenUpReason } from '../../../src-preload/job-reason.ts';
import {
  type BeyondLimits,
  type JobState,
  type NotFound,
  type StreamFailed,
  changed,
  isOutputMissing,
  isSettling,
  statusReadOrNever,
  replyBody,
  same,
  without,
  type Reduced,
} from './job-event.ts';

/** The service's answer that it does not know a job counts after this many times over this long (ruling 34). */
const { answers: timesToBeGone, overMs: minSpanMs } = goneAfter;
/** When it is read again. A result that expires after a minute is read more often. */
const readAgainMs = { run: 30_000, runsync: 10_000 } as const;

/**
 * The service answered 404 about a live job (rulings 11, 34). That ends the job immediately only if its ttl or the
 * retention of its result can have passed by a clock that is believed, or if this app purged the queue. Otherwise the
 * job stays live until the service itself has said so three times over a minute, with the endpoint's health answering
 * in between.
 */
export function notFound(state: JobState, event: NotFound, nowMs: number): Reduced {
  const { job } = state;
  // With the final record saved nothing is lost, and its stream is read separately (ruling 36).
  if (job.phase !== 'active' || isSettling(job) || isStale(job, event.requestedAtMs)) return same(state);
  const isDecided = event.isEndpointKnown !== null;
  const isOver = (!event.isClockDoubted && mayBeOver(job, nowMs - event.setAheadMs)) || isNeverSeen(job);
  const counts = (event.isJson && isDecided) || isOver;
  const notKnown = notKnownAgain(job, counts, event.requestedAtMs, nowMs);
  const isAtOnce = event.isJson && isDecided && (isOver || (event.isEndpointKnown === true && event.wasPurgedHere));
  const isRepeated = notKnown.times >= timesToBeGone && nowMs - notKnown.sinceMs >= minSpanMs;
  return isAtOnce || isRepeated ? gone(state, event, nowMs) : changed(state, { notKnown });
}

/** Answers may come out of order, and twice. This one is no newer than the last one. */
function isStale(job: Job, requestedAtMs: number): boolean {
  return requestedAtMs < statusReadOrNever(job) || requestedAtMs <= (job.notKnown?.lastAtMs ?? -Infinity);
}

function notKnownAgain({ notKnown, operation }: Job, counts: boolean, requestedAtMs: number, nowMs: number): NotKnown {
  const former = notKnown ?? { sinceMs: nowMs, times: 0 };
  // Three times over a minute, counted from the first that counts.
  const sinceMs = former.times === 0 ? nowMs : former.sinceMs;
  return {
    sinceMs,
    times: former.times + Number(counts),
    lastAtMs: requestedAtMs,
    nextTryMs: nowMs + readAgainMs[operation],
  };
}

function gone(state: JobState, { isEndpointKnown, wasPurgedHere, setAheadMs }: NotFound, nowMs: number): Reduced {
  const job = without(state.job, 'notKnown');
  const goneReason = isEndpointKnown === false ? 'unknown-endpoint' : wasPurgedHere ? 'purged' : 'expired';
  const because = goneReason === 'expired' && !mayBeOver(job, nowMs - setAheadMs) ? 'removed' : goneReason;
  return changed(
    { ...state, job },
    { phase: 'gone', goneReason, finishedSeenAtMs: nowMs, isCancelling: false, reason: { kind: 'gone', because } },
    { finishedSeenAtMs: nowMs },
  );
}

/** An external job that was never read: its ttl is unknown, and nothing of it is saved. */
function isNeverSeen({ ttlEndsAtMs, statusReadAtMs }: Job): boolean {
  return ttlEndsAtMs === null && statusReadAtMs === null;
}

/** Whether its ttl must have ended it, or the result may have expired if the job ended right after it was last seen. */
export function mayBeOver(job: Job, nowMs: number): boolean {
  return nowMs >= latestTtlEndMs(job) || nowMs >= hasExpiredAtMs(job.operation, lastKnownAtMs(job));
}

/** The latest time at which the ttl ended the job: its clock began between sending and the answer (ruling 39). */
export function latestTtlEndMs({ ttlEndsAtMs, acceptedAtMs, policy }: Job): number {
  if (ttlEndsAtMs === null) return Infinity;
  return Math.max(ttlEndsAtMs, ttlEndMs(policy, acceptedAtMs ?? -Infinity));
}

/** Whether its ttl ended a day ago. That of a job from elsewhere is not known, but no longer than the longest one. */
export function isLongOver(job: Job, nowMs: number): boolean {
  const endMs = job.ttlEndsAtMs === null ? job.createdAtMs + policyBounds.ttl.maxMs : latestTtlEndMs(job);
  return nowMs >= endMs + dayMs;
}

/** A gone job that the service knows, so the reason against it was wrong (ruling 34). */
export function alive({ job, attempt }: JobState, nowMs: number): JobState {
  return {
    job: {
      ...job,
      phase: 'active',
      goneReason: null,
      finishedSeenAtMs: null,
      retentionEndsAtMs: null,
      reason: null,
      // If a ttl passed and did not end it, another client extended it.
      ttlEndsAtMs: nowMs >= (job.ttlEndsAtMs ?? Infinity) ? null : job.ttlEndsAtMs,
    },
    attempt: { ...attempt, finishedSeenAtMs: null },
  };
}

/**
 * The service's reply about the job is larger than Jobdeck reads (ruling 43). It is reported, and what arrived is
 * saved. The job stays live, because the next reply may be another one. When nothing can be left to read, this was the
 * last one, and its status is read where it comes before anything nested.
 */
export function beyondLimits(before: JobState, event: BeyondLimits, nowMs: number): Reduced {
  const isKnownAgain = before.job.phase === 'gone' && before.job.goneReason !== 'too-large';
  const state = isKnownAgain ? alive(before, nowMs) : before;
  const { job } = state;
  const { failure, isClockDoubted, setAheadMs } = event;
  const message = failure.message;
  const rawReply = failure.rawReply ?? null;
  const reason = { kind: 'reply-too-large', said: message } as const;
  // The end is saved, and the output that comes after it is too large.
  if (isOutputMissing(state) && job.unreadReply === undefined)
    return changed(
      state,
      { unreadReply: message, reason, isWithoutOutput: false },
      {},
      { bodies: replyBody(job, rawReply) },
    );
  if (job.phase !== 'active' || isSettling(job)) return same(state);
  const known = without(job, 'notKnown');
  if (isClockDoubted || !mayBeOver(job, nowMs - setAheadMs)) {
    const isRepeated = job.unreadReply !== undefined;
    return isRepeated
      ? same(state)
      : changed({ ...state, job: known }, { unreadReply: message, reason }, {}, { bodies: replyBody(job, rawReply) });
  }
  const status = statusAtHead(rawReply ?? '');
  const end: Partial<Job> =
    status === null ? { phase: 'gone', goneReason: 'too-large' } : { phase: 'finished', status };
  const finishedSeenAtMs = nowMs;
  return changed(
    { ...state, job: known },
    { ...end, unreadReply: message, finishedSeenAtMs, isCancelling: false, reason },
    { finishedSeenAtMs, ...(status === null ? {} : { status }) },
    { bodies: replyBody(job, rawReply) },
  );
}

/**
 * A final status among the flat members at the beginning of a cut record. After an object or a list it might belong to
 * something else.
 */
function statusAtHead(raw: string): string | null {
  const head = /^\s*\{[^{}[\]]*/.exec(raw)?.[0] ?? '';
  const status = /"status"\s*:\s*"([A-Z_]+)"/.exec(head)?.[1];
  return status !== undefined && isTerminalStatus(status) ? status : null;
}

/** A read of an ended job's stream failed. It is repeated until the service deletes it (ruling 36). */
export function streamFailed(state: JobState, { reason, nextTryMs }: StreamFailed, nowMs: number): Reduced {
  const { job } = state;
  if (!isSettling(job)) return same(state);
  const { sinceMs = nowMs, failures = 0 } = job.pendingStream ?? {};
  const pendingStream = { sinceMs, failures: failures + 1, nextTryMs, untilMs: streamUntilMs(job, nowMs), reason };
  return changed(state, { pendingStream, isResultSaved: true });
}

/** When the rest of an ended job's stream has certainly expired on the service (spec: Queue operations, rule 3). */
export function streamUntilMs(
  { finishedSeenAtMs, operation }: Pick<Job, 'finishedSeenAtMs' | 'operation'>,
  nowMs: number,
): number {
  return hasExpiredAtMs(operation, finishedSeenAtMs ?? nowMs);
}

/** The stream of an ended job was read to its end. */
export function drained(state: JobState): Reduced {
  const { job, attempt } = state;
  if (!isSettling(job)) return same(state);
  const isWithoutOutput = job.status === 'COMPLETED' && !attempt.hasOutput && job.chunkCount === 0;
  return settled(state, { isWithoutOutput, reason: isWithoutOutput ? { kind: 'no-output' } : job.reason });
}

/** No more of an ended job's stream will be read, although there may be more. */
export function streamGivenUp(state: JobState, { because, said }: Omit<StreamGivenUpReason, 'kind'>): Reduced {
  const { job } = state;
  if (!isSettling(job)) return same(state);
  return settled(state, { isWithoutOutput: false, reason: job.reason ?? { kind: 'stream-given-up', because, said } });
}

function settled(state: JobState, end: Pick<Job, 'isWithoutOutput' | 'reason'>): Reduced {
  const job = without(state.job, 'pendingStream');
  return changed({ ...state, job }, { ...end, phase: 'finished', isResultSaved: true });
}
