import type { Clock } from '../time/clock.ts';
import type { Dialect } from '../dialect.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import type { StartHandlerThread } from '../workers/handler-thread.ts';
import { createDeadlines } from './deadlines.ts';
import { createJobRecord, isTerminal, type JobRecord, type JobSource, type JobStatus } from './job-record.ts';
import type { JobStore, Moment } from './job-store.ts';
import { RUN_RETENTION_MS } from '../limits.ts';
import { createStreamBuffer, EMPTY_STREAM } from './stream-buffer.ts';
import type { TransitionCause, TransitionLog } from './transition-log.ts';
import type { Submission } from './validation.ts';
import { createWaitingLine } from './waiting-line.ts';
import { createWorkerPool, type AssignedJob, type WorkerPool, type WorkerPoolOptions } from '../workers/worker-pool.ts';

export interface QueueOptions {
  endpoint: EndpointDefinition;
  dialect: Dialect;
  clock: Clock;
  /** How long a runsync job's record is kept after its end. */
  syncRetentionMs: number;
  startThread: StartHandlerThread;
  /** What only the pool needs; see {@link createWorkerPool}. */
  pool?: Pick<WorkerPoolOptions, 'firstVersion' | 'onReleased' | 'stopGraceMs'>;
  transitions: TransitionLog;
  /** Keeps the jobs over restarts. Left out or null: they live as long as the queue. */
  store?: JobStore | null;
  /** Called when a worker has ended a job: the moment for its webhook (spec: Events). */
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

/** One endpoint's jobs. Operations that do not apply answer false and change nothing. */
export interface Queue {
  submit(submission: Submission, source: JobSource): JobRecord;
  /** The job, or undefined when it never was, expired, was purged or outlived its ttl (ruling 11). */
  find(jobId: string): JobRecord | undefined;
  /** Restarts the ttl clock: the job is deleted `ttlMs` from now (ruling 19). */
  restartTtl(record: JobRecord, ttlMs: number): void;
  /** IN_QUEUE or IN_PROGRESS to CANCELLED; a running handler is stopped. */
  cancel(record: JobRecord): boolean;
  /** FAILED or TIMED_OUT to IN_QUEUE: same id and input, output removed, the ttl goes on. */
  retry(record: JobRecord): boolean;
  /** Removes the waiting jobs and tells how many there were. */
  purge(): number;
  jobCounts(): JobCounts;
  workerCounts: WorkerPool['counts'];
  workers: WorkerPool['sights'];
  scaling: WorkerPool['scaling'];
  setScaling: WorkerPool['setScaling'];
  release: WorkerPool['release'];
  version: WorkerPool['version'];
  /** Any request to this endpoint: brings up the minimum of workers where nothing runs yet. */
  touch(): void;
  /** Ends all workers. Jobs that were running stay IN_PROGRESS; in a state file they wait for the next start. */
  close(): Promise<void>;
}

/**
 * Makes the queue of one endpoint, with its workers. Spec: States and transitions. With a store it begins
 * with the jobs kept there, and throws what the store throws when they cannot be read.
 */
export function createQueue(options: QueueOptions): Queue {
  const { endpoint, dialect, clock, syncRetentionMs, transitions, store = null, onCompleted } = options;
  const jobs = new Map<string, JobRecord>();
  const waiting = createWaitingLine();
  const counts = { completed: 0, failed: 0, inProgress: 0, retried: 0 };
  /** By job: how often its worker ended under it and it went back into the queue. */
  const crashes = new WeakMap<JobRecord, number>();
  let isClosed = false;

  const deadlines = createDeadlines<JobRecord>(clock, expire);
  const pool = createWorkerPool({
    endpoint,
    clock,
    startThread: options.startThread,
    takeNext: start,
    scalingDemand: waiting.scalingDemand,
    ...options.pool,
  });

  function log(record: JobRecord, from: JobStatus | null, to: JobStatus | 'REMOVED', cause: TransitionCause): void {
    transitions.add({ atMs: clock.now(), endpointId: endpoint.id, jobId: record.id, from, to, cause });
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

  function remove(record: JobRecord, cause: TransitionCause): void {
    const wasRunning = record.status === 'IN_PROGRESS';
    deadlines.delete(record);
    waiting.delete(record);
    jobs.delete(record.id);
    record.isRemoved = true;
    if (wasRunning) counts.inProgress -= 1;
    log(record, record.status, 'REMOVED', cause);
    notify(record);
    if (wasRunning) pool.stop(record.id);
  }

  /** What an earlier moment brought about comes first: a job's executionTimeout may be longer than its ttl (ruling 18). */
  function expire(record: JobRecord): void {
    const isTtlOver = record.ttlEndsAtMs <= record.stateEndsAtMs;
    if (!isTtlOver && record.status === 'IN_PROGRESS') return timeOut(record);
    store?.removed([record], moment());
    remove(record, isTtlOver ? 'ttl' : 'retention');
  }

  /** Brings a job to a terminal state and lets its retention run. */
  function finish(
    record: JobRecord,
    status: JobStatus,
    cause: TransitionCause,
    result: { outputJson: string | null; error: string | null },
  ): void {
    const endedAtMs = clock.now();
    record.outputJson = result.outputJson;
    record.error = result.error;
    record.endedAtMs = endedAtMs;
    record.stateEndsAtMs = endedAtMs + (record.source === 'runsync' ? syncRetentionMs : RUN_RETENTION_MS);
    move(record, status, cause);
    if (status === 'COMPLETED') counts.completed += 1;
    if (status === 'FAILED' || status === 'TIMED_OUT') counts.failed += 1;
    store?.finished(record, moment());
    setDeadline(record);
    notify(record);
    if (status !== 'CANCELLED') onCompleted(record);
    if (!isRetriable(record)) record.submission = { ...record.submission, text: '' };
  }

  /** Ruling 14: a state of its own in the spec, a failure in the field. */
  function timeOut(record: JobRecord): void {
    const isObserved = dialect === 'observed';
    finish(record, isObserved ? 'FAILED' : 'TIMED_OUT', 'executionTimeout', {
      outputJson: null,
      error: isObserved ? 'executionTimeout exceeded' : null,
    });
    pool.stop(record.id);
  }

  /** A job whose worker ended under it: back into the queue, or FAILED once that was tried often enough. */
  function crash(record: JobRecord, error: string): void {
    const before = crashes.get(record) ?? 0;
    if (before >= (endpoint.crashRetries ?? 0)) return finish(record, 'FAILED', 'worker crashed', { outputJson: null, error });
    crashes.set(record, before + 1);
    requeue(record, 'worker crashed');
  }

  /** Same id, original input, previous output removed (spec: States). Its ttl goes on, its delay starts again. */
  function requeue(record: JobRecord, cause: TransitionCause): void {
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
  }

  function takeChunk(record: JobRecord, chunk: Parameters<AssignedJob['onChunk']>[0]): void {
    if (record.stream === EMPTY_STREAM) record.stream = createStreamBuffer(store === null ? {} : { onRead: keepRead(record, store) });
    record.stream.push(chunk);
    notify(record);
  }

  function start(workerId: string): AssignedJob | null {
    const record = waiting.first();
    if (record === undefined) return null;
    const startedAtMs = clock.now();
    waiting.delete(record);
    record.startedAtMs = startedAtMs;
    record.stateEndsAtMs = startedAtMs + record.submission.executionTimeoutMs;
    record.workerId = workerId;
    move(record, 'IN_PROGRESS', 'worker free');
    store?.moved(record, moment());
    setDeadline(record);
    notify(record);
    // What a thread still sends while it is being ended must not move a job of a closed queue.
    const whileOpen = (act: () => void): void => {
      if (!isClosed) act();
    };
    const fail = (cause: TransitionCause, error: string): void =>
      whileOpen(() => finish(record, 'FAILED', cause, { outputJson: null, error }));
    return {
      jobId: record.id,
      submissionText: record.submission.text,
      onChunk: (chunk) => whileOpen(() => takeChunk(record, chunk)),
      onProgress: (outputJson) =>
        whileOpen(() => {
          record.outputJson = outputJson;
          notify(record);
        }),
      onDone: ({ outputJson, isStreamed }) =>
        whileOpen(() => {
          const finalJson = isStreamed ? record.stream.outputs() : outputJson;
          finish(record, 'COMPLETED', 'handler done', { outputJson: finalJson, error: null });
        }),
      onFailed: (error) => fail('handler failed', error),
      onCrashed: (error) => whileOpen(() => crash(record, error)),
    };
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
    for (const record of expired) log(record, record.status, 'REMOVED', record.ttlEndsAtMs <= record.stateEndsAtMs ? 'ttl' : 'retention');
    if (waiting.size() > 0) pool.wake();
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

  if (store !== null) restore(store);

  return {
    submit: (submission, source) => {
      const record = createJobRecord(submission, source, clock.now());
      store?.submitted(record, moment());
      jobs.set(record.id, record);
      log(record, null, 'IN_QUEUE', 'submitted');
      setDeadline(record);
      waiting.add(record);
      pool.wake();
      return record;
    },

    find: (jobId) => jobs.get(jobId),

    restartTtl: (record, ttlMs) => {
      if (record.isRemoved) return;
      record.ttlEndsAtMs = clock.now() + ttlMs;
      store?.moved(record, moment());
      setDeadline(record);
    },

    cancel: (record) => {
      if (record.isRemoved || isTerminal(record.status)) return false;
      const wasRunning = record.status === 'IN_PROGRESS';
      waiting.delete(record);
      finish(record, 'CANCELLED', 'cancel', { outputJson: null, error: null });
      if (wasRunning) pool.stop(record.id);
      return true;
    },

    retry: (record) => {
      if (record.isRemoved || !isRetriable(record)) return false;
      requeue(record, 'retry');
      pool.wake();
      return true;
    },

    purge: () => {
      const removed = waiting.all();
      if (removed.length > 0) store?.removed(removed, moment());
      for (const record of removed) remove(record, 'purge-queue');
      return removed.length;
    },

    jobCounts: () => ({
      completed: counts.completed,
      failed: counts.failed,
      inProgress: counts.inProgress,
      inQueue: waiting.size(),
      retried: counts.retried,
    }),

    workerCounts: pool.counts,
    workers: pool.sights,
    scaling: pool.scaling,
    setScaling: pool.setScaling,
    release: pool.release,
    version: pool.version,
    touch: pool.ensureMinimum,

    close: async () => {
      const wasClosed = isClosed;
      isClosed = true;
      deadlines.close();
      await pool.close();
      if (!wasClosed) store?.closed(moment());
    },
  };
}

/** Spec: retry applies to FAILED and TIMED_OUT. In the observed dialect a timed-out job is a FAILED one. */
function isRetriable({ status }: JobRecord): boolean {
  return status === 'FAILED' || status === 'TIMED_OUT';
}

/** The reads of a job that is not over are not kept: it starts its stream anew after a restart. */
function keepRead(record: JobRecord, store: JobStore): (readCount: number) => void {
  return (readCount) => {
    if (isTerminal(record.status)) store.read(record, readCount);
  };
}
