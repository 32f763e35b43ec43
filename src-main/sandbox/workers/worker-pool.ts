import { randomBytes } from 'node:crypto';
import type { Clock, ClockTimer } from '../time/clock.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import { reportCrash } from './error-report.ts';
import type { HandlerThread, StartHandlerThread } from './handler-thread.ts';
import { STOP_GRACE_MS } from '../limits.ts';
import type { StreamChunk } from '../queue/stream-buffer.ts';

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

export interface WorkerPoolOptions {
  endpoint: EndpointDefinition;
  clock: Clock;
  startThread: StartHandlerThread;
  /** Takes the next waiting job off the queue for a worker that is free. */
  takeNext(workerId: string): AssignedJob | null;
  /** Waiting jobs that may bring up workers: lowPriority ones do not (spec: policy object). */
  scalingDemand(): number;
}

/** Worker counts (spec: Health record; `initializing` and `unhealthy`: ruling 27). */
export interface WorkerCounts {
  idle: number;
  running: number;
  initializing: number;
  unhealthy: number;
}

export interface WorkerPool {
  /** To be called when jobs were added: gives them to idle workers and starts more where needed. */
  wake(): void;
  /** Stops the worker's handler if it runs this job; its events end here and now. */
  stop(jobId: string): void;
  counts(): WorkerCounts;
  close(): Promise<void>;
}

interface PoolWorker {
  readonly id: string;
  readonly thread: HandlerThread;
  state: 'starting' | 'idle' | 'running' | 'stopping';
  job: AssignedJob | null;
  isThreadReady: boolean;
  isColdStartOver: boolean;
  /** Cold start, idle timeout or stop grace: a worker is in one of them at most. */
  timer: ClockTimer | null;
}

const FIRST_START_PAUSE_MS = 1_000;
const LONGEST_START_PAUSE_MS = 30_000;

function newWorkerId(): string {
  return BigInt(`0x${randomBytes(9).toString('hex')}`).toString(36).padStart(14, '0').slice(-14);
}

/**
 * The workers of one endpoint: started by queue depth up to the maximum, each running one job at a
 * time on a thread that is used again, ended after the idle timeout down to the minimum.
 */
export function createWorkerPool({ endpoint, clock, startThread, takeNext, scalingDemand }: WorkerPoolOptions): WorkerPool {
  const workers = new Set<PoolWorker>();
  const ending = new Set<Promise<void>>();
  let failedStarts = 0;
  let startPauseTimer: ClockTimer | null = null;
  let isClosed = false;

  function clearTimer(worker: PoolWorker): void {
    if (worker.timer !== null) clock.clearTimeout(worker.timer);
    worker.timer = null;
  }

  function setTimer(worker: PoolWorker, delayMs: number, callback: () => void): void {
    clearTimer(worker);
    worker.timer = clock.setTimeout(() => {
      worker.timer = null;
      callback();
    }, delayMs);
  }

  function end(worker: PoolWorker): void {
    clearTimer(worker);
    workers.delete(worker);
    const ended = worker.thread.terminate().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function becomeIdle(worker: PoolWorker): void {
    clearTimer(worker);
    worker.state = 'idle';
    worker.job = null;
    wake();
    if (worker.state === 'idle') {
      setTimer(worker, endpoint.idleTimeoutMs, () => {
        if (workers.size > endpoint.minWorkers) end(worker);
      });
    }
  }

  function becomeReady(worker: PoolWorker): void {
    if (worker.state !== 'starting' || !worker.isThreadReady || !worker.isColdStartOver) return;
    failedStarts = 0;
    becomeIdle(worker);
  }

  /** A handler that cannot even be loaded must not be restarted in a tight loop. */
  function pauseStarting(): void {
    const pauseMs = Math.min(LONGEST_START_PAUSE_MS, FIRST_START_PAUSE_MS * 2 ** failedStarts);
    failedStarts += 1;
    startPauseTimer ??= clock.setTimeout(() => {
      startPauseTimer = null;
      wake();
    }, pauseMs);
  }

  /** Reports the end of the job a worker still has, and frees the worker. */
  function settle(worker: PoolWorker, report: (job: AssignedJob) => void): void {
    const { job, state } = worker;
    worker.job = null;
    if (job !== null && state === 'running') report(job);
    if (workers.has(worker)) becomeIdle(worker);
  }

  function startWorker(): void {
    const id = newWorkerId();
    const thread = startThread(
      { handler: endpoint.handler, endpointId: endpoint.id, workerId: id },
      {
        onReady: () => {
          worker.isThreadReady = true;
          becomeReady(worker);
        },
        onChunk: (chunk) => {
          if (worker.state === 'running') worker.job?.onChunk(chunk);
        },
        onProgress: (outputJson) => {
          if (worker.state === 'running') worker.job?.onProgress(outputJson);
        },
        onDone: (result) => settle(worker, (job) => job.onDone(result)),
        onFailed: (error) => settle(worker, (job) => job.onFailed(error)),
        onStopped: () => settle(worker, () => undefined),
        onExit: (exit) => {
          clearTimer(worker);
          if (!workers.delete(worker)) return;
          if (worker.state === 'starting') pauseStarting();
          settle(worker, (job) => job.onCrashed(reportCrash(exit, { endpointId: endpoint.id, workerId: id })));
          wake();
        },
      },
    );
    const worker: PoolWorker = {
      id,
      thread,
      state: 'starting',
      job: null,
      isThreadReady: false,
      isColdStartOver: endpoint.coldStartMs === 0,
      timer: null,
    };
    workers.add(worker);
    if (!worker.isColdStartOver) {
      setTimer(worker, endpoint.coldStartMs, () => {
        worker.isColdStartOver = true;
        becomeReady(worker);
      });
    }
  }

  function wake(): void {
    if (isClosed) return;
    let busyCount = 0;
    for (const worker of workers) {
      const job = worker.state === 'idle' ? takeNext(worker.id) : null;
      if (job !== null) {
        clearTimer(worker);
        worker.state = 'running';
        worker.job = job;
        worker.thread.run({ jobId: job.jobId, submissionText: job.submissionText });
      }
      if (worker.state === 'running' || worker.state === 'stopping') busyCount += 1;
    }
    if (startPauseTimer !== null) return;
    const wantedCount = Math.min(endpoint.maxWorkers, Math.max(endpoint.minWorkers, busyCount + scalingDemand()));
    while (workers.size < wantedCount) startWorker();
  }

  return {
    wake,
    stop: (jobId) => {
      for (const worker of workers) {
        if (worker.job?.jobId !== jobId) continue;
        worker.job = null;
        worker.state = 'stopping';
        worker.thread.stop();
        setTimer(worker, STOP_GRACE_MS, () => {
          end(worker);
          wake();
        });
      }
    },
    counts: () => {
      const counts: WorkerCounts = { idle: 0, running: 0, initializing: 0, unhealthy: failedStarts > 0 ? 1 : 0 };
      for (const { state } of workers) {
        if (state === 'idle') counts.idle += 1;
        else if (state === 'starting') counts.initializing += 1;
        else counts.running += 1;
      }
      return counts;
    },
    close: async () => {
      isClosed = true;
      if (startPauseTimer !== null) clock.clearTimeout(startPauseTimer);
      for (const worker of workers) end(worker);
      await Promise.all(ending);
    },
  };
}
