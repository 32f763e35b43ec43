import type { Clock } from '../clock.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import type { Dialect } from '../specification.ts';
import type { StartHandlerThread } from '../workers/start-handler-thread.ts';
import type { AssignedJob } from '../workers/one-worker.ts';
import { WorkerPool, type WorkerPoolOptions } from '../workers/worker-pool.ts';
import { JobBook, type JobCounts } from './job-book.ts';
import {
  causeOfEnd,
  isRetriable,
  isTerminal,
  type JobRecord,
  type JobSource,
  type TransitionCause,
  type TransitionLog,
} from './job-record.ts';
import type { JobStore } from './store.ts';
import type { Submission } from './validation.ts';

export interface QueueOptions {
  endpoint: EndpointDefinition;
  dialect: Dialect;
  clock: Clock;
  /** How long a runsync job's record is kept after its end. */
  syncRetentionMs: number;
  startThread: StartHandlerThread;
  /** For the pool only. */
  pool?: Pick<WorkerPoolOptions, 'firstVersion' | 'onReleased' | 'stopGraceMs'>;
  transitions: TransitionLog;
  /** Keeps the jobs over restarts. Null or absent: they exist as long as the queue. */
  store?: JobStore | null;
  /**
   * Called when a job has ended in another way than by a cancel, which is when its webhook is called (spec: Events).
   */
  onCompleted(record: JobRecord): void;
}

/** One endpoint's jobs. Operations that do not apply return false and change nothing. */
export interface Queue {
  /** Throws a `NotSaved` if the state file refuses the job, which then does not exist. */
  submit(submission: Submission, source: JobSource): JobRecord;
  /** The job, or undefined if it never existed, expired, was purged or outlived its ttl (ruling 11). */
  find(jobId: string): JobRecord | undefined;
  /** Restarts the ttl clock: the job is deleted `ttlMs` from now (ruling 19). */
  restartTtl(record: JobRecord, ttlMs: number): void;
  /** IN_QUEUE or IN_PROGRESS to CANCELLED; a running handler is stopped. */
  cancel(record: JobRecord): boolean;
  /** FAILED or TIMED_OUT to IN_QUEUE: same id and input, output removed, the ttl continues. */
  retry(record: JobRecord): boolean;
  /** Removes the waiting jobs and returns how many there were. */
  purge(): number;
  jobCounts(): JobCounts;
  workerCounts: WorkerPool['counts'];
  workers: WorkerPool['workers'];
  scaling: WorkerPool['scaling'];
  setScaling: WorkerPool['setScaling'];
  release: WorkerPool['release'];
  version: WorkerPool['version'];
  /** Any request to this endpoint: starts the minimum of workers if none is running. */
  touch(): void;
  /** Ends all workers. Running jobs stay IN_PROGRESS; in a state file they wait for the next start. */
  close(): Promise<void>;
}

/**
 * Creates the queue of one endpoint with its workers: it decides which of its jobs changes its status when, and what
 * its worker does (spec: States and transitions). With a store it starts with the jobs in it, and throws what the store
 * throws if they cannot be read.
 */
export function createQueue(options: QueueOptions): Queue {
  const { endpoint, dialect, clock, syncRetentionMs, transitions, store = null, onCompleted } = options;
  let isClosed = false;

  const book = new JobBook({
    endpointId: endpoint.id,
    clock,
    syncRetentionMs,
    transitions,
    store,
    onDue: expire,
    onCompleted,
  });
  const pool = new WorkerPool({
    endpoint,
    clock,
    startThread: options.startThread,
    takeNext: assign,
    scalingDemand: () => book.scalingDemand(),
    ...options.pool,
  });

  function expire(record: JobRecord): void {
    const cause = causeOfEnd(record);
    const wasRunning = record.status === 'IN_PROGRESS';
    if (wasRunning && cause !== 'ttl') timeOut(record, book, dialect);
    else book.remove([record], cause);
    if (wasRunning) pool.stop(record.id);
  }

  /** Gives the next waiting job to a worker. */
  function assign(workerId: string): AssignedJob | null {
    const record = book.begin(workerId);
    return record === undefined ? null : assignment(record, { book, endpoint, isClosed: () => isClosed });
  }

  if (book.counts().inQueue > 0) pool.wake();

  return {
    submit: (submission, source) => {
      const record = book.add(submission, source);
      pool.wake();
      return record;
    },

    find: (jobId) => book.find(jobId),

    restartTtl: (record, ttlMs) => {
      if (!record.isRemoved) book.restartTtl(record, ttlMs);
    },

    cancel: (record) => {
      if (record.isRemoved || isTerminal(record.status)) return false;
      const wasRunning = record.status === 'IN_PROGRESS';
      book.finish(record, 'CANCELLED', 'cancel', { outputJson: null, error: null });
      if (wasRunning) pool.stop(record.id);
      return true;
    },

    retry: (record) => {
      if (record.isRemoved || !isRetriable(record)) return false;
      book.requeue(record, 'retry');
      pool.wake();
      return true;
    },

    purge: () => {
      const removed = book.waiting();
      book.remove(removed, 'purge-queue');
      return removed.length;
    },

    jobCounts: () => book.counts(),
    workerCounts: () => pool.counts(),
    workers: () => pool.workers(),
    scaling: () => pool.scaling(),
    setScaling: (change) => pool.setScaling(change),
    release: () => pool.release(),
    version: () => pool.version(),
    touch: () => pool.ensureMinimum(),

    close: async () => {
      const wasClosed = isClosed;
      isClosed = true;
      book.stopTime();
      await pool.close();
      if (!wasClosed) book.close();
    },
  };
}

/** Ruling 14: a status of its own in the spec, a failure in the field. */
function timeOut(record: JobRecord, book: JobBook, dialect: Dialect): void {
  const isObserved = dialect === 'observed';
  book.finish(record, isObserved ? 'FAILED' : 'TIMED_OUT', 'executionTimeout', {
    outputJson: null,
    error: isObserved ? 'executionTimeout exceeded' : null,
  });
}

/** A job with the actions for each event of its worker. */
function assignment(
  record: JobRecord,
  { book, endpoint, isClosed }: { book: JobBook; endpoint: EndpointDefinition; isClosed: () => boolean },
): AssignedJob {
  // Messages of a thread that is being ended must not change a job of a closed queue.
  const whileOpen = (act: () => void): void => {
    if (!isClosed()) act();
  };
  const fail = (cause: TransitionCause, error: string, outputJson: string | null = null): void =>
    book.finish(record, 'FAILED', cause, { outputJson, error });
  /** Back into the queue, or FAILED after enough tries. */
  const crash = (error: string): void => {
    if (record.crashes >= (endpoint.crashRetries ?? 0)) return fail('worker crashed', error);
    record.crashes += 1;
    book.requeue(record, 'worker crashed');
  };
  return {
    jobId: record.id,
    submissionText: record.submission.text,
    onChunk: (chunk) => whileOpen(() => book.takeChunk(record, chunk)),
    onProgress: (outputJson) => whileOpen(() => book.takeProgress(record, outputJson)),
    onDone: ({ outputJson, isStreamed }) =>
      whileOpen(() => {
        const finalJson = isStreamed ? record.stream.outputs() : outputJson;
        book.finish(record, 'COMPLETED', 'handler done', { outputJson: finalJson, error: null });
      }),
    onFailed: (error, outputJson) => whileOpen(() => fail('handler failed', error, outputJson)),
    onCrashed: (error) => whileOpen(() => crash(error)),
  };
}
