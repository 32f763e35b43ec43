import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Dialect } from '../specification.ts';
import type { Timed } from './shared-timer.ts';
import { EMPTY_STREAM, type StreamBuffer } from './stream-buffer.ts';
import type { Submission } from './validation.ts';

/** Spec: States and transitions. */
export type JobStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

/** How a job was submitted, which decides how long its result is kept. */
export type JobSource = 'run' | 'runsync';

/**
 * One job of the service. Only queue.ts and job-book.ts write it. Times are clock milliseconds. What few jobs have is
 * created when needed, because a sandbox may have a hundred thousand of these.
 */
export interface JobRecord extends Timed {
  readonly id: string;
  readonly source: JobSource;
  /** When the job is COMPLETED or CANCELLED its `text` is empty, because only a run or a retry needs it. */
  submission: Submission;
  stream: StreamBuffer;
  /** Called on every change of the record, including its removal. Null if no call waits. See {@link waitForJob}. */
  listeners: Set<() => void> | null;
  status: JobStatus;
  queuedAtMs: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  outputJson: string | null;
  error: string | null;
  workerId: string | null;
  retries: number;
  /** How often its worker crashed and it returned to the queue. Also counted in `retries`. */
  crashes: number;
  isRemoved: boolean;
  /** When the job is deleted, whatever its state (spec: policy object, ttl). */
  ttlEndsAtMs: number;
  /** When its time to execute or, after its end, its retention is over. Infinity in the queue. */
  stateEndsAtMs: number;
  /** Its place in the state file, and so in the queue. 0 without a state file. */
  number: number;
}

/**
 * Ids have the field's form: a UUID, `-u1`, and `sync-` before runsync's. Joined from an array, because the engine
 * would keep a concatenated text as a tree of its parts, with ten times the memory.
 */
function newJobId(source: JobSource): string {
  return [...(source === 'runsync' ? ['sync'] : []), randomUUID(), 'u1'].join('-');
}

/** A new job in IN_QUEUE. `id`: for a job that had one before (state file). */
export function createJobRecord(
  submission: Submission,
  source: JobSource,
  nowMs: number,
  id: string = newJobId(source),
): JobRecord {
  return {
    id,
    source,
    submission,
    stream: EMPTY_STREAM,
    listeners: null,
    status: 'IN_QUEUE',
    queuedAtMs: nowMs,
    startedAtMs: null,
    endedAtMs: null,
    outputJson: null,
    error: null,
    workerId: null,
    retries: 0,
    crashes: 0,
    isRemoved: false,
    ttlEndsAtMs: nowMs + submission.ttlMs,
    stateEndsAtMs: Infinity,
    number: 0,
    dueMs: 0,
    heapIndex: -1,
  };
}

/** True for the four states that only a retry leaves. */
export function isTerminal(status: JobStatus): boolean {
  return status !== 'IN_QUEUE' && status !== 'IN_PROGRESS';
}

/**
 * Only FAILED and TIMED_OUT can be retried (spec: States and transitions). In the observed dialect a timed-out job is a
 * FAILED one.
 */
export function isRetriable({ status }: JobRecord): boolean {
  return status === 'FAILED' || status === 'TIMED_OUT';
}

/** Time spent in the queue and on a worker in this attempt, so far if it is not over (ruling 3). */
function timesOf(record: JobRecord, nowMs: number): { delayTimeMs: number; executionTimeMs: number } {
  const { queuedAtMs, startedAtMs, endedAtMs } = record;
  const endMs = endedAtMs ?? nowMs;
  return {
    delayTimeMs: (startedAtMs ?? endMs) - queuedAtMs,
    executionTimeMs: startedAtMs === null ? 0 : endMs - startedAtMs,
  };
}

/**
 * The job record as JSON text (spec: Job record). `observed` adds what was seen in the field: workerId, and retries if
 * there was one.
 */
export function renderJob(record: JobRecord, dialect: Dialect, nowMs: number): string {
  const { delayTimeMs, executionTimeMs } = timesOf(record, nowMs);
  const fields = [`"id":${JSON.stringify(record.id)}`, `"status":"${record.status}"`];
  if (record.outputJson !== null) fields.push(`"output":${record.outputJson}`);
  if (record.error !== null) fields.push(`"error":${JSON.stringify(record.error)}`);
  fields.push(`"delayTime":${delayTimeMs}`, `"executionTime":${executionTimeMs}`);
  if (dialect === 'observed') {
    if (record.workerId !== null) fields.push(`"workerId":"${record.workerId}"`);
    if (record.retries > 0) fields.push(`"retries":${record.retries}`);
  }
  return `{${fields.join(',')}}`;
}

export interface JobWait {
  record: JobRecord;
  clock: Clock;
  isSatisfied: () => boolean;
  waitMs: number;
  /** Ends the wait when the caller has hung up. */
  signal: AbortSignal;
}

/** Resolves when the job satisfies the condition or was removed, `waitMs` passed, or the caller left. */
export function waitForJob({ record, clock, isSatisfied, waitMs, signal }: JobWait): Promise<void> {
  const isOver = (): boolean => record.isRemoved || isSatisfied();
  if (isOver() || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clock.clearTimeout(timer);
      record.listeners?.delete(check);
      if (record.listeners?.size === 0) record.listeners = null;
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const check = (): void => {
      if (isOver()) finish();
    };
    const timer = clock.setTimeout(finish, waitMs);
    record.listeners ??= new Set();
    record.listeners.add(check);
    signal.addEventListener('abort', finish);
  });
}

/** Why a job's status changed. */
export type TransitionCause =
  | 'submitted'
  | 'worker free'
  | 'handler done'
  | 'handler failed'
  | 'worker crashed'
  | 'executionTimeout'
  | 'cancel'
  | 'retry'
  | 'purge-queue'
  | 'ttl'
  | 'retention'
  /** The sandbox was restarted with a state file in which the job was running. */
  | 'restarted';

/** One change of a job's status. `from` is null at submission, `to` is REMOVED if the record is deleted. */
export interface Transition {
  /** Counts all changes since the start, from 1. */
  seq: number;
  atMs: number;
  endpointId: string;
  jobId: string;
  from: JobStatus | null;
  to: JobStatus | 'REMOVED';
  cause: TransitionCause;
}

export interface TransitionLog {
  add(transition: Omit<Transition, 'seq'>): void;
  all(): Transition[];
  /** The changes after number `seq`. 0 for all that are kept. */
  since(seq: number): Transition[];
}

/** Limited, so that the memory of a long-running sandbox does not grow. */
const KEPT_TRANSITIONS = 50_000;

/** The status changes of all jobs in order. Beyond 50,000 the oldest are dropped. */
export function createTransitionLog(): TransitionLog {
  let transitions: Transition[] = [];
  let lastSeq = 0;

  function since(seq: number): Transition[] {
    const newCount = Math.min(KEPT_TRANSITIONS, transitions.length, Math.max(0, lastSeq - seq));
    return transitions.slice(transitions.length - newCount);
  }

  return {
    add: ({ atMs, endpointId, jobId, from, to, cause }) => {
      lastSeq += 1;
      transitions.push({ seq: lastSeq, atMs, endpointId, jobId, from, to, cause });
      if (transitions.length >= 2 * KEPT_TRANSITIONS) transitions = transitions.slice(-KEPT_TRANSITIONS);
    },
    all: () => since(0),
    since,
  };
}

type JobEnds = Pick<JobRecord, 'ttlEndsAtMs' | 'stateEndsAtMs'>;

/**
 * When a job ends by time: when its ttl has passed, in whatever state it is, or with its state, which is the execution
 * timeout of a running job and the retention of an ended one (spec: policy object). In clock milliseconds.
 */
export function endsAtMs({ ttlEndsAtMs, stateEndsAtMs }: JobEnds): number {
  return Math.min(ttlEndsAtMs, stateEndsAtMs);
}

/** Why a job has ended by time: the earlier reason counts. */
export function causeOfEnd({ ttlEndsAtMs, stateEndsAtMs }: JobEnds): 'ttl' | 'retention' {
  return ttlEndsAtMs <= stateEndsAtMs ? 'ttl' : 'retention';
}
