import type { Clock } from '../clock.ts';
import { RUN_RETENTION_MS } from '../specification.ts';
import type { StreamChunk } from '../workers/handler-protocol.ts';
import { createDeadlines, type Deadlines } from './shared-timer.ts';
import {
  causeOfEnd,
  endsAtMs,
  createJobRecord,
  isRetriable,
  isTerminal,
  type JobRecord,
  type JobSource,
  type JobStatus,
  type TransitionCause,
  type TransitionLog,
} from './job-record.ts';
import type { JobStore, Moment } from './store.ts';
import { createStreamBuffer, EMPTY_STREAM } from './stream-buffer.ts';
import type { Submission } from './validation.ts';

export interface JobBookOptions {
  endpointId: string;
  clock: Clock;
  /** How long a runsync job's record is kept after its end. */
  syncRetentionMs: number;
  transitions: TransitionLog;
  /** Keeps the jobs over restarts; null: they live as long as the sandbox. */
  store: JobStore | null;
  /** Called when the job's ttl or its state's time has ended, whichever is earlier. */
  onDue(record: JobRecord): void;
  /** A job has ended in another way than by a cancel, which is when its webhook is called (spec: Events). */
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

/** What a job has when it ends. */
export interface JobResult {
  outputJson: string | null;
  error: string | null;
}

/** One endpoint's jobs. The caller decides what may happen to a job and when; this class does it. */
export class JobBook {
  readonly #endpointId: string;
  readonly #clock: Clock;
  readonly #syncRetentionMs: number;
  readonly #transitions: TransitionLog;
  readonly #store: JobStore | null;
  readonly #onCompleted: (record: JobRecord) => void;
  readonly #deadlines: Deadlines<JobRecord>;
  readonly #jobs = new Map<string, JobRecord>();
  readonly #waiting = createWaitingLine();
  readonly #counts = { completed: 0, failed: 0, inProgress: 0, retried: 0 };

  /** Starts with the jobs in the store. Throws what the store throws if they cannot be read. */
  constructor({ endpointId, clock, syncRetentionMs, transitions, store, onDue, onCompleted }: JobBookOptions) {
    this.#endpointId = endpointId;
    this.#clock = clock;
    this.#syncRetentionMs = syncRetentionMs;
    this.#transitions = transitions;
    this.#store = store;
    this.#onCompleted = onCompleted;
    this.#deadlines = createDeadlines<JobRecord>(clock, onDue);
    if (store !== null) store.together(() => this.#restore(store));
  }

  /** Throws a `NotSaved` if the store refuses the job, which then does not exist. */
  add(submission: Submission, source: JobSource): JobRecord {
    const record = createJobRecord(submission, source, this.#clock.now());
    this.#store?.submitted(record, this.#moment());
    this.#jobs.set(record.id, record);
    this.#log(record, null, 'IN_QUEUE', 'submitted');
    this.#setDeadline(record);
    this.#waiting.add(record);
    return record;
  }

  /** The job with this id. Undefined if it never existed or is gone. */
  find(jobId: string): JobRecord | undefined {
    return this.#jobs.get(jobId);
  }

  /** The queued jobs in the order in which workers take them. */
  waiting(): JobRecord[] {
    return this.#waiting.all();
  }

  /** Waiting jobs for which workers may be started. */
  scalingDemand(): number {
    return this.#waiting.scalingDemand();
  }

  /** The counters of the endpoint's health. */
  counts(): JobCounts {
    const { completed, failed, inProgress, retried } = this.#counts;
    return { completed, failed, inProgress, inQueue: this.#waiting.size(), retried };
  }

  /** Gives the first waiting job to a worker. Undefined if none waits. */
  begin(workerId: string): JobRecord | undefined {
    const record = this.#waiting.first();
    if (record === undefined) return undefined;
    const startedAtMs = this.#clock.now();
    this.#waiting.delete(record);
    record.startedAtMs = startedAtMs;
    record.stateEndsAtMs = startedAtMs + record.submission.executionTimeoutMs;
    record.workerId = workerId;
    this.#move(record, 'IN_PROGRESS', 'worker free');
    this.#store?.moved(record, this.#moment());
    this.#setDeadline(record);
    notify(record);
    return record;
  }

  /** A running handler sent a chunk of its stream. */
  takeChunk(record: JobRecord, chunk: StreamChunk): void {
    if (record.stream === EMPTY_STREAM)
      record.stream = createStreamBuffer(this.#store === null ? {} : { onRead: keepRead(record, this.#store) });
    record.stream.push(chunk);
    notify(record);
  }

  /** A running handler reported progress, which is the job's output until its end. `outputJson` is JSON. */
  takeProgress(record: JobRecord, outputJson: string): void {
    record.outputJson = outputJson;
    notify(record);
  }

  /** Ends the job with a final status. Its retention begins. */
  finish(record: JobRecord, status: JobStatus, cause: TransitionCause, { outputJson, error }: JobResult): void {
    const endedAtMs = this.#clock.now();
    this.#waiting.delete(record);
    record.outputJson = outputJson;
    record.error = error;
    record.endedAtMs = endedAtMs;
    record.stateEndsAtMs = endedAtMs + (record.source === 'runsync' ? this.#syncRetentionMs : RUN_RETENTION_MS);
    this.#move(record, status, cause);
    if (status === 'COMPLETED') this.#counts.completed += 1;
    if (status === 'FAILED' || status === 'TIMED_OUT') this.#counts.failed += 1;
    this.#together(() => {
      this.#store?.finished(record, this.#moment());
      if (status !== 'CANCELLED') this.#onCompleted(record);
    });
    this.#setDeadline(record);
    notify(record);
    if (!isRetriable(record)) record.submission = { ...record.submission, text: '' };
  }

  /**
   * Puts the job at the end of the queue: same id, original input, previous output removed (spec: States and
   * transitions). Its ttl continues, its delay starts again.
   */
  requeue(record: JobRecord, cause: TransitionCause): void {
    record.outputJson = null;
    record.error = null;
    record.stream = EMPTY_STREAM;
    record.queuedAtMs = this.#clock.now();
    record.startedAtMs = null;
    record.endedAtMs = null;
    record.stateEndsAtMs = Infinity;
    record.workerId = null;
    record.retries += 1;
    this.#counts.retried += 1;
    this.#move(record, 'IN_QUEUE', cause);
    this.#store?.requeued(record, this.#moment());
    this.#setDeadline(record);
    this.#waiting.add(record);
    notify(record);
  }

  /** The job is deleted `ttlMs` from now. */
  restartTtl(record: JobRecord, ttlMs: number): void {
    record.ttlEndsAtMs = this.#clock.now() + ttlMs;
    this.#store?.moved(record, this.#moment());
    this.#setDeadline(record);
  }

  /** Removes jobs, and ends the calls that wait for them. */
  remove(records: readonly JobRecord[], cause: TransitionCause): void {
    if (records.length > 0) this.#store?.removed(records, this.#moment());
    for (const record of records) this.#drop(record, cause);
  }

  /** No deadlines are reported after this. */
  stopTime(): void {
    this.#deadlines.close();
  }

  /** Saves the time of the end. */
  close(): void {
    this.#store?.closed(this.#moment());
  }

  /** Continues from what is saved: time has passed since, and no worker runs anything. */
  #restore(from: JobStore): void {
    const kept = from.load();
    Object.assign(this.#counts, kept.counts);
    const expired: JobRecord[] = [];
    for (const record of kept.jobs) {
      if (endsAtMs(record) <= this.#clock.now()) expired.push(record);
      else this.#resume(record, from);
    }
    if (expired.length > 0) from.removed(expired, this.#moment());
    for (const record of expired) this.#log(record, record.status, 'REMOVED', causeOfEnd(record));
  }

  #resume(record: JobRecord, from: JobStore): void {
    this.#jobs.set(record.id, record);
    if (record.status === 'IN_PROGRESS') {
      record.status = 'IN_QUEUE';
      record.startedAtMs = null;
      record.workerId = null;
      this.#log(record, 'IN_PROGRESS', 'IN_QUEUE', 'restarted');
      from.moved(record, this.#moment());
    }
    if (record.status === 'IN_QUEUE') this.#waiting.add(record);
    this.#setDeadline(record);
  }

  #drop(record: JobRecord, cause: TransitionCause): void {
    this.#deadlines.delete(record);
    this.#waiting.delete(record);
    this.#jobs.delete(record.id);
    record.isRemoved = true;
    if (record.status === 'IN_PROGRESS') this.#counts.inProgress -= 1;
    this.#log(record, record.status, 'REMOVED', cause);
    notify(record);
  }

  #move(record: JobRecord, to: JobStatus, cause: TransitionCause): void {
    const from = record.status;
    if (from === 'IN_PROGRESS') this.#counts.inProgress -= 1;
    if (to === 'IN_PROGRESS') this.#counts.inProgress += 1;
    record.status = to;
    this.#log(record, from, to, cause);
  }

  #setDeadline(record: JobRecord): void {
    this.#deadlines.set(record, endsAtMs(record));
  }

  #log(record: JobRecord, from: JobStatus | null, to: JobStatus | 'REMOVED', cause: TransitionCause): void {
    const atMs = this.#clock.now();
    this.#transitions.add({ atMs, endpointId: this.#endpointId, jobId: record.id, from, to, cause });
  }

  #moment(): Moment {
    const { completed, failed, retried } = this.#counts;
    return { nowMs: this.#clock.now(), completed, failed, retried };
  }

  #together(work: () => void): void {
    if (this.#store === null) work();
    else this.#store.together(work);
  }
}

function notify(record: JobRecord): void {
  for (const listener of record.listeners ?? []) listener();
}

/** The reads of an unfinished job are not saved, because its stream starts again after a restart. */
function keepRead(record: JobRecord, store: JobStore): (readCount: number) => void {
  return (readCount) => {
    if (isTerminal(record.status)) store.read(record, readCount);
  };
}

/** The jobs of one endpoint that wait for a worker. */
export interface WaitingLine {
  add(record: JobRecord): void;
  /** Does nothing if the job is not in it. */
  delete(record: JobRecord): void;
  first(): JobRecord | undefined;
  all(): JobRecord[];
  size(): number;
  /** For how many of them workers may be started. lowPriority ones do not count (spec: policy object). */
  scalingDemand(): number;
}

function createWaitingLine(): WaitingLine {
  // A set keeps the order of arrival and lets a job be removed from the middle.
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
