import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { isTerminalStatus, type Job } from '../../../src-preload/job.ts';
import { ttlEndMs } from '../../../src-preload/service-retention.ts';
import type { UnansweredWhy } from '../../../src-preload/job-reason.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import type { BodyToSave } from '../../history/records.ts';
import type { JobRecord } from '../../service/reply.ts';
import { newAttempt } from './new-job.ts';
import {
  type JobEvent,
  type JobState,
  changed,
  changedIfDiffers,
  isSettling,
  replyBody,
  same,
  without,
  type Reduced,
} from './job-event.ts';
import { beyondLimits, drained, notFound, streamFailed, streamGivenUp } from './ending.ts';
import { cancelAnswered, withRecord } from './record.ts';

/**
 * A job's life as a pure function. A final status never goes back except by a retry, which opens a new attempt (ruling
 * 12). Unknown statuses are kept and are not final (ruling 8). Output before the end is progress (field notes: Status
 * and result). What is saved is never replaced by nothing. Duplicate and late events change nothing.
 *
 * After a final record the job stays `active` with that status until `drained` reports that its stream was read to the
 * end. Only then is everything saved (ruling 2). After a crash in between it is still live, and reading continues.
 */
export function reduce(state: JobState, event: JobEvent, nowMs: number): Reduced {
  const { job } = state;
  switch (event.kind) {
    case 'sending':
      if (job.phase !== 'waiting') return same(state);
      return changed(state, { phase: 'submitting', baseUrl: event.baseUrl, reason: null }, { startedAtMs: nowMs });
    case 'held-back':
      return isUnsent(job) ? changed(state, { phase: 'waiting', reason: event.reason }) : same(state);
    case 'accepted':
      return accepted(state, event.record, nowMs);
    case 'refused':
      return refused(state, event.failure, nowMs);
    case 'outcome-unknown':
      if (event.why.kind === 'called-back' && isNotAccepted(job)) return calledBack(state);
      if (!isUnsent(job)) return same(state);
      return changed(
        state,
        { phase: 'outcome-unknown', reason: { kind: 'unanswered', why: event.why } },
        {},
        { bodies: replyBody(job, event.rawReply) },
      );
    case 'id-mentioned':
      return job.phase === 'outcome-unknown' && job.jobId === null
        ? changed(state, { jobId: event.jobId })
        : same(state);
    case 'evidence':
      if (job.phase !== 'outcome-unknown' || job.jobId !== null) return same(state);
      return changedIfDiffers(state, {
        reason: { kind: 'unanswered', why: whyUnanswered(job), counters: event.counters },
        ...(event.isLikelyThere ? { isLikelyThere: true } : {}),
      });
    case 'withdrawn':
      return withdrawn(state, nowMs);
    case 'status':
      if (event.attempt !== job.attempt)
        return {
          ...same(state),
          log: `A reply about attempt ${event.attempt} came after attempt ${job.attempt} began`,
        };
      return withRecord(state, event.record, event.requestedAtMs, nowMs);
    case 'not-found':
      return event.attempt === job.attempt ? notFound(state, event, nowMs) : same(state);
    case 'beyond-limits':
      if (event.attempt !== job.attempt) return same(state);
      return beyondLimits(state, event, nowMs);
    case 'connection-removed':
      return connectionRemoved(state);
    case 'connection-back':
      // An unsent job is not sent automatically now: that may be months later, and it costs money.
      return job.phase === 'orphaned' && job.jobId !== null
        ? changed(state, { phase: 'active', reason: null })
        : same(state);
    case 'malformed':
      return malformed(state, event.failure);
    case 'chunks-saved':
      return chunksSaved(state, event, nowMs);
    case 'drained':
      return event.attempt === job.attempt ? drained(state) : same(state);
    case 'stream-failed':
      return event.attempt === job.attempt ? streamFailed(state, event, nowMs) : same(state);
    case 'stream-given-up':
      return event.attempt === job.attempt ? streamGivenUp(state, event) : same(state);
    case 'cancel-requested':
      return isOpen(job) ? changed(state, { isCancelling: true }) : same(state);
    case 'cancel-answered':
      return cancelAnswered(state, event.record, event.requestedAtMs, nowMs);
    case 'cancel-refused':
      return job.isCancelling
        ? changed(state, { isCancelling: false, reason: { kind: 'cancel-refused', said: event.said } })
        : same(state);
    case 'retry-accepted':
      return retryAccepted(state, event.ofAttempt, event.record, nowMs);
    case 'retry-requested':
      return isRetriable(job) && job.retryRequestedAtMs === undefined
        ? changed(state, { retryRequestedAtMs: nowMs })
        : same(state);
    case 'retry-dropped':
      if (!isRetriable(job) || (job.retryRequestedAtMs === undefined && event.reason === null)) return same(state);
      return changed(
        { ...state, job: without(job, 'retryRequestedAtMs') },
        event.reason === null ? {} : { reason: event.reason },
      );
    case 'ttl-extended':
      // Counted from when the request left, because the service restarted its clock no earlier (ruling 19).
      return isOpen(job) ? changed(state, { ttlEndsAtMs: event.requestedAtMs + event.ttlMs }) : same(state);
  }
}

/** Reduces several events into one commit. */
export function reduceAll(state: JobState, events: readonly JobEvent[], nowMs: number): Reduced {
  let result = same(state);
  const logs: string[] = [];
  for (const event of events) {
    const next = reduce(result, event, nowMs);
    if (next.log !== null) logs.push(next.log);
    result = { ...next, isChanged: result.isChanged || next.isChanged, bodies: [...result.bodies, ...next.bodies] };
  }
  return { ...result, log: logs.length === 0 ? null : logs.join('; ') };
}

/** Text of a former version is kept as the reason. */
function whyUnanswered({ reason }: Job): UnansweredWhy {
  if (reason?.kind === 'unanswered') return reason.why;
  return { kind: 'no-answer', said: reason === null ? '' : reasonText(reason), mentionedId: null };
}

/** The service has it, and no final record has come. */
function isOpen(job: Job): boolean {
  return job.phase === 'active' && !isSettling(job);
}

function isUnsent(job: Job): boolean {
  return job.phase === 'submitting' || job.phase === 'waiting';
}

/**
 * Nothing more is sent of it, and it has no id of the service: it was refused, or withdrawn or orphaned after a try
 * that seemed not to arrive.
 */
function isNotAccepted({ phase, jobId, reason }: Job): boolean {
  if (jobId !== null) return false;
  return phase === 'refused' || phase === 'orphaned' || (phase === 'finished' && reason?.kind === 'withdrawn');
}

/** The service certainly has no job of this submission. */
function refused(state: JobState, failure: ServiceFailure, nowMs: number): Reduced {
  const { job } = state;
  if (!isUnsent(job)) return same(state);
  const message = failure.serviceSaid ?? failure.message;
  const bodies: BodyToSave[] = [{ part: 'error', attempt: job.attempt, text: message }];
  if (failure.rawReply !== undefined) bodies.push({ part: 'reply', attempt: job.attempt, text: failure.rawReply });
  return changed(
    state,
    { phase: 'refused', reason: { kind: 'refused', said: message }, finishedSeenAtMs: nowMs },
    { errorText: message, finishedSeenAtMs: nowMs },
    { bodies },
  );
}

/** The user took it back before it left. */
function withdrawn(state: JobState, nowMs: number): Reduced {
  const { job } = state;
  if (job.phase !== 'waiting' && !(job.phase === 'orphaned' && job.jobId === null)) return same(state);
  return changed(
    state,
    {
      phase: 'finished',
      status: 'CANCELLED',
      finishedSeenAtMs: nowMs,
      isResultSaved: true,
      reason: { kind: 'withdrawn' },
    },
    { status: 'CANCELLED', finishedSeenAtMs: nowMs },
  );
}

/** The service has a job of a submission that counted as not accepted, so its end was none. */
function calledBack(state: JobState): Reduced {
  return changed(
    state,
    {
      phase: 'outcome-unknown',
      status: null,
      finishedSeenAtMs: null,
      isResultSaved: false,
      reason: { kind: 'unanswered', why: { kind: 'called-back' } },
    },
    { status: null, finishedSeenAtMs: null },
  );
}

function accepted(state: JobState, record: JobRecord, nowMs: number): Reduced {
  const { job } = state;
  // An unknown outcome can still become a known one, if the job is found later.
  if (!isUnsent(job) && job.phase !== 'outcome-unknown') return same(state);
  const active: JobState = {
    ...state,
    job: {
      ...job,
      phase: 'active',
      jobId: record.id,
      reason: null,
      acceptedAtMs: nowMs,
      // The service may have had it since the request left (ruling 39).
      ttlEndsAtMs: ttlEndMs(job.policy, state.attempt.startedAtMs),
    },
  };
  const accepted = withRecord(active, record, nowMs, nowMs);
  // The answer to run only says that it is queued. Its status was not read yet.
  return {
    ...accepted,
    isChanged: true,
    job: job.operation === 'run' ? { ...accepted.job, statusReadAtMs: null } : accepted.job,
  };
}

/**
 * This is not an end, because the service may still run it. But it is no longer tracked and must not look as if it
 * were.
 */
function connectionRemoved(state: JobState): Reduced {
  const { job } = state;
  // The final record is saved. The rest of its stream is given up.
  if (isSettling(job)) return streamGivenUp(state, { because: 'connection-removed', said: null });
  if (job.phase !== 'active' && job.phase !== 'waiting') return same(state);
  const reason = { kind: 'connection-removed', wasSent: job.phase === 'active' } as const;
  return changed({ ...state, job: without(job, 'notKnown') }, { phase: 'orphaned', reason, isCancelling: false });
}

/** A reply about the job cannot be read. It is saved as it came. */
function malformed(state: JobState, failure: ServiceFailure): Reduced {
  const { job } = state;
  const bodies = replyBody(job, failure.rawReply ?? null);
  // What the final record has beside the result is saved in the same place and does not come again.
  const isEnded = job.status !== null && isTerminalStatus(job.status);
  const kept = isEnded ? bodies.map((body) => ({ ...body, replacesNothing: true }) as const) : bodies;
  return changed(state, {}, {}, { bodies: kept, log: failure.message });
}

function chunksSaved(state: JobState, event: { attempt: number; chunkCount: number }, nowMs: number): Reduced {
  const { job, attempt } = state;
  if (event.attempt !== job.attempt || event.chunkCount <= job.chunkCount) return same(state);
  // Chunks of a run that ended in a crash do not prove that it runs again (ruling 40).
  const isQueuedAgain = job.status === 'IN_QUEUE' && job.formerStartsAtMs !== undefined;
  return changed(
    state,
    {
      chunkCount: event.chunkCount,
      startedSeenAtMs: isQueuedAgain ? null : (job.startedSeenAtMs ?? nowMs),
      isWithoutOutput: false,
    },
    { chunkCount: Math.max(attempt.chunkCount, event.chunkCount) },
  );
}

/** A retry opens a new attempt with the same id. The old one stays in the history unchanged (ruling 12). */
function retryAccepted(state: JobState, ofAttempt: number, record: JobRecord, nowMs: number): Reduced {
  const { job } = state;
  if (job.attempt !== ofAttempt || !isRetriable(job)) return same(state);
  const again: JobState = {
    job: {
      ...without(job, 'retryRequestedAtMs', 'unreadReply', 'formerStartsAtMs'),
      attempt: ofAttempt + 1,
      retriedAtMs: nowMs,
      phase: 'active',
      status: isTerminalStatus(record.status) || record.status === '' ? 'IN_QUEUE' : record.status,
      startedSeenAtMs: null,
      finishedSeenAtMs: null,
      delayTimeMs: null,
      executionTimeMs: null,
      retentionEndsAtMs: null,
      outputBytes: 0,
      isResultSaved: false,
      isWithoutOutput: false,
      isCancelling: false,
      chunkCount: 0,
      reason: null,
      statusReadAtMs: nowMs,
    },
    attempt: newAttempt(ofAttempt + 1, nowMs),
  };
  return {
    job: again.job,
    attempt: { ...again.attempt, status: again.job.status },
    isChanged: true,
    bodies: [],
    log: null,
  };
}

/** spec: States and transitions. Only the service knows whether its result is still there. */
function isRetriable({ phase, status }: Job): boolean {
  return phase === 'finished' && (status === 'FAILED' || status === 'TIMED_OUT');
}
