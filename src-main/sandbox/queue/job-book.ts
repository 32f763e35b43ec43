import type { Clock } from '../clock.ts';
import { RUN_RETENTION_MS } from '../specification.ts';
import type { StreamChunk } from '../workers/handler-protocol.ts';
import { createDeadlines } from './deadlines.ts';
import { createJobRecord, isRetriable, isTerminal } from './job-record.ts';
import type { JobRecord, JobSource, JobStatus } from './job-record.ts';
import type { JobStore, Moment } from './store.ts';
import { createStreamBuffer, EMPTY_STREAM } from './stream-buffer.ts';
import type { TransitionCause, TransitionLog } from './transition-log.ts';
import type { Submission } from './validation.ts';

export interface JobBookOptions {
  endpointId: string;
  clock: Clock;
  /** How long a runsync job's record is kept after its end. */
  syncRetentionMs: number;
  transitions: TransitionLog;
  /** Keeps the jobs over restarts; null: they live as long as the book. */
  store: JobStore | null;
  /** The earlier of the moments at which the job's ttl and its state end has come. */
  onDue(record: JobRecord): void;
  /** A job has ended otherwise than by cancel: the moment for its webhook (spec: Events). */
  onCompleted(record: JobRecord): void;
}

/** Job counts of the health record. `completed`, `failed` and `retried` only grow. */
export interface JobCounts {
  completed: number;
  failed: number;
  inProgress: number;
  inQueue: number;
  retried: number;
}

/** What a job leaves behind when it ends. */
export interface JobResult {
  outputJson: string | null;
  error: string | null;
}

/** One endpoint's jobs. What may happen to a job when is for the caller to know; here it is done. */
export interface JobBook {
  /** Throws a `NotKept` when the store refuses the job; then there is none. */
  add(submission: Submission, source: JobSource): JobRecord;
  find(jobId: string): JobRecord | undefined;
  waiting(): JobRecord[];
  /** Waiting jobs that may bring up workers. */
  scalingDemand(): number;
  counts(): JobCounts;
  /** Puts the first of the waiting jobs in the hands of a worker; undefined when none waits. */
  begin(workerId: string): JobRecord | undefined;
  takeChunk(record: JobRecord, chunk: StreamChunk): void;
  takeProgress(record: JobRecord, outputJson: string): void;
  /** Brings the job to a terminal state and lets its retention run. */
  finish(record: JobRecord, status: JobStatus, cause: TransitionCause, result: JobResult): void;
  /**
   * To the end of the queue: same id, original input, previous output removed (spec: States and transitions). Its ttl
   * goes on, its delay starts again.
   */
  requeue(record: JobRecord, cause: TransitionCause): void;
  /** The job is deleted `ttlMs` from now. */
  restartTtl(record: JobRecord, ttlMs: number): void;
  remove(records: readonly JobRecord[], cause: TransitionCause): void;
  /** No moment comes any more. */
  stopTime(): void;
  /** Keeps the time of the end. */
  close(): void;
}

/**
 * Makes the book of one endpoint, with the jobs that the store has kept; throws what the store throws when they cannot
 * be read.
 */
export function createJobBook({
  endpointId,
  clock,
  syncRetentionMs,
  transitions,
  store,
  onDue,
  onCompleted,
}: JobBookOptions): JobBook {
  const jobs = new Map<string, JobRecord>();
  const waiting = createWaitingLine();
  const counts = { completed: 0, failed: 0, inProgress: 0, retried: 0 };
  const deadlines = createDeadlines<JobRecord>(clock, onDue);
  const together = store?.together ?? ((work: () => void): void => work());

  function log(record: JobRecord, from: JobStatus | null, to: JobStatus | 'REMOVED', cause: TransitionCause): void {
    transitions.add({ atMs: clock.now(), endpointId, jobId: record.id, from, to, cause });
  }

  function moment(): Moment {
    const { completed, failed, retried } = counts;
    return { nowMs: clock.now(), completed, failed, retried };
  }

  function notify(record: JobRecord): void {
    for (const listener of record.listeners ?? []) listener();
  }

  function move(record: JobRecord, to: JobStatus, cause: TransitionCause): void {
    const from = record.status;
    if (from === 'IN_PROGRESS') counts.inProgress -= 1;
    if (to === 'IN_PROGRESS') counts.inProgress += 1;
    record.status = to;
    log(record, from, to, cause);
  }

  function setDeadline(record: JobRecord): void {
    deadlines.set(record, Math.min(record.ttlEndsAtMs, record.stateEndsAtMs));
  }

  function forget(record: JobRecord, cause: TransitionCause): void {
    deadlines.delete(record);
    waiting.delete(record);
    jobs.delete(record.id);
    record.isRemoved = true;
    if (record.status === 'IN_PROGRESS') counts.inProgress -= 1;
    log(record, record.status, 'REMOVED', cause);
    notify(record);
  }

  /** Goes on from what is kept: time has passed since, and no worker runs anything. */
  function restore(from: JobStore): void {
    const kept = from.load();
    Object.assign(counts, kept.counts);
    const expired: JobRecord[] = [];
    for (const record of kept.jobs) {
      if (Math.min(record.ttlEndsAtMs, record.stateEndsAtMs) <= clock.now()) expired.push(record);
      else resume(record, from);
    }
    if (expired.length > 0) from.removed(expired, moment());
    for (const record of expired) log(record, record.status, 'REMOVED', causeOfEnd(record));
  }

  function resume(record: JobRecord, from: JobStore): void {
    jobs.set(record.id, record);
    if (record.status === 'IN_PROGRESS') {
      record.status = 'IN_QUEUE';
      record.startedAtMs = null;
      record.workerId = null;
      log(record, 'IN_PROGRESS', 'IN_QUEUE', 'restarted');
      from.moved(record, moment());
    }
    if (record.status === 'IN_QUEUE') waiting.add(record);
    setDeadline(record);
  }

  if (store !== null) together(() => restore(store));

  return {
    add: (submission, source) => {
      const record = createJobRecord(submission, source, clock.now());
      store?.submitted(record, moment());
      jobs.set(record.id, record);
      log(record, null, 'IN_QUEUE', 'submitted');
      setDeadline(record);
      waiting.add(record);
      return record;
    },

    find: (jobId) => jobs.get(jobId),

    waiting: waiting.all,

    scalingDemand: waiting.scalingDemand,

    counts: () => ({
      completed: counts.completed,
      failed: counts.failed,
      inProgress: counts.inProgress,
      inQueue: waiting.size(),
      retried: counts.retried,
    }),

    begin: (workerId) => {
      const record = waiting.first();
      if (record === undefined) return undefined;
      const startedAtMs = clock.now();
      waiting.delete(record);
      record.startedAtMs = startedAtMs;
      record.stateEndsAtMs = startedAtMs + record.submission.executionTimeoutMs;
      record.workerId = workerId;
      move(record, 'IN_PROGRESS', 'worker free');
      store?.moved(record, moment());
      setDeadline(record);
      notify(record);
      return record;
    },

    takeChunk: (record, chunk) => {
      if (record.stream === EMPTY_STREAM)
        record.stream = createStreamBuffer(store === null ? {} : { onRead: keepRead(record, store) });
      record.stream.push(chunk);
      notify(record);
    },

    takeProgress: (record, outputJson) => {
      record.outputJson = outputJson;
      notify(record);
    },

    finish: (record, status, cause, { outputJson, error }) => {
      const endedAtMs = clock.now();
      waiting.delete(record);
      record.outputJson = outputJson;
      record.error = error;
      record.endedAtMs = endedAtMs;
      record.stateEndsAtMs = endedAtMs + (record.source === 'runsync' ? syncRetentionMs : RUN_RETENTION_MS);
      move(record, status, cause);
      if (status === 'COMPLETED') counts.completed += 1;
      if (status === 'FAILED' || status === 'TIMED_OUT') counts.failed += 1;
      together(() => {
        store?.finished(record, moment());
        if (status !== 'CANCELLED') onCompleted(record);
      });
      setDeadline(record);
      notify(record);
      if (!isRetriable(record)) record.submission = { ...record.submission, text: '' };
    },

    requeue: (record, cause) => {
      record.outputJson = null;
      record.error = null;
      record.stream = EMPTY_STREAM;
      record.queuedAtMs = clock.now();
      record.startedAtMs = null;
      record.endedAtMs = null;
      record.stateEndsAtMs = Infinity;
      record.workerId = null;
      record.retries += 1;
      counts.retried += 1;
      move(record, 'IN_QUEUE', cause);
      store?.requeued(record, moment());
      setDeadline(record);
      waiting.add(record);
      notify(record);
    },

    restartTtl: (record, ttlMs) => {
      record.ttlEndsAtMs = clock.now() + ttlMs;
      store?.moved(record, moment());
      setDeadline(record);
    },

    remove: (records, cause) => {
      if (records.length > 0) store?.removed(records, moment());
      for (const record of records) forget(record, cause);
    },

    stopTime: deadlines.close,

    close: () => store?.closed(moment()),
  };
}

/** What has ended a job whose moment has come: what an earlier moment brought about comes first. */
export function causeOfEnd({ ttlEndsAtMs, stateEndsAtMs }: JobRecord): 'ttl' | 'retention' {
  return ttlEndsAtMs <= stateEndsAtMs ? 'ttl' : 'retention';
}

/** The reads of a job that is not over are not kept: it starts its stream anew after a restart. */
function keepRead(record: JobRecord, store: JobStore): (readCount: number) => void {
  return (readCount) => {
    if (isTerminal(record.status)) store.read(record, readCount);
  };
}

/** The jobs of one endpoint that wait for a worker. */
export interface WaitingLine {
  add(record: JobRecord): void;
  /** Does nothing when the job is not in it. */
  delete(record: JobRecord): void;
  first(): JobRecord | undefined;
  all(): JobRecord[];
  size(): number;
  /** How many of them may bring up workers: lowPriority ones do not (spec: policy object). */
  scalingDemand(): number;
}

export function createWaitingLine(): WaitingLine {
  // A set keeps the order of arrival and lets a job leave from the middle.
  const waiting = new Set<JobRecord>();
  let scalingDemand = 0;
  const demandOf = ({ submission }: JobRecord): number => (submission.isLowPriority ? 0 : 1);
  return {
    add: (record) => {
      waiting.add(record);
      scalingDemand += demandOf(record);
    },
    delete: (record) => {
      if (waiting.delete(record)) scalingDemand -= demandOf(record);
    },
    first: () => waiting.values().next().value,
    all: () => [...waiting],
    size: () => waiting.size,
    scalingDemand: () => scalingDemand,
  };
}
