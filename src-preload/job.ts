import type { JobReason } from './job-reason.ts';
import type { Judgement } from './judgement.ts';
import { policyDefaults } from './job-bounds.ts';
import { missingInputText, statusWords } from './messages/job.ts';
import { hasExpiredAtMs } from './service-retention.ts';
import type { z } from 'zod';
import type { operation, policy, submissionDraft } from './job-schema.ts';

/** The statuses that the specification names. Others are kept verbatim (ruling 8). */
const knownStatuses = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;
type KnownStatus = (typeof knownStatuses)[number];
/** A status as the service sent it. */
export type JobStatus = KnownStatus | (string & {});

export type SubmitOperation = z.infer<typeof operation>;

/** spec: policy object. The composer checks its bounds, and main does again before sending. */
export type Policy = z.infer<typeof policy>;

/** What the composer submits. `inputText` is the JSON text as entered. It is sent and saved unchanged. */
export type SubmissionDraft = z.infer<typeof submissionDraft>;

/**
 * The state of a job from Jobdeck's side.
 * - `waiting`: not sent yet (outbox, or refused before sending / 429 and tried again; ruling 9)
 * - `submitting`: the intent is journalled, and the one request is in progress
 * - `outcome-unknown`: the request may have arrived, but no reply said so (ruling 9)
 * - `refused`: the service refused it; no job exists
 * - `active`: the service has it, and it is not finished
 * - `finished`: COMPLETED, FAILED, TIMED_OUT or CANCELLED
 * - `gone`: the service answers 404, and nothing final was saved (ruling 11)
 * - `orphaned`: its connection was removed, so it is no longer tracked; the service may still run it. Without an id it
 *   was never sent. It is tracked again when its connection is back.
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
 * Why a job is gone (ruling 11). `sandbox-restarted`: only of former versions, whose built-in sandbox kept its jobs in
 * memory. `too-large`: the service's reply exceeds what is ever read, and is saved as far as it came (ruling 43).
 */
type GoneReason = 'expired' | 'purged' | 'unknown-endpoint' | 'sandbox-restarted' | 'too-large';

/** A 404 about a job counts after this many answers over this time (ruling 34). */
export const goneAfter = { answers: 3, overMs: 60_000 } as const;

/**
 * The service answers 404 about a job that it may well have (ruling 34). The status is read again until that is
 * certain.
 */
export interface NotKnown {
  /** When the first such answer came. */
  sinceMs: number;
  /** How often the service itself said so, while the endpoint's health answered. */
  times: number;
  /** When the last such answer came. */
  lastAtMs: number;
  nextTryMs: number;
}

/** A job is over, but the rest of its stream could not be read yet (ruling 36). */
export interface PendingStream {
  sinceMs: number;
  /** Reads that failed. */
  failures: number;
  nextTryMs: number;
  /** When the service deletes it. */
  untilMs: number;
  /** Why the last read failed. */
  reason: string;
}

/** A job as lists show it. Times are epoch milliseconds, durations milliseconds (ruling 3). */
export interface Job extends Judgement {
  /** Jobdeck's own key, ascending in time. It exists before the service has given an id. */
  key: string;
  /** The service's id, when known. While the outcome is unknown: the id that a webhook call on its own path named. */
  jobId: string | null;
  connectionId: string;
  /** Where it was sent. It never changes. */
  baseUrl: string;
  endpointId: string;
  operation: SubmitOperation;
  title: string;
  tags: string[];
  phase: JobPhase;
  /** The last status from the service, verbatim. */
  status: JobStatus | null;
  goneReason: GoneReason | null;
  /** 1, and one more for each retry. */
  attempt: number;
  createdAtMs: number;
  /** When the service accepted it (by our clock). */
  acceptedAtMs: number | null;
  /** When a reply first showed it running (by our clock). */
  startedSeenAtMs: number | null;
  /** When a reply first showed it finished (by our clock). */
  finishedSeenAtMs: number | null;
  delayTimeMs: number | null;
  executionTimeMs: number | null;
  policy: Policy;
  /** ttl clock: when the service deletes the job, whatever its state (spec: policy object; ruling 19). */
  ttlEndsAtMs: number | null;
  /** When the finished result expires on the service (spec: Queue operations, rule 3). */
  retentionEndsAtMs: number | null;
  /** UTF-8 bytes. 0 only for an external job, whose input is unknown: the input of any other is at least an object. */
  inputBytes: number;
  outputBytes: number;
  /** True when the final record with all its content is saved here. */
  isResultSaved: boolean;
  /** COMPLETED with neither output nor chunks (ruling 30). */
  isWithoutOutput: boolean;
  chunkCount: number;
  /** The reason for its state, where its phase and status do not say everything. */
  reason: JobReason | null;
  /** When the last answered read of its status left. Null before the first. */
  statusReadAtMs: number | null;
  requestCount: number;
  isStarred: boolean;
  isSeen: boolean;
  /** The user asked to cancel and the service has not answered yet. */
  isCancelling: boolean;
  /** The batch it was submitted with, and its row there from 1. Null for a single job. */
  batchId: string | null;
  batchRow: number | null;
  /** Set if its stream is not collected while it is off screen. It is then read once, when the job is over. */
  isKeptWhole?: false;
  /**
   * When the user requested a retry that could not be sent yet. It is sent once, as soon as possible; `cancel`
   * withdraws it.
   */
  retryRequestedAtMs?: number;
  /** Set while the service does not know a live job. */
  notKnown?: NotKnown;
  /** Set while the stream of a job with a saved final status is still being read. */
  pendingStream?: PendingStream;
  /** Why the service's reply about it was not read to its end (ruling 43). It is not downloaded again. */
  unreadReply?: string;
  /** When the user's retention rule deleted its output and stream here. */
  outputForgottenAtMs?: number;
  /** When its input was deleted here, by the user's retention rule. */
  inputForgottenAtMs?: number;
  /** When its current attempt began, if that is not the first. */
  retriedAtMs?: number;
  /** When it was seen running before it went back into the queue (ruling 40), oldest first. */
  formerStartsAtMs?: number[];
  /** The job whose input it has, unchanged or edited. */
  originKey?: string;
  /**
   * While its outcome is unknown: the endpoint counts as many more jobs as were sent without a reply, so the service
   * probably has it.
   */
  isLikelyThere?: true;
}

/** Since when a job waits in the queue, or waited before it ran, in its current attempt (by our clock). */
export function queuedSinceMs(job: Pick<Job, 'retriedAtMs' | 'acceptedAtMs' | 'createdAtMs'>): number {
  return job.retriedAtMs ?? job.acceptedAtMs ?? job.createdAtMs;
}

/** When the service last said something of a job: at the last answered read of its status, or when it was accepted. */
export function lastKnownAtMs({
  statusReadAtMs,
  acceptedAtMs,
  createdAtMs,
}: Pick<Job, 'statusReadAtMs' | 'acceptedAtMs' | 'createdAtMs'>): number {
  return statusReadAtMs ?? acceptedAtMs ?? createdAtMs;
}

/**
 * Since when a job has been running: by the delay time from the service, or else since a reply first showed it running
 * (by our clock). A start that was not seen is not counted from the first read.
 */
export function runningSinceMs(
  job: Pick<
    Job,
    | 'retriedAtMs'
    | 'acceptedAtMs'
    | 'createdAtMs'
    | 'startedSeenAtMs'
    | 'delayTimeMs'
    | 'formerStartsAtMs'
    | 'statusReadAtMs'
  >,
): number {
  const queuedMs = queuedSinceMs(job);
  const seenMs = job.startedSeenAtMs ?? queuedMs;
  // A job that went back into the queue waited twice, and its delay time says nothing about the second start.
  if (job.delayTimeMs === null || job.formerStartsAtMs !== undefined) return seenMs;
  const startMs = queuedMs + job.delayTimeMs;
  // It waited until after it was seen running: it went back into the queue between two reads.
  const isSecondStart = startMs > seenMs + clocksDifferMs && startMs <= (job.statusReadAtMs ?? 0);
  return isSecondStart ? startMs : Math.min(seenMs, startMs);
}

/** A start by the service's clock, counted from an answer on its way to us, may be this much later than it was. */
const clocksDifferMs = 2_000;

/** One finished or current attempt of a job (ruling 12: attempts are kept). */
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

/** The jobs that failed for the same cause as one job: how many, itself included. */
export interface AlikeFailures {
  causeId: number;
  jobs: number;
}

/** A job with what the detail pane shows in addition. Bodies are read separately (`job:body`). */
export interface JobDetail {
  job: Job;
  attempts: Attempt[];
  webhook: string | null;
  waitMs: number | null;
  s3ProfileId: string | null;
  /** The user's note, in markdown. Empty if there is none. */
  note: string;
  lineage: Lineage;
  /**
   * The error of the current attempt. If it is a nested JSON string, it is split into its parts (field notes: Status
   * and result).
   */
  error: JobError | null;
  /** Absent if it did not fail, or if nothing is known of others that failed like it. */
  alike?: AlikeFailures;
  /** Everything the service sent that the specification does not name. */
  extraFields: Record<string, unknown>;
}

/** The job that an input came from, and the jobs made from it. */
export interface Lineage {
  /** The job it was resubmitted from. Null if there is none, or if that was deleted. */
  origin: Job | null;
  /** The jobs that were resubmitted from it, newest first. */
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

/** One streamed increment as it was saved. `output` and `metrics` are JSON texts. */
export interface StreamChunk {
  seq: number;
  outputJson: string;
  metricsJson: string | null;
  receivedAtMs: number;
  /** It was never received: it was restored from the job's output. */
  isRebuilt?: true;
}

/** One HTTP exchange about a job, for the Requests tab. Never has a key. */
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
  /** One line: the reply, or what went wrong. */
  note: string | null;
}

/** Whether the specification names this status. */
export function isKnownStatus(status: JobStatus): boolean {
  return knownStatuses.some((known) => known === status);
}

const terminal: ReadonlySet<string> = new Set<KnownStatus>(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

/** True for the four final statuses (spec: States and transitions). An unknown status is not final (ruling 8). */
export function isTerminalStatus(status: JobStatus): boolean {
  return terminal.has(status);
}

/** True for a job that somebody else submitted. Its input is unknown. */
export function isExternal(job: Pick<Job, 'inputBytes'>): boolean {
  return job.inputBytes === 0;
}

/** Why a job's input is not here; null where it is. Without it the job cannot be sent again. */
export function missingInputReason(job: Pick<Job, 'inputBytes' | 'inputForgottenAtMs'>): string | null {
  if (isExternal(job)) return missingInputText.external;
  if (job.inputForgottenAtMs === undefined) return null;
  return missingInputText.forgotten(job.inputForgottenAtMs);
}

/** True while Jobdeck still expects changes of the job. */
export function isLive(job: Pick<Job, 'phase'>): boolean {
  return job.phase === 'waiting' || job.phase === 'submitting' || job.phase === 'active';
}

/** True when nothing more will come for this attempt. */
export function isFinished(job: Pick<Job, 'phase'>): boolean {
  return !isLive(job) && job.phase !== 'outcome-unknown' && job.phase !== 'orphaned';
}

/**
 * True for a job that completed without output, as long as the service may still have it: a service may report the end
 * before the output is stored.
 */
export function mayOutputCome(
  job: Pick<Job, 'phase' | 'jobId' | 'status' | 'outputBytes' | 'chunkCount' | 'operation' | 'finishedSeenAtMs'>,
  nowMs: number,
): boolean {
  const isWithout =
    job.phase === 'finished' && job.status === 'COMPLETED' && job.outputBytes === 0 && job.chunkCount === 0;
  return isWithout && job.jobId !== null && nowMs < hasExpiredAtMs(job.operation, job.finishedSeenAtMs ?? 0);
}

/** The glyph and colour of a job (design language: Status language). */
export type StatusKind = (typeof statusKinds)[number];

export const statusKinds = [
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

/** The glyph of a job. Execution timeouts are shown as a timeout in either form (ruling 14). */
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
      return kindOfStatus(job.status, job.reason);
  }
}

function kindOfStatus(status: JobStatus | null, reason: JobReason | null): StatusKind {
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

/** A former attempt as a job that ended in this way. */
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
 * The word that is always shown beside the glyph. For a job whose `goneReason` says so, it is that its reply was too
 * large.
 */
export function statusWord(job: Pick<Job, 'phase' | 'status' | 'reason'> & Partial<Pick<Job, 'goneReason'>>): string {
  if (job.phase === 'gone' && job.goneReason === 'too-large') return statusWords['too-large'];
  if (job.phase === 'submitting' || job.phase === 'refused' || job.phase === 'outcome-unknown')
    return statusWords[job.phase];
  const kind = statusKind(job);
  return kind === 'unknown' ? (job.status ?? statusWords.unknown) : statusWords[kind];
}
