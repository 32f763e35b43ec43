import { isTerminalStatus, policyDefaults, retentionMs } from '../../src-preload/job.ts';
import type { Attempt, Job } from '../../src-preload/job.ts';
import type { BodyToKeep } from '../history/history.ts';
import type { JobRecord } from '../service/reply.ts';
import { newAttempt } from './job-event.ts';
import type { JobEvent, JobState } from './job-event.ts';
import { noteOfResult, progressNote } from './job-note.ts';

/** What an event made of a job, and what has to be committed with it. */
export interface Reduced extends JobState {
  /** False when there is nothing to commit: at most `lastCheckedAtMs` moved. */
  isChanged: boolean;
  bodies: BodyToKeep[];
  /** What is worth a line in the log, such as news that came too late. */
  log: string | null;
}

/**
 * A job's life as a pure function. Terminal never goes back except by retry, which opens a new attempt (ruling 12);
 * unknown statuses are kept and are not final (8); output before the end is progress (field notes); nothing saved is
 * ever replaced by nothing. Doubled and late events change nothing.
 *
 * A terminal record leaves the job `active` with that status until `drained` tells that its stream was read to the
 * end: only then is everything saved (2). A crash in between finds it still live and reads on.
 */
export function reduce(state: JobState, event: JobEvent, nowMs: number): Reduced {
  const { job } = state;
  switch (event.kind) {
    case 'sending':
      return job.phase === 'waiting' ? changed(state, { phase: 'submitting', baseUrl: event.baseUrl, note: null }) : same(state);
    case 'held-back':
      return isUnsent(job) ? changed(state, { phase: 'waiting', note: event.reason }) : same(state);
    case 'accepted':
      return accepted(state, event.record, nowMs);
    case 'refused': {
      if (!isUnsent(job)) return same(state);
      const reason = event.failure.serviceSaid ?? event.failure.message;
      const bodies: BodyToKeep[] = [{ part: 'error', attempt: job.attempt, text: reason }];
      if (event.failure.rawReply !== undefined) bodies.push({ part: 'reply', attempt: job.attempt, text: event.failure.rawReply });
      return changed(state, { phase: 'refused', note: reason, finishedSeenAtMs: nowMs }, { errorText: reason, finishedSeenAtMs: nowMs }, bodies);
    }
    case 'outcome-unknown':
      if (!isUnsent(job)) return same(state);
      return changed(state, { phase: 'outcome-unknown', note: event.reason }, {}, replyBody(job, event.rawReply));
    case 'sighted':
      return job.phase === 'outcome-unknown' && job.jobId === null ? changed(state, { jobId: event.jobId }) : same(state);
    case 'evidence':
      if (job.phase !== 'outcome-unknown' || job.jobId !== null || job.note?.includes(event.said) === true) return same(state);
      return changed(state, { note: job.note === null ? event.said : `${job.note} ${event.said}`, ...(event.isLikelyThere ? { isLikelyThere: true } : {}) });
    case 'withdrawn':
      if (job.phase !== 'waiting' && !(job.phase === 'left-behind' && job.jobId === null)) return same(state);
      return changed(state,
        { phase: 'finished', status: 'CANCELLED', finishedSeenAtMs: nowMs, isResultSaved: true, note: 'Cancelled before it was sent' },
        { status: 'CANCELLED', finishedSeenAtMs: nowMs });
    case 'status':
      if (event.attempt !== job.attempt) return same(state, `A reply about attempt ${event.attempt} came after attempt ${job.attempt} began`);
      return withRecord(state, event.record, event.askedAtMs, nowMs);
    case 'not-found':
      return event.attempt === job.attempt ? notFound(state, event, nowMs) : same(state);
    case 'forgotten':
      return forgotten(state, nowMs);
    case 'connection-removed':
      return connectionRemoved(state);
    case 'connection-back':
      // One that was never sent is not sent by itself now: that may be months later, and it costs.
      return job.phase === 'left-behind' && job.jobId !== null ? changed(state, { phase: 'active', note: null }) : same(state);
    case 'malformed':
      return changed(state, {}, {}, replyBody(job, event.failure.rawReply ?? null), event.failure.message);
    case 'chunks-kept':
      return chunksKept(state, event, nowMs);
    case 'drained':
      return event.attempt === job.attempt ? drained(state) : same(state);
    case 'cancel-asked':
      return isOpen(job) ? changed(state, { isCancelling: true }) : same(state);
    case 'cancel-answered': {
      const after = withRecord(state, event.record, event.askedAtMs, nowMs);
      return after.job.isCancelling ? { ...after, job: { ...after.job, isCancelling: false }, isChanged: true } : after;
    }
    case 'cancel-refused':
      return job.isCancelling ? changed(state, { isCancelling: false, note: event.reason }) : same(state);
    case 'retry-accepted':
      return retryAccepted(state, event.ofAttempt, event.record, nowMs);
    case 'retry-asked':
      return isRetriable(job) && job.retryAskedAtMs === undefined ? changed(state, { retryAskedAtMs: nowMs }) : same(state);
    case 'retry-dropped':
      if (!isRetriable(job) || (job.retryAskedAtMs === undefined && event.reason === null)) return same(state);
      return changed({ ...state, job: withoutAskedRetry(job) }, event.reason === null ? {} : { note: event.reason });
    case 'ttl-extended':
      // Counted from when the question left: the service's clock was restarted no earlier (ruling 19).
      return isOpen(job) ? changed(state, { ttlEndsAtMs: event.askedAtMs + event.ttlMs }) : same(state);
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

/** True when the final record is on disk and only the stream may still hold something (ruling 2). */
export function isSettling(job: Pick<Job, 'phase' | 'status'>): boolean {
  return job.phase === 'active' && job.status !== null && isTerminalStatus(job.status);
}

/** The service has it and no final record came yet. */
function isOpen(job: Job): boolean {
  return job.phase === 'active' && !isSettling(job);
}

function isUnsent(job: Job): boolean {
  return job.phase === 'submitting' || job.phase === 'waiting';
}

function accepted(state: JobState, record: JobRecord, nowMs: number): Reduced {
  const { job } = state;
  // An unknown outcome can still turn into a known one, when the job is found later.
  if (!isUnsent(job) && job.phase !== 'outcome-unknown') return same(state);
  const active: JobState = {
    ...state,
    job: {
      ...job,
      phase: 'active',
      jobId: record.id,
      note: null,
      acceptedAtMs: nowMs,
      ttlEndsAtMs: nowMs + (job.policy.ttl ?? policyDefaults.ttlMs),
    },
  };
  const taken = withRecord(active, record, nowMs, nowMs);
  // The answer to run only says that it is queued; nobody looked yet.
  return { ...taken, isChanged: true, job: job.operation === 'run' ? { ...taken.job, lastCheckedAtMs: null } : taken.job };
}

function withRecord(state: JobState, record: JobRecord, askedAtMs: number, nowMs: number): Reduced {
  const { job, attempt } = state;
  // Its answer was on the way when its connection was removed.
  if (job.phase === 'left-behind' && isTerminalStatus(record.status)) return withRecord({ job: { ...job, phase: 'active' }, attempt }, record, askedAtMs, nowMs);
  if (job.phase !== 'active') return late(state, record);
  const looked: JobState = { job: { ...job, lastCheckedAtMs: laterLook(job.lastCheckedAtMs, askedAtMs, nowMs) }, attempt };
  if (isSettling(job)) return record.status === job.status ? completed(looked, record, false) : late(looked, record);
  if (isTerminalStatus(record.status)) return completed(finishedNow(looked, record, nowMs), record, true);

  const isStarted = record.status !== '' && record.status !== 'IN_QUEUE';
  const times = timesOf(job, record);
  return settledChange(looked, {
    ...times,
    // A record without a status says only that the job is there.
    status: record.status === '' ? job.status : record.status,
    startedSeenAtMs: job.startedSeenAtMs ?? (isStarted ? nowMs : null),
    note: progressNote(record) ?? job.note,
  }, {
    ...times,
    status: record.status === '' ? attempt.status : record.status,
    workerId: record.workerId ?? attempt.workerId,
  });
}

/** Answers may come out of order. A look that lies ahead of the clock is from before it was put back. */
function laterLook(knownAtMs: number | null, askedAtMs: number, nowMs: number): number {
  return knownAtMs === null || knownAtMs > nowMs ? askedAtMs : Math.max(knownAtMs, askedAtMs);
}

/** The first sight of a final status. */
function finishedNow(state: JobState, record: JobRecord, nowMs: number): JobState {
  return {
    job: {
      ...state.job,
      status: record.status,
      finishedSeenAtMs: nowMs,
      // The service counts from its own end of the job, which was no later than now (spec: rule 3).
      retentionEndsAtMs: nowMs + retentionMs[state.job.operation],
      isCancelling: false,
      note: null,
    },
    attempt: { ...state.attempt, status: record.status, finishedSeenAtMs: nowMs },
  };
}

/** Takes what a final record carries, where nothing is saved yet: a doubled reply adds, and never takes away. */
function completed(state: JobState, record: JobRecord, isFirstSight: boolean): Reduced {
  const { job, attempt } = state;
  const bodies: BodyToKeep[] = [];
  const output = outputOf(record);
  const isNewOutput = output !== null && !attempt.hasOutput;
  const outputBytes = isNewOutput ? Buffer.byteLength(output) : attempt.outputBytes;
  if (isNewOutput) bodies.push({ part: 'output', attempt: job.attempt, text: output });
  const isNewError = record.errorText !== null && attempt.errorText === null;
  if (isNewError && record.errorText !== null) bodies.push({ part: 'error', attempt: job.attempt, text: record.errorText });
  // What the specification does not name is kept beside the result, once.
  if ((isFirstSight || bodies.length > 0) && Object.keys(record.extra).length > 0) bodies.push({ part: 'reply', attempt: job.attempt, text: JSON.stringify({ id: record.id, status: record.status, ...record.extra }) });
  const times = timesOf(job, record);
  const full: Attempt = {
    ...attempt,
    ...times,
    workerId: record.workerId ?? attempt.workerId,
    hasOutput: attempt.hasOutput || isNewOutput,
    outputBytes,
    errorText: attempt.errorText ?? record.errorText,
  };
  const note = noteOfResult({ status: job.status, errorText: full.errorText, executionTimeoutMs: job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs });
  const result = settledChange(state, { ...times, outputBytes, note: note ?? job.note }, full);
  return { ...result, isChanged: isFirstSight || result.isChanged || bodies.length > 0, bodies };
}

/** A null is no output (spec: an object or array): what the worker returned may be too large to come back (ruling 30). */
function outputOf({ outputJson }: JobRecord): string | null {
  return outputJson === 'null' ? null : outputJson;
}

function drained(state: JobState): Reduced {
  const { job, attempt } = state;
  if (!isSettling(job)) return same(state);
  const isWithoutOutput = job.status === 'COMPLETED' && !attempt.hasOutput && job.chunkCount === 0;
  return changed(state, {
    phase: 'finished',
    isResultSaved: true,
    isCancelling: false,
    isWithoutOutput,
    note: isWithoutOutput ? 'Completed, no output returned' : job.note,
  });
}

function notFound(state: JobState, event: { isEndpointKnown: boolean; wasPurgedHere: boolean }, nowMs: number): Reduced {
  const { job } = state;
  if (job.phase !== 'active') return same(state);
  // The final record is saved: nothing is lost, the stream has nothing more to give (ruling 11).
  if (isSettling(job)) return drained(state);
  const goneReason = !event.isEndpointKnown ? 'unknown-endpoint' : event.wasPurgedHere ? 'purged' : 'expired';
  const notes = {
    'unknown-endpoint': 'The service does not know this endpoint (404)',
    purged: 'Removed from the queue by a purge from here',
    expired: mayBeOver(job, nowMs)
      ? 'The service no longer has it (404): its ttl or the retention of its result passed before it could be read'
      : 'The service no longer has it (404), though neither its ttl nor the retention of a result can have passed: it was purged or removed elsewhere',
  };
  return changed(state, { phase: 'gone', goneReason, finishedSeenAtMs: nowMs, isCancelling: false, note: notes[goneReason] }, { finishedSeenAtMs: nowMs });
}

/** Whether its ttl can have ended it, or the result left of a job that ended right after it was last known. */
function mayBeOver({ ttlEndsAtMs, lastCheckedAtMs, acceptedAtMs, createdAtMs, operation }: Job, nowMs: number): boolean {
  return ttlEndsAtMs === null || nowMs >= ttlEndsAtMs || nowMs >= (lastCheckedAtMs ?? acceptedAtMs ?? createdAtMs) + retentionMs[operation];
}

function forgotten(state: JobState, nowMs: number): Reduced {
  if (state.job.phase !== 'active') return same(state);
  // The final record is saved: nothing is lost, its stream has nothing more to give.
  if (isSettling(state.job)) return drained(state);
  return changed(state,
    { phase: 'gone', goneReason: 'sandbox-restarted', finishedSeenAtMs: nowMs, isCancelling: false, note: 'The sandbox was restarted and forgot it' },
    { finishedSeenAtMs: nowMs });
}

/** Not an end: the service may well run it. But nobody asks any more, and it must not look as if somebody did. */
function connectionRemoved(state: JobState): Reduced {
  const { job } = state;
  // The final record is saved: what its stream had beside it stays behind.
  if (isSettling(job)) return drained(state);
  if (job.phase !== 'active' && job.phase !== 'waiting') return same(state);
  const note = job.phase === 'active' ? 'Not followed any more: its connection was removed' : 'Not sent: its connection was removed';
  return changed(state, { phase: 'left-behind', note, isCancelling: false });
}

function chunksKept(state: JobState, event: { attempt: number; chunkCount: number }, nowMs: number): Reduced {
  const { job, attempt } = state;
  if (event.attempt !== job.attempt || event.chunkCount <= job.chunkCount) return same(state);
  return changed(state,
    { chunkCount: event.chunkCount, startedSeenAtMs: job.startedSeenAtMs ?? nowMs, isWithoutOutput: false },
    { chunkCount: Math.max(attempt.chunkCount, event.chunkCount) });
}

/** A retry opens a new attempt of the same id; the old one stays in history as it was (ruling 12). */
function retryAccepted(state: JobState, ofAttempt: number, record: JobRecord, nowMs: number): Reduced {
  const { job } = state;
  if (job.attempt !== ofAttempt || !isRetriable(job)) return same(state);
  const again: JobState = {
    job: {
      ...withoutAskedRetry(job),
      attempt: ofAttempt + 1,
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
      note: null,
      lastCheckedAtMs: nowMs,
    },
    attempt: newAttempt(ofAttempt + 1, nowMs),
  };
  return { job: again.job, attempt: { ...again.attempt, status: again.job.status }, isChanged: true, bodies: [], log: null };
}

/** spec: States. Whether its result is still there is the service's to say. */
function isRetriable({ phase, status }: Job): boolean {
  return phase === 'finished' && (status === 'FAILED' || status === 'TIMED_OUT');
}

function withoutAskedRetry(job: Job): Job {
  const without = { ...job };
  delete without.retryAskedAtMs;
  return without;
}

function timesOf(job: Job, record: JobRecord): { delayTimeMs: number | null; executionTimeMs: number | null } {
  return { delayTimeMs: record.delayTimeMs ?? job.delayTimeMs, executionTimeMs: record.executionTimeMs ?? job.executionTimeMs };
}

function late(state: JobState, record: JobRecord): Reduced {
  return same(state, record.status === state.job.status ? null : `${record.status} came after ${state.job.status ?? state.job.phase} and was ignored`);
}

function replyBody(job: Job, text: string | null): BodyToKeep[] {
  return text === null ? [] : [{ part: 'reply', attempt: job.attempt, text }];
}

function same(state: JobState, log: string | null = null): Reduced {
  return { job: state.job, attempt: state.attempt, isChanged: false, bodies: [], log };
}

function changed(state: JobState, job: Partial<Job>, attempt: Partial<Attempt> = {}, bodies: BodyToKeep[] = [], log: string | null = null): Reduced {
  return { job: { ...state.job, ...job }, attempt: { ...state.attempt, ...attempt }, isChanged: true, bodies, log };
}

/** A change only when a field really differs: most looks find a job as it was. */
function settledChange(state: JobState, job: Partial<Job>, attempt: Partial<Attempt>): Reduced {
  const result = changed(state, job, attempt);
  return { ...result, isChanged: differs(state.job, result.job) || differs(state.attempt, result.attempt) };
}

function differs<T extends object>(before: T, after: T): boolean {
  for (const key in after) if (before[key] !== after[key]) return true;
  return false;
}
