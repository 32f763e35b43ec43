import type { Clock, ClockTimer } from '../time/clock.ts';
import type { Dialect } from '../dialect.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import type { StartHandlerThread } from '../workers/handler-thread.ts';
import { createJobRecord, isTerminal, type JobRecord, type JobSource, type JobStatus } from './job-record.ts';
import { RUN_RETENTION_MS } from '../limits.ts';
import type { TransitionCause, TransitionLog } from './transition-log.ts';
import type { Submission } from './validation.ts';
import { createWorkerPool, type AssignedJob, type WorkerCounts } from '../workers/worker-pool.ts';

export interface QueueOptions {
  endpoint: EndpointDefinition;
  dialect: Dialect;
  clock: Clock;
  /** How long a runsync job's record is kept after its end. */
  syncRetentionMs: number;
  startThread: StartHandlerThread;
  transitions: TransitionLog;
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
  /** FAILED or TIMED_OUT to IN_QUEUE: same id and input, output removed. */
  retry(record: JobRecord): boolean;
  /** Removes the waiting jobs and tells how many there were. */
  purge(): number;
  jobCounts(): JobCounts;
  workerCounts(): WorkerCounts;
  close(): Promise<void>;
}

/** Makes the queue of one endpoint, with its workers. Spec: States and transitions. */
export function createQueue(options: QueueOptions): Queue {
  const { endpoint, dialect, clock, syncRetentionMs, transitions, onCompleted } = options;
  const jobs = new Map<string, JobRecord>();
  // A set keeps the order of arrival and lets a job leave from the middle.
  const waiting = new Set<JobRecord>();
  const counts = { completed: 0, failed: 0, inProgress: 0, retried: 0 };
  let scalingDemand = 0;

  const pool = createWorkerPool({
    endpoint,
    clock,
    startThread: options.startThread,
    takeNext: start,
    scalingDemand: () => scalingDemand,
  });

  function log(record: JobRecord, from: JobStatus | null, to: JobStatus | 'REMOVED', cause: TransitionCause): void {
    transitions.add({ atMs: clock.now(), endpointId: endpoint.id, jobId: record.id, from, to, cause });
  }

  function notify(record: JobRecord): void {
    for (const listener of record.listeners) listener();
  }

  function move(record: JobRecord, to: JobStatus, cause: TransitionCause): void {
    const from = record.status;
    if (from === 'IN_PROGRESS') counts.inProgress -= 1;
    if (to === 'IN_PROGRESS') counts.inProgress += 1;
    record.status = to;
    log(record, from, to, cause);
  }

  function clear(timer: ClockTimer | null): null {
    if (timer !== null) clock.clearTimeout(timer);
    return null;
  }

  function enqueue(record: JobRecord): void {
    waiting.add(record);
    if (!record.submission.isLowPriority) scalingDemand += 1;
  }

  function dequeue(record: JobRecord): void {
    if (waiting.delete(record) && !record.submission.isLowPriority) scalingDemand -= 1;
  }

  function remove(record: JobRecord, cause: TransitionCause): void {
    record.ttlTimer = clear(record.ttlTimer);
    record.executionTimer = clear(record.executionTimer);
    record.retentionTimer = clear(record.retentionTimer);
    dequeue(record);
    jobs.delete(record.id);
    record.isRemoved = true;
    log(record, record.status, 'REMOVED', cause);
    if (record.status === 'IN_PROGRESS') {
      counts.inProgress -= 1;
      pool.stop(record.id);
    }
    notify(record);
  }

  function restartTtl(record: JobRecord, ttlMs: number): void {
    record.ttlTimer = clear(record.ttlTimer);
    record.ttlTimer = clock.setTimeout(() => remove(record, 'ttl'), ttlMs);
  }

  /** Brings a job to a terminal state and lets its retention run. */
  function finish(
    record: JobRecord,
    status: JobStatus,
    cause: TransitionCause,
    result: { outputJson: string | null; error: string | null },
  ): void {
    record.executionTimer = clear(record.executionTimer);
    record.outputJson = result.outputJson;
    record.error = result.error;
    record.endedAtMs = clock.now();
    move(record, status, cause);
    const retentionMs = record.source === 'runsync' ? syncRetentionMs : RUN_RETENTION_MS;
    record.retentionTimer = clock.setTimeout(() => remove(record, 'retention'), retentionMs);
    if (status === 'COMPLETED') counts.completed += 1;
    if (status === 'FAILED' || status === 'TIMED_OUT') counts.failed += 1;
    notify(record);
    if (status !== 'CANCELLED') onCompleted(record);
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

  function start(workerId: string): AssignedJob | null {
    const [record] = waiting;
    if (record === undefined) return null;
    dequeue(record);
    record.startedAtMs = clock.now();
    record.workerId = workerId;
    move(record, 'IN_PROGRESS', 'worker free');
    record.executionTimer = clock.setTimeout(() => timeOut(record), record.submission.executionTimeoutMs);
    notify(record);
    return {
      jobId: record.id,
      submissionText: record.submission.text,
      onChunk: (chunk) => {
        record.stream.push(chunk);
        notify(record);
      },
      onProgress: (outputJson) => {
        record.outputJson = outputJson;
        notify(record);
      },
      onDone: ({ outputJson, isStreamed }) =>
        finish(record, 'COMPLETED', 'handler done', {
          outputJson: isStreamed ? record.stream.outputs() : outputJson,
          error: null,
        }),
      onFailed: (error) => finish(record, 'FAILED', 'handler failed', { outputJson: null, error }),
      onCrashed: (error) => finish(record, 'FAILED', 'worker crashed', { outputJson: null, error }),
    };
  }

  return {
    submit: (submission, source) => {
      const record = createJobRecord(submission, source, clock.now());
      jobs.set(record.id, record);
      log(record, null, 'IN_QUEUE', 'submitted');
      restartTtl(record, submission.ttlMs);
      enqueue(record);
      pool.wake();
      return record;
    },

    find: (jobId) => jobs.get(jobId),

    restartTtl,

    cancel: (record) => {
      if (record.isRemoved || isTerminal(record.status)) return false;
      const wasRunning = record.status === 'IN_PROGRESS';
      dequeue(record);
      finish(record, 'CANCELLED', 'cancel', { outputJson: null, error: null });
      if (wasRunning) pool.stop(record.id);
      return true;
    },

    retry: (record) => {
      // In the observed dialect a timed-out job is a FAILED one.
      if (record.isRemoved || (record.status !== 'FAILED' && record.status !== 'TIMED_OUT')) return false;
      record.retentionTimer = clear(record.retentionTimer);
      record.outputJson = null;
      record.error = null;
      record.stream.clear();
      record.queuedAtMs = clock.now();
      record.startedAtMs = null;
      record.endedAtMs = null;
      record.workerId = null;
      record.retries += 1;
      counts.retried += 1;
      move(record, 'IN_QUEUE', 'retry');
      enqueue(record);
      notify(record);
      pool.wake();
      return true;
    },

    purge: () => {
      const removed = [...waiting];
      for (const record of removed) remove(record, 'purge-queue');
      return removed.length;
    },

    jobCounts: () => ({
      completed: counts.completed,
      failed: counts.failed,
      inProgress: counts.inProgress,
      inQueue: waiting.size,
      retried: counts.retried,
    }),

    workerCounts: pool.counts,

    close: async () => {
      for (const record of jobs.values()) {
        clear(record.ttlTimer);
        clear(record.executionTimer);
        clear(record.retentionTimer);
      }
      await pool.close();
    },
  };
}
