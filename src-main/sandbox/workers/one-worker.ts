import { randomBytes } from 'node:crypto';
import type { Clock, ClockTimer } from '../clock.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import { reportCrash } from './error-report.ts';
import type { StreamChunk } from './handler-protocol.ts';
import type { HandlerThread, StartHandlerThread } from './start-handler-thread.ts';
import type { SourceFile } from './source-watch.ts';

/** A job for a worker, with the actions for its events. After one of the last three, no more come. */
export interface AssignedJob {
  jobId: string;
  submissionText: string;
  onChunk(chunk: StreamChunk): void;
  onProgress(outputJson: string): void;
  onDone(result: { outputJson: string | null; isStreamed: boolean }): void;
  onFailed(error: string, outputJson?: string | null): void;
  onCrashed(error: string): void;
}

/** `stopping`: its job was cancelled or timed out, and the handler has not yielded yet. */
export type WorkerState = 'starting' | 'idle' | 'running' | 'stopping';

/** The public part of a worker. */
export interface WorkerInfo {
  id: string;
  state: WorkerState;
  /** The endpoint's version (ruling 31) it was started with. */
  version: number;
  startedAtMs: number;
}

/** What a worker reports to its pool. */
export interface OneWorkerEvents {
  onSourceFile(file: SourceFile): void;
  /** Its thread has the handler, and its cold start is over, so it can take a job. */
  onReady(): void;
  /** The job has ended, or continues without this worker's events. Comes before any other event about that. */
  onJobOver(jobId: string): void;
  /** It has nothing left to do. */
  onFree(): void;
  /** It was asked to stop and has not done so in time. */
  onOverdue(): void;
  /** Its thread ended on its own. `report` reports that to its job, if it had one. */
  onExit(report: () => void): void;
}

export interface OneWorkerOptions {
  endpoint: EndpointDefinition;
  clock: Clock;
  startThread: StartHandlerThread;
  version: number;
  /** The file whose change led to this version, or null. */
  changedFile: string | null;
  /** The least time until it takes a job. */
  coldStartMs: number;
}

function newWorkerId(): string {
  return BigInt(`0x${randomBytes(9).toString('hex')}`)
    .toString(36)
    .padStart(14, '0')
    .slice(-14);
}

/** One worker: a handler thread that runs one job at a time. After its end it has no more events. */
export class OneWorker implements Readonly<WorkerInfo> {
  readonly id = newWorkerId();
  readonly version: number;
  readonly startedAtMs: number;
  readonly #options: OneWorkerOptions;
  readonly #events: OneWorkerEvents;
  readonly #thread: HandlerThread;
  #state: WorkerState = 'starting';
  #job: AssignedJob | null = null;
  #isThreadReady = false;
  #isColdStartOver: boolean;
  #isGone = false;
  #isOverdue = false;
  #isToBeReplaced = false;
  /** Cold start or stop grace, of which at most one is active. */
  #timer: ClockTimer | null = null;

  /** Starts the worker. */
  constructor(options: OneWorkerOptions, events: OneWorkerEvents) {
    const { clock, version, coldStartMs } = options;
    this.version = version;
    this.startedAtMs = clock.now();
    this.#options = options;
    this.#events = events;
    this.#isColdStartOver = coldStartMs === 0;
    this.#thread = this.#startThread();
    if (this.#isColdStartOver) return;
    this.#setTimer(coldStartMs, () => {
      this.#isColdStartOver = true;
      this.#becomeReady();
    });
  }

  /** Whether the worker is starting, idle, running or stopping. */
  get state(): WorkerState {
    return this.#state;
  }

  /** Its handler has asked for another worker in its place after the job. */
  get isToBeReplaced(): boolean {
    return this.#isToBeReplaced;
  }

  /** Runs a job. The worker must be idle. */
  run(assigned: AssignedJob): void {
    this.#state = 'running';
    this.#job = assigned;
    this.#thread.run({ jobId: assigned.jobId, submissionText: assigned.submissionText });
  }

  /** Stops its job, whose events end immediately. The handler may continue for `graceMs`. */
  stop(graceMs: number): void {
    this.#letGoOfJob();
    this.#state = 'stopping';
    this.#thread.stop();
    this.#setTimer(graceMs, () => {
      this.#isOverdue = true;
      this.#events.onOverdue();
    });
  }

  /** Makes it idle. */
  rest(): void {
    this.#state = 'idle';
  }

  /** Resolves when its thread is gone. */
  end(): Promise<void> {
    this.#isGone = true;
    this.#clearTimer();
    return this.#thread.terminate(this.#isOverdue);
  }

  #startThread(): HandlerThread {
    const { endpoint, startThread, version, changedFile } = this.#options;
    const workerId = this.id;
    return startThread(
      { handler: endpoint.handler, endpointId: endpoint.id, workerId, version, changedFile },
      {
        onReady: () => {
          this.#isThreadReady = true;
          this.#becomeReady();
        },
        onSourceFile: (file) => this.#events.onSourceFile(file),
        onChunk: (chunk) => this.#job?.onChunk(chunk),
        onProgress: (outputJson) => this.#job?.onProgress(outputJson),
        onDone: (result) => this.#settle((over) => over.onDone(result)),
        onRefresh: () => {
          this.#isToBeReplaced = true;
        },
        onFailed: (error, outputJson) => this.#settle((over) => over.onFailed(error, outputJson)),
        onStopped: () => this.#settle(() => undefined),
        onExit: (exit) => {
          if (this.#isGone) return;
          this.#isGone = true;
          this.#clearTimer();
          this.#events.onExit(() =>
            this.#letGoOfJob()?.onCrashed(reportCrash(exit, { endpointId: endpoint.id, workerId })),
          );
        },
      },
    );
  }

  #becomeReady(): void {
    if (this.#isGone || this.#state !== 'starting' || !this.#isThreadReady || !this.#isColdStartOver) return;
    this.#events.onReady();
  }

  #letGoOfJob(): AssignedJob | null {
    const over = this.#job;
    this.#job = null;
    if (over !== null) this.#events.onJobOver(over.jobId);
    return over;
  }

  #settle(report: (over: AssignedJob) => void): void {
    if (this.#isGone) return;
    this.#clearTimer();
    const over = this.#letGoOfJob();
    if (over !== null) report(over);
    this.#events.onFree();
  }

  #setTimer(delayMs: number, callback: () => void): void {
    this.#clearTimer();
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = null;
      callback();
    }, delayMs);
  }

  #clearTimer(): void {
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
