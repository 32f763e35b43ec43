import { parseJson } from '../../../src-preload/json-spans.ts';
import {
  isKnownStatus,
  isTerminalStatus,
  type Attempt,
  type Job,
  isTimeoutError,
  type JobStatus,
} from '../../../src-preload/job.ts';
import { policyDefaults } from '../../../src-preload/job-bounds.ts';
import { mayExpireAtMs } from '../../../src-preload/service-retention.ts';
import type { BodyToSave } from '../../history/records.ts';
import type { JobRecord } from '../../service/reply.ts';
import {
  type JobState,
  changed,
  changedIfDiffers,
  isOutputMissing,
  isSettling,
  replyBody,
  statusReadOrNever,
  same,
  without,
  type Reduced,
} from './job-event.ts';
import { alive } from './ending.ts';
import type { JobReason } from '../../../src-preload/job-reason.ts';
import { readJobError } from '../../service/job-error.ts';
import { oneLine } from '../../../src-preload/job-title.ts';

/** How many returns into the queue are kept before the oldest are dropped. */
const maxFormerStarts = 20;

/**
 * Applies a job record that was requested at `requestedAtMs`. A final status never goes back (ruling 12); a running job
 * that is in the queue again counts as waiting (ruling 40); a gone job is live again (ruling 34).
 */
export function withRecord(state: JobState, record: JobRecord, requestedAtMs: number, nowMs: number): Reduced {
  const { job, attempt } = state;
  if (job.phase === 'gone')
    return { ...withRecord(alive(state, nowMs), record, requestedAtMs, nowMs), isChanged: true };
  // Its answer was on the way when its connection was removed.
  if (job.phase === 'orphaned' && isTerminalStatus(record.status)) {
    return withRecord({ job: { ...job, phase: 'active' }, attempt }, record, requestedAtMs, nowMs);
  }
  if (isOutputMissing(state) && record.status === job.status) return outputCame(state, record);
  if (job.phase !== 'active') return late(state, record);
  if (job.notKnown !== undefined || job.unreadReply !== undefined) {
    const known = withRecord({ job: without(job, 'notKnown', 'unreadReply'), attempt }, record, requestedAtMs, nowMs);
    return { ...known, isChanged: true };
  }
  const afterRead: JobState = {
    job: { ...job, statusReadAtMs: Math.max(requestedAtMs, statusReadOrNever(job)) },
    attempt,
  };
  if (isSettling(job))
    return record.status === job.status ? completed(afterRead, record, false) : late(afterRead, record);
  if (isTerminalStatus(record.status)) return completed(finishedNow(afterRead, record, nowMs), record, true);

  const times = timesOf(job, record);
  const possible = possibleResult(state, record);
  const outputBytes = possible === null ? attempt.outputBytes : Buffer.byteLength(possible);
  const result = changedIfDiffers(
    afterRead,
    {
      ...times,
      outputBytes,
      // A record without a status only says that the job exists.
      status: record.status === '' ? job.status : record.status,
      ...startOf(job, record, requestedAtMs, nowMs),
      reason: progressReason(record) ?? job.reason,
    },
    {
      ...times,
      outputBytes,
      status: record.status === '' ? attempt.status : record.status,
      workerId: record.workerId ?? attempt.workerId,
    },
  );
  if (!result.isChanged) return result;
  const bodies: BodyToSave[] = possible === null ? [] : [{ part: 'output', attempt: job.attempt, text: possible }];
  return { ...result, bodies: [...bodies, ...replyBody(job, possibleError(record))] };
}

/** Whether the status is a word of the service's own, which may mean that the job is over (ruling 8). */
function isUnlisted({ status }: JobRecord): boolean {
  return status !== '' && !isKnownStatus(status);
}

/**
 * The output of a record with an unlisted status. It may be progress, or the result under a name of the service's own
 * for COMPLETED: so it is saved until a final record replaces it (docs/decisions/154).
 */
function possibleResult({ attempt }: JobState, record: JobRecord): string | null {
  return isUnlisted(record) && !attempt.hasOutput ? outputOf(record) : null;
}

/** As `possibleResult`, of an error. It is shown among the fields that the specification does not name. */
function possibleError(record: JobRecord): string | null {
  if (!isUnlisted(record) || record.errorText === null) return null;
  return JSON.stringify({ id: record.id, status: record.status, error: record.errorText });
}

/** When it began to run, if this record shows another time: a crashed worker returns it to the queue (ruling 40). */
function startOf(
  job: Job,
  record: JobRecord,
  requestedAtMs: number,
  nowMs: number,
): Partial<Pick<Job, 'startedSeenAtMs' | 'formerStartsAtMs'>> {
  const { startedSeenAtMs, formerStartsAtMs = [] } = job;
  if (record.status === '') return {};
  if (record.status !== 'IN_QUEUE') return { startedSeenAtMs: startedSeenAtMs ?? nowMs };
  if (startedSeenAtMs === null || requestedAtMs < statusReadOrNever(job)) return {};
  return { startedSeenAtMs: null, formerStartsAtMs: [...formerStartsAtMs, startedSeenAtMs].slice(-maxFormerStarts) };
}

/**
 * A cancel was answered. With any other end the job ended on its own, and its status is read for the result (ruling
 * 38).
 */
export function cancelAnswered(state: JobState, record: JobRecord, requestedAtMs: number, nowMs: number): Reduced {
  const { job, attempt } = state;
  if (job.phase !== 'active') return late(state, record);
  const isOwnEnd = isTerminalStatus(record.status) && record.status !== 'CANCELLED';
  const after = isOwnEnd ? same(state) : withRecord(state, record, requestedAtMs, nowMs);
  if (!job.isCancelling) return after;
  return isOwnEnd
    ? changed({ job, attempt }, { isCancelling: false })
    : { ...after, job: { ...after.job, isCancelling: false }, isChanged: true };
}

/** The first reply with a final status. */
function finishedNow(state: JobState, record: JobRecord, nowMs: number): JobState {
  return {
    job: {
      ...state.job,
      status: record.status,
      finishedSeenAtMs: nowMs,
      // The service counts from its own end of the job, which was no later than now (spec: Queue operations, rule 3).
      retentionEndsAtMs: mayExpireAtMs(state.job.operation, nowMs),
      isCancelling: false,
      reason: null,
    },
    attempt: { ...state.attempt, status: record.status, finishedSeenAtMs: nowMs },
  };
}

/** Saves what a final record contains, if nothing is saved yet. A duplicate reply may add, but never removes. */
function completed(state: JobState, record: JobRecord, isFirstSight: boolean): Reduced {
  const { job, attempt } = state;
  const bodies: BodyToSave[] = [];
  const output = outputOf(record);
  const isNewOutput = output !== null && !attempt.hasOutput;
  const outputBytes = isNewOutput ? Buffer.byteLength(output) : attempt.outputBytes;
  if (isNewOutput) bodies.push({ part: 'output', attempt: job.attempt, text: output });
  const { errorText } = record;
  if (errorText !== null && attempt.errorText === null)
    bodies.push({ part: 'error', attempt: job.attempt, text: errorText });
  // Fields that the specification does not name are kept beside the result, once.
  if ((isFirstSight || bodies.length > 0) && record.extraJson !== null) {
    const known = JSON.stringify({ id: record.id, status: record.status });
    bodies.push({
      part: 'reply',
      attempt: job.attempt,
      text: `${known.slice(0, -1)},${record.extraJson.slice(1)}`,
    });
  }
  const times = timesOf(job, record);
  const full: Attempt = {
    ...attempt,
    ...times,
    workerId: record.workerId ?? attempt.workerId,
    hasOutput: attempt.hasOutput || isNewOutput,
    outputBytes,
    errorText: attempt.errorText ?? errorText,
  };
  const reason = resultReason({
    status: job.status,
    errorText: full.errorText,
    executionTimeoutMs: job.policy.executionTimeout ?? policyDefaults.executionTimeoutMs,
  });
  const result = changedIfDiffers(state, { ...times, outputBytes, reason: reason ?? job.reason }, full);
  return { ...result, isChanged: isFirstSight || result.isChanged, bodies };
}

/** The service reported the end before it had the output (ruling 30), and has it now. */
function outputCame({ job, attempt }: JobState, record: JobRecord): Reduced {
  if (outputOf(record) === null) return same({ job, attempt });
  const reason = job.reason?.kind === 'no-output' || job.reason?.kind === 'reply-too-large' ? null : job.reason;
  const known = { ...without(job, 'unreadReply'), isWithoutOutput: false, reason };
  return { ...completed({ job: known, attempt }, record, false), isChanged: true };
}

/**
 * Null is no output (spec: Job record, an object or array): the worker's output may have been too large to be returned
 * (ruling 30).
 */
function outputOf({ outputJson }: JobRecord): string | null {
  return outputJson === 'null' ? null : outputJson;
}

function timesOf(job: Job, record: JobRecord): { delayTimeMs: number | null; executionTimeMs: number | null } {
  return {
    delayTimeMs: record.delayTimeMs ?? job.delayTimeMs,
    executionTimeMs: record.executionTimeMs ?? job.executionTimeMs,
  };
}

function late(state: JobState, record: JobRecord): Reduced {
  if (record.status === state.job.status) return same(state);
  return { ...same(state), log: `${record.status} came after ${state.job.status ?? state.job.phase} and was ignored` };
}

const maxLineChars = 200;

/**
 * The reason for a final status. Null if the status says everything. An execution timeout is the same in either form
 * (ruling 14).
 */
function resultReason(result: {
  status: JobStatus | null;
  errorText: string | null;
  executionTimeoutMs: number;
}): JobReason | null {
  const error = result.errorText === null ? null : oneLine(readJobError(result.errorText).summary, maxLineChars);
  const isTimeout =
    result.status === 'TIMED_OUT' || (result.status === 'FAILED' && error !== null && isTimeoutError(error));
  if (!isTimeout) return error === null ? null : { kind: 'failed', said: error };
  const isPlain = error === null || /^executionTimeout exceeded$/i.test(error);
  return { kind: 'timed-out', limitMs: result.executionTimeoutMs, said: isPlain ? null : error };
}

/** Output before the end is progress, never a result (field notes: Status and result, runpod-python#250). */
function progressReason(record: JobRecord): JobReason | null {
  if (record.outputJson === null || record.outputJson === 'null') return null;
  return { kind: 'progress', said: oneLine(unquoted(record.outputJson), maxLineChars) };
}

function unquoted(json: string): string {
  if (!json.startsWith('"') || json.length > 10_000) return json;
  const value = parseJson(json);
  return typeof value === 'string' ? value : json;
}

/**
 * What a record shows about a finished job that was perhaps retried. `strange`: nothing, because the specification does
 * not have its status.
 */
export function retryStateOf(job: Job, record: JobRecord): 'as-before' | 'retried' | 'strange' {
  if (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS') return 'retried';
  // An unknown status, but the run time is that of the saved run.
  const isSavedRun =
    record.executionTimeMs !== null && record.executionTimeMs > 0 && record.executionTimeMs === job.executionTimeMs;
  if (!isTerminalStatus(record.status)) return isSavedRun ? 'as-before' : 'strange';
  // It may be over again already. Two runs hardly ever take the same times.
  const isOtherRun =
    record.status !== job.status ||
    differs(record.delayTimeMs, job.delayTimeMs) ||
    differs(record.executionTimeMs, job.executionTimeMs);
  return isOtherRun ? 'retried' : 'as-before';
}

function differs(ms: number | null, savedMs: number | null): boolean {
  return ms !== null && savedMs !== null && ms !== savedMs;
}
