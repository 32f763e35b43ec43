import { randomBytes } from 'node:crypto';
import type { Clock, ClockTimer } from '../clock.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import { reportCrash } from './error-report.ts';
import type { StreamChunk } from './handler-protocol.ts';
import type { StartHandlerThread } from './handler-thread.ts';
import type { SourceFile } from './source-watch.ts';

/** A job handed to a worker, with what to do about its events. After one of the last three, no more come. */
export interface AssignedJob {
  jobId: string;
  submissionText: string;
  onChunk(chunk: StreamChunk): void;
  onProgress(outputJson: string): void;
  onDone(result: { outputJson: string | null; isStreamed: boolean }): void;
  onFailed(error: string): void;
  onCrashed(error: string): void;
}

/** `stopping`: its job was cancelled or timed out, and the handler has not yielded yet. */
export type WorkerState = 'starting' | 'idle' | 'running' | 'stopping';

/** One worker as others may see it. */
export interface WorkerInfo {
  id: string;
  state: WorkerState;
  /** The endpoint's version (ruling 31) it was started with. */
  version: number;
  startedAtMs: number;
}

/** What a worker tells its pool. */
export interface PoolWorkerEvents {
  onSourceFile(file: SourceFile): void;
  /** Its thread has the handler, and its cold start is over: it can take a job. */
  onReady(): void;
  /** The job has ended, or goes on without this worker's events; comes before anything else is told of that. */
  onJobOver(jobId: string): void;
  /** It has nothing to do any more. */
  onFree(): void;
  /** It was told to stop and has not in time. */
  onOverdue(): void;
  /** Its thread has ended by itself; `report` tells the job it may have had. */
  onExit(report: () => void): void;
}

/** One worker: a handler thread that runs one job at a time. Once ended it tells nothing more. */
export interface PoolWorker extends Readonly<WorkerInfo> {
  run(job: AssignedJob): void;
  /** Stops its job, whose events end here and now; the handler may go on for `graceMs`. */
  stop(graceMs: number): void;
  /** Nothing to do: idle. */
  rest(): void;
  /** Resolves when its thread is gone. */
  end(): Promise<void>;
}

export interface PoolWorkerOptions {
  endpoint: EndpointDefinition;
  clock: Clock;
  startThread: StartHandlerThread;
  version: number;
  /** The file whose change led to this version; null when nothing was changed. */
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

/** Starts a worker of an endpoint. */
export function startPoolWorker(
  { endpoint, clock, startThread, version, changedFile, coldStartMs }: PoolWorkerOptions,
  events: PoolWorkerEvents,
): PoolWorker {
  const id = newWorkerId();
  let state: WorkerState = 'starting';
  let job: AssignedJob | null = null;
  let isThreadReady = false;
  let isColdStartOver = coldStartMs === 0;
  let isGone = false;
  /** Cold start or stop grace: it is in one of them at most. */
  let timer: ClockTimer | null = null;

  function clearTimer(): void {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  function setTimer(delayMs: number, callback: () => void): void {
    clearTimer();
    timer = clock.setTimeout(() => {
      timer = null;
      callback();
    }, delayMs);
  }

  function becomeReady(): void {
    if (isGone || state !== 'starting' || !isThreadReady || !isColdStartOver) return;
    events.onReady();
  }

  function letGoOfJob(): AssignedJob | null {
    const over = job;
    job = null;
    if (over !== null) events.onJobOver(over.jobId);
    return over;
  }

  function settle(report: (over: AssignedJob) => void): void {
    if (isGone) return;
    clearTimer();
    const over = letGoOfJob();
    if (over !== null) report(over);
    events.onFree();
  }

  const thread = startThread(
    { handler: endpoint.handler, endpointId: endpoint.id, workerId: id, version, changedFile },
    {
      onReady: () => {
        isThreadReady = true;
        becomeReady();
      },
      onSourceFile: events.onSourceFile,
      onChunk: (chunk) => job?.onChunk(chunk),
      onProgress: (outputJson) => job?.onProgress(outputJson),
      onDone: (result) => settle((over) => over.onDone(result)),
      onFailed: (error) => settle((over) => over.onFailed(error)),
      onStopped: () => settle(() => undefined),
      onExit: (exit) => {
        if (isGone) return;
        isGone = true;
        clearTimer();
        events.onExit(() => letGoOfJob()?.onCrashed(reportCrash(exit, { endpointId: endpoint.id, workerId: id })));
      },
    },
  );

  if (!isColdStartOver) {
    setTimer(coldStartMs, () => {
      isColdStartOver = true;
      becomeReady();
    });
  }

  return {
    id,
    get state() {
      return state;
    },
    version,
    startedAtMs: clock.now(),

    run: (assigned) => {
      state = 'running';
      job = assigned;
      thread.run({ jobId: assigned.jobId, submissionText: assigned.submissionText });
    },

    stop: (graceMs) => {
      letGoOfJob();
      state = 'stopping';
      thread.stop();
      setTimer(graceMs, events.onOverdue);
    },

    rest: () => {
      state = 'idle';
    },

    end: () => {
      isGone = true;
      clearTimer();
      return thread.terminate();
    },
  };
}
