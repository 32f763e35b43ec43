import type { JobReason } from './job-reason.ts';
import type { Judgement } from './judgement.ts';
import type { z } from 'zod';
import type { operation, policy, submissionDraft } from './job-schema.ts';

/** Statuses the specification names. Others are kept verbatim (ruling 8). */
const knownStatuses = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;
type KnownStatus = (typeof knownStatuses)[number];
/** A status as the service sent it. */
export type JobStatus = KnownStatus | (string & {});

export type SubmitOperation = z.infer<typeof operation>;

/** spec: policy object. Bounds are checked by the composer and again before sending. */
export type Policy = z.infer<typeof policy>;

export const policyDefaults = { executionTimeoutMs: 600_000, ttlMs: 86_400_000 } as const;
/** How long the service keeps a finished result (spec: Limits). */
export const retentionMs = { run: 30 * 60_000, runsync: 60_000 } as const;

/**
 * How long the service may keep a finished result at the most; behind that it has certainly left (spec: Queue
 * operations, rule 3).
 */
export const longestRetentionMs = { run: 30 * 60_000, runsync: 5 * 60_000 } as const;
/** Refused locally from this many bytes of body (ruling 16). */
export const payloadLimitBytes = { run: 10_000_000, runsync: 20_000_000 } as const;
/** spec: Limits, wait of runsync. */
export const waitBounds = { minMs: 1_000, maxMs: 300_000, defaultMs: 90_000 } as const;

/** What the composer hands over. `inputText` is the JSON text as typed: it is sent as it is, and kept as it is. */
export type SubmissionDraft = z.infer<typeof submissionDraft>;

/**
 * Where a job stands from Jobdeck's side.
 * - `waiting`: not sent yet (outbox, or refused before sending / 429 and tried again; ruling 9)
 * - `submitting`: the intent is journalled, the one request is in progress
 * - `outcome-unknown`: the request may have arrived, no reply said so (ruling 9)
 * - `refused`: the service answered that it will not take it; no job exists
 * - `active`: the service has it and it is not finished
 * - `finished`: COMPLETED, FAILED, TIMED_OUT or CANCELLED
 * - `gone`: the service answers 404 and nothing final was saved (ruling 11)
 * - `orphaned`: its connection was removed, so it is no longer tracked; the service may well run it. Without
 *   an
 *   id it was never sent. Followed again when its connection is back.
 */
export type JobPhase =
  | 'waiting'
  | 'submitting'
  | 'outcome-unknown'
  | 'refused'
  | 'active'
  | 'finished'
  | 'gone'
  | 'orphaned';

/**
 * Why a job is gone (ruling 11). `sandbox-restarted`: of former versions only, whose built-in sandbox kept its jobs in
 * memory. `too-large`: what the service answers about it is beyond what is ever read, and is kept as far as it came
 * (ruling 43).
 */
type GoneReason = 'expired' | 'purged' | 'unknown-endpoint' | 'sandbox-restarted' | 'too-large';

/** From so many answers, over so long a time, a 404 about a job counts (ruling 34). */
export const goneAfter = { answers: 3, overMs: 60_000 } as const;

/** The service answers 404 about a job that it may well have (ruling 34): it is asked again until that is certain. */
export interface NotKnown {
  /** When it first said so. */
  sinceMs: number;
  /** How often it said so in its own words, while the endpoint's health answered. */
  times: number;
  /** When it was last asked and said so. */
  lastAtMs: number;
  nextTryMs: number;
}

/** A job is over, and the rest of its stream could not be read yet (ruling 36). */
export interface PendingStream {
  sinceMs: number;
  /** Reads that failed. */
  failures: number;
  nextTryMs: number;
  /** When the service forgets it. */
  untilMs: number;
  /** What the last read came to. */
  reason: string;
}

/** A job as lists show it. Times are epoch milliseconds, durations milliseconds (ruling 3). */
export interface Job extends Judgement {
  /** Jobdeck's own key; ascending in time. Exists before the service gave an id. */
  key: string;
  /**
   * The service's id, once it gave one. While the outcome is unknown: the id that a webhook call on its own path named.
   */
  jobId: string | null;
  connectionId: string;
  /** Pinned for life: where it was sent. */
  baseUrl: string;
  endpointId: string;
  operation: SubmitOperation;
  title: string;
  tags: string[];
  phase: JobPhase;
  /** Last status the service gave, verbatim. */
  status: JobStatus | null;
  goneReason: GoneReason | null;
  /** 1, and one more for each retry. */
  attempt: number;
  createdAtMs: number;
  /** When the service accepted it (our clock). */
  acceptedAtMs: number | null;
  /** When a reply first showed it running (our clock). */
  startedSeenAtMs: number | null;
  /** When a reply first showed it finished (our clock). */
  finishedSeenAtMs: number | null;
  delayTimeMs: number | null;
  executionTimeMs: number | null;
  policy: Policy;
  /** ttl clock: when the service deletes the job whatever its state (spec: policy object; ruling 19). */
  ttlEndsAtMs: number | null;
  /** When the finished result leaves the service (spec: Queue operations, rule 3). */
  retentionEndsAtMs: number | null;
  inputBytes: number;
  outputBytes: number;
  /** True once the terminal record with everything it carried is committed here. */
  isResultSaved: boolean;
  /** COMPLETED that carried neither output nor chunks (ruling 30). */
  isWithoutOutput: boolean;
  chunkCount: number;
  /** Why it stands as it does, where its phase and status do not tell all. */
  reason: JobReason | null;
  lastCheckedAtMs: number | null;
  requestCount: number;
  isStarred: boolean;
  isSeen: boolean;
  /** The user asked to cancel and the service has not answered yet. */
  isCancelling: boolean;
  /** The batch it was submitted with, and its row there from 1; null for a job on its own. */
  batchId: string | null;
  batchRow: number | null;
  /** Set where its stream is not to be collected while it is off screen: then it is read once, when the job is over. */
  isKeptWhole?: false;
  /**
   * When the user asked for a retry that could not be sent yet. It is sent once, as soon as it can be; `cancel` takes
   * it back.
   */
  retryAskedAtMs?: number;
  /** Set while a live job is not known to the service right now. */
  notKnown?: NotKnown;
  /** Set while a job with a saved final status has a stream that is still being fetched. */
  pendingStream?: PendingStream;
  /** Why what the service answers about it was not read to its end (ruling 43); it is not downloaded again. */
  unreadReply?: string;
  /** When its output and stream were deleted here, by the user's retention rule. */
  outputForgottenAtMs?: number;
  /** When its current attempt began, where that is not the first. */
  retriedAtMs?: number;
  /** When it was seen running before it went back into the queue (ruling 40), oldest first. */
  formerStartsAtMs?: number[];
  /** The job it was resubmitted from, as it was or edited. */
  originKey?: string;
  /**
   * While its outcome is unknown: the endpoint counts as many jobs more as were sent without a reply, so the service
   * most likely has it.
   */
  isLikelyThere?: true;
}

/** Since when a job waits in the queue, or waited before it ran: in its current attempt (our clock). */
export function queuedSinceMs(job: Pick<Job, 'retriedAtMs' | 'acceptedAtMs' | 'createdAtMs'>): number {
  return job.retriedAtMs ?? job.acceptedAtMs ?? job.createdAtMs;
}

/**
 * Since when a running job runs: by the delay time that the service names, else since a reply first showed it running
 * (our clock). A start that was not seen is not counted from the first read.
 */
export function runningSinceMs(
  job: Pick<
    Job,
    'retriedAtMs' | 'acceptedAtMs' | 'createdAtMs' | 'startedSeenAtMs' | 'delayTimeMs' | 'formerStartsAtMs'
  >,
): number {
  const queuedMs = queuedSinceMs(job);
  const seenMs = job.startedSeenAtMs ?? queuedMs;
  // One that went back into the queue waited twice; its delay time says nothing of the second start.
  if (job.delayTimeMs === null || job.formerStartsAtMs !== undefined) return seenMs;
  return Math.min(seenMs, queuedMs + job.delayTimeMs);
}

/** One finished or current try of a job (ruling 12: attempts are kept). */
export interface Attempt {
  number: number;
  startedAtMs: number;
  status: JobStatus | null;
  delayTimeMs: number | null;
  executionTimeMs: number | null;
  workerId: string | null;
  errorText: string | null;
  hasOutput: boolean;
  outputBytes: number;
  chunkCount: number;
  finishedSeenAtMs: number | null;
}

/** A job with what the detail pane shows beyond the list. Bodies are read apart (`job:body`). */
export interface JobDetail {
  job: Job;
  attempts: Attempt[];
  webhook: string | null;
  waitMs: number | null;
  s3ProfileId: string | null;
  /** What the user wrote about it, as markdown; empty where there is nothing. */
  note: string;
  lineage: Lineage;
  /**
   * Failure text of the current attempt, read apart into its parts where it is a nested JSON string (field notes:
   * Status and result).
   */
  error: JobError | null;
  /** Anything the service sent that the specification does not name. */
  extraFields: Record<string, unknown>;
}

/** Where a job's input came from, and what was made of it. */
export interface Lineage {
  /** The job it was resubmitted from; null where there is none, or where that was deleted. */
  origin: Job | null;
  /** Jobs that were resubmitted from it, newest first. */
  copies: Job[];
  sameInput: SameInput;
}

/** Other jobs of the same endpoint whose input is the same. */
export interface SameInput {
  /** The newest few, newest first. */
  jobs: Job[];
  /** How many there are, counted up to 999. */
  total: number;
}

export interface JobError {
  /** The line to show. */
  summary: string;
  type: string | null;
  traceback: string | null;
  /** As it came. */
  raw: string;
}

/** One streamed increment as it was committed. `output` and `metrics` are JSON texts. */
export interface StreamChunk {
  seq: number;
  outputJson: string;
  metricsJson: string | null;
  receivedAtMs: number;
  /** It was never received: it stands here because the job's output holds it. */
  isRebuilt?: true;
}

/** One HTTP exchange made for a job, for the Requests tab. Never holds a key. */
export interface RequestRecord {
  id: number;
  atMs: number;
  method: 'GET' | 'POST';
  operation: string;
  path: string;
  httpStatus: number | null;
  tookMs: number;
  bytesReceived: number;
  failureKind: string | null;
  /** One line: what it said, or what went wrong. */
  note: string | null;
}

const terminal: ReadonlySet<string> = new Set<KnownStatus>(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

/** True for the four final statuses (spec: States and transitions). An unknown status is not final (ruling 8). */
export function isTerminalStatus(status: JobStatus): boolean {
  return terminal.has(status);
}

/** True for a job that was not submitted from here: its input is unknown. One from here has an object at least. */
export function isFromElsewhere(job: Pick<Job, 'inputBytes'>): boolean {
  return job.inputBytes === 0;
}

/** True while Jobdeck still expects news of the job. */
export function isLive(job: Pick<Job, 'phase'>): boolean {
  return job.phase === 'waiting' || job.phase === 'submitting' || job.phase === 'active';
}

/** True when nothing more will come for this attempt. */
export function isFinished(job: Pick<Job, 'phase'>): boolean {
  return !isLive(job) && job.phase !== 'outcome-unknown' && job.phase !== 'orphaned';
}

/** The glyph and hue a job is shown with (design language: Status language). */
export type StatusKind = (typeof statusLooks)[number];

export const statusLooks = [
  'queue',
  'run',
  'done',
  'fail',
  'timeout',
  'cancel',
  'gone',
  'to-send',
  'unknown',
  'orphaned',
] as const;

/** How a job looks: one of the design's glyphs. Execution timeouts show as a timeout in either form (ruling 14). */
export function statusKind(job: Pick<Job, 'phase' | 'status' | 'reason'>): StatusKind {
  switch (job.phase) {
    case 'waiting':
    case 'submitting':
      return 'to-send';
    case 'outcome-unknown':
      return 'unknown';
    case 'refused':
      return 'fail';
    case 'gone':
      return 'gone';
    case 'orphaned':
      return 'orphaned';
    case 'active':
    case 'finished':
      return lookOfStatus(job.status, job.reason);
  }
}

function lookOfStatus(status: JobStatus | null, reason: JobReason | null): StatusKind {
  switch (status) {
    case 'IN_QUEUE':
      return 'queue';
    case 'IN_PROGRESS':
      return 'run';
    case 'COMPLETED':
      return 'done';
    case 'FAILED':
      return reason?.kind === 'timed-out' ? 'timeout' : 'fail';
    case 'TIMED_OUT':
      return 'timeout';
    case 'CANCELLED':
      return 'cancel';
    default:
      return 'unknown';
  }
}

/** A former attempt as a job that ended so. */
export function endOf(attempt: Pick<Attempt, 'status' | 'errorText'>): Pick<Job, 'phase' | 'status' | 'reason'> {
  const { status, errorText } = attempt;
  const isTimeout = status === 'FAILED' && errorText !== null && isTimeoutError(errorText);
  const reason = isTimeout
    ? ({ kind: 'timed-out', limitMs: policyDefaults.executionTimeoutMs, said: errorText } as const)
    : null;
  return { phase: 'finished', status, reason };
}

/** The error with which services of the observed dialect fail a job at its execution timeout (ruling 14). */
export function isTimeoutError(errorText: string): boolean {
  return /executionTimeout exceeded/i.test(errorText);
}

/**
 * The word that always stands beside the glyph. Of a job called gone it says that its reply was too large, where
 * `goneReason` says so.
 */
export function statusWord(job: Pick<Job, 'phase' | 'status' | 'reason'> & Partial<Pick<Job, 'goneReason'>>): string {
  if (job.phase === 'gone' && job.goneReason === 'too-large') return 'Too large to read';
  if (job.phase === 'submitting') return 'Sending';
  if (job.phase === 'refused') return 'Refused';
  if (job.phase === 'outcome-unknown') return 'Outcome unknown';
  switch (statusKind(job)) {
    case 'queue':
      return 'In queue';
    case 'run':
      return 'In progress';
    case 'done':
      return 'Completed';
    case 'fail':
      return 'Failed';
    case 'timeout':
      return 'Timed out';
    case 'cancel':
      return 'Cancelled';
    case 'gone':
      return 'Gone';
    case 'to-send':
      return 'Waiting to send';
    case 'orphaned':
      return 'Orphaned';
    case 'unknown':
      return job.status ?? 'Unknown';
  }
}

export interface Allowed {
  isAllowed: boolean;
  /** Why not, for the greyed control. Empty when allowed. */
  reason: string;
}

const yes: Allowed = { isAllowed: true, reason: '' };
const no = (reason: string): Allowed => ({ isAllowed: false, reason });

/**
 * What can be done with a job at `nowMs` (spec: States and transitions; ruling 15: offered only where it applies).
 * `check`: look at it now.
 */
export function allowedActions(
  job: Job,
  nowMs: number,
): { cancel: Allowed; retry: Allowed; resubmit: Allowed; extendTtl: Allowed; check: Allowed } {
  return {
    cancel: cancelAllowed(job),
    retry: retryAllowed(job, nowMs),
    resubmit: isFromElsewhere(job) ? no('It was submitted elsewhere, so its input is unknown here') : yes,
    extendTtl: extendAllowed(job),
    check: checkAllowed(job),
  };
}

/** Also one that is called gone can be looked at again (ruling 34). */
function checkAllowed(job: Job): Allowed {
  if (job.phase === 'active' || (job.phase === 'gone' && job.jobId !== null)) return yes;
  if (job.phase === 'finished') return no('Its final status is saved here');
  if (job.phase === 'outcome-unknown') return no('The service never confirmed it');
  if (job.phase === 'orphaned' && job.jobId !== null)
    return no('Its connection was removed, so Jobdeck cannot ask the service');
  return no('There is no job id to check');
}

function cancelAllowed(job: Job): Allowed {
  if (job.retryAskedAtMs !== undefined) return yes;
  if (job.isCancelling) return no('Cancelling; waiting for the service');
  if (job.pendingStream !== undefined)
    return no('The job is finished; only the rest of its stream is still being fetched');
  // Its end is known and only the rest of its stream is still being read.
  if (job.phase === 'active' && job.status !== null && isTerminalStatus(job.status)) return no('The job is finished');
  if (job.phase === 'waiting' || job.phase === 'active') return yes;
  if (job.phase === 'submitting') return no('Sending; you can cancel once the service answers');
  if (job.phase === 'outcome-unknown') return no('Without an id from the service it cannot be cancelled');
  // One that was never sent is only taken out of the outbox.
  if (job.phase === 'orphaned')
    return job.jobId === null ? yes : no('Its connection was removed, so Jobdeck cannot ask the service');
  return no('The job is finished');
}

function extendAllowed(job: Job): Allowed {
  const isLiveThere = job.phase === 'active' && (job.status === null || !isTerminalStatus(job.status));
  return isLiveThere ? yes : no('Only an active job has a ttl to extend');
}

function retryAllowed(job: Job, nowMs: number): Allowed {
  const instead = isFromElsewhere(job) ? '' : '; resubmit its saved input';
  if (job.retryAskedAtMs !== undefined) return no('A retry is waiting to be sent');
  if (job.phase === 'gone')
    return no(
      job.goneReason === 'too-large'
        ? `The service's reply is too large to read${instead}`
        : `The job is gone from the service${instead}`,
    );
  if (job.status !== 'FAILED' && job.status !== 'TIMED_OUT') return no('Only a failed or timed-out job can be retried');
  if (job.retentionEndsAtMs !== null && nowMs >= job.retentionEndsAtMs)
    return no(`Its result has expired on the service${instead}`);
  if (job.pendingStream !== undefined)
    return no('A retry would delete the rest of its stream on the service; stop waiting first');
  return yes;
}
