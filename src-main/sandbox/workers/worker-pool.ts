import { randomBytes } from 'node:crypto';
import type { Clock, ClockTimer } from '../time/clock.ts';
import type { EndpointDefinition } from '../endpoint.ts';
import { reportCrash } from './error-report.ts';
import type { HandlerThread, HandlerThreadEvents, StartHandlerThread } from './handler-thread.ts';
import { createIdleWorkers } from './idle-workers.ts';
import { STOP_GRACE_MS } from '../limits.ts';
import { scalingProblem, type Scaling } from './scaling.ts';
import { createSourceWatch } from './source-watch.ts';
import { createStartPauses } from './start-pauses.ts';
import type { StreamChunk } from '../queue/stream-buffer.ts';

export type { Scaling } from './scaling.ts';

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
  /** The endpoint's version to begin with; left out: 1. */
  firstVersion?: number;
  /** A release made this the endpoint's version (ruling 31). */
  onReleased?(version: number): void;
  /** How long a handler that was told to stop may go on, in milliseconds of the clock. Left out: two seconds. */
  stopGraceMs?(): number;
}

/** Worker counts (spec: Health record; all but `idle` and `running`: ruling 27). */
export interface WorkerCounts {
  idle: number;
  running: number;
  initializing: number;
  /** 1 while the handler cannot be started. */
  unhealthy: number;
  throttled: number;
}

/** `stopping`: its job was cancelled or timed out, and the handler has not yielded yet. */
export type WorkerState = 'starting' | 'idle' | 'running' | 'stopping';

/** One worker as others may see it. */
export interface WorkerSight {
  id: string;
  state: WorkerState;
  /** The endpoint's version (ruling 31) it was started with. */
  version: number;
  startedAtMs: number;
}

export interface WorkerPool {
  /** To be called when jobs were added: gives them to idle workers and starts more where needed. */
  wake(): void;
  /** To be called on any request to the endpoint: from then on the minimum of workers is kept. */
  ensureMinimum(): void;
  /** Stops the worker's handler if it runs this job; its events end here and now. */
  stop(jobId: string): void;
  counts(): WorkerCounts;
  sights(): WorkerSight[];
  scaling(): Scaling;
  /**
   * Takes effect at once: idle workers above a lowered maximum are ended, busy ones after their job.
   * Throws a `RangeError` for a field out of bounds ({@link scalingProblem}).
   */
  setScaling(change: Partial<Scaling>): void;
  /**
   * Rolling release: the version goes up by one, idle workers are replaced at once, busy ones after
   * their job (ruling 31). Also done when a file of the handler has changed.
   */
  release(): void;
  version(): number;
  close(): Promise<void>;
}

interface PoolWorker extends WorkerSight {
  readonly thread: HandlerThread;
  job: AssignedJob | null;
  isThreadReady: boolean;
  isColdStartOver: boolean;
  /** Cold start or stop grace: a worker is in one of them at most. */
  timer: ClockTimer | null;
}

function newWorkerId(): string {
  return BigInt(`0x${randomBytes(9).toString('hex')}`).toString(36).padStart(14, '0').slice(-14);
}

/**
 * The workers of one endpoint: started by queue depth up to the maximum, each running one job at a
 * time on a thread that is used again, ended after the idle timeout down to the minimum. Nothing
 * here looks at all workers for one job.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { endpoint, clock, startThread, takeNext, scalingDemand } = options;
  const { minWorkers, maxWorkers, coldStartMs, idleTimeoutMs } = endpoint;
  let scaling: Scaling = { minWorkers, maxWorkers, coldStartMs, idleTimeoutMs, throttledWorkers: 0 };
  const workers = new Set<PoolWorker>();
  const idle = createIdleWorkers<PoolWorker>({
    clock,
    timeoutMs: () => scaling.idleTimeoutMs,
    mayEnd: () => workers.size > scaling.minWorkers,
    end,
  });
  const running = new Map<string, PoolWorker>();
  const ending = new Set<Promise<void>>();
  const pauses = createStartPauses(clock, startWanted);
  const watch = 'moduleUrl' in endpoint.handler ? createSourceWatch(release) : null;
  let startingCount = 0;
  let version = options.firstVersion ?? 1;
  let changedFile: string | null = null;
  let isMinimumKept = false;
  let isClosed = false;

  function allowedCount(): number {
    return Math.max(0, scaling.maxWorkers - scaling.throttledWorkers);
  }

  function setTimer(worker: PoolWorker, delayMs: number, callback: () => void): void {
    clearTimer(worker);
    worker.timer = clock.setTimeout(() => {
      worker.timer = null;
      callback();
    }, delayMs);
  }

  function clearTimer(worker: PoolWorker): void {
    if (worker.timer !== null) clock.clearTimeout(worker.timer);
    worker.timer = null;
  }

  /** Takes a worker off the books; false when it was off already. */
  function drop(worker: PoolWorker): boolean {
    clearTimer(worker);
    if (!workers.delete(worker)) return false;
    if (worker.state === 'starting') startingCount -= 1;
    if (worker.state === 'idle') idle.remove(worker);
    return true;
  }

  function end(worker: PoolWorker): void {
    if (!drop(worker)) return;
    const ended = worker.thread.terminate().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** A handler that does not start is tried on one worker at a time, and not in a pause. */
  function mayStart(): boolean {
    return !pauses.isPaused() && !(pauses.isFailing() && startingCount > 0) && workers.size < allowedCount();
  }

  function replace(worker: PoolWorker): void {
    end(worker);
    if (mayStart()) startWorker();
  }

  /** A worker that has nothing to do: idle, unless it is out of date or one too many. */
  function becomeFree(worker: PoolWorker): void {
    clearTimer(worker);
    if (worker.version !== version) {
      replace(worker);
    } else if (workers.size > allowedCount()) {
      end(worker);
    } else {
      worker.state = 'idle';
      idle.add(worker);
    }
    wake();
  }

  function becomeReady(worker: PoolWorker): void {
    if (worker.state !== 'starting' || !worker.isThreadReady || !worker.isColdStartOver || !workers.has(worker)) return;
    startingCount -= 1;
    worker.state = 'idle';
    pauses.reset();
    becomeFree(worker);
  }

  /** Reports the end of the job a worker still has, and frees the worker. */
  function settle(worker: PoolWorker, report: (job: AssignedJob) => void): void {
    if (!workers.has(worker)) return;
    reportEnd(worker, report);
    becomeFree(worker);
  }

  function reportEnd(worker: PoolWorker, report: (job: AssignedJob) => void): void {
    const { job } = worker;
    worker.job = null;
    if (job === null) return;
    running.delete(job.jobId);
    report(job);
  }

  function eventsOf(worker: () => PoolWorker): HandlerThreadEvents {
    return {
      onReady: () => {
        worker().isThreadReady = true;
        becomeReady(worker());
      },
      onSourceFile: (file) => watch?.add(file),
      onChunk: (chunk) => worker().job?.onChunk(chunk),
      onProgress: (outputJson) => worker().job?.onProgress(outputJson),
      onDone: (result) => settle(worker(), (job) => job.onDone(result)),
      onFailed: (error) => settle(worker(), (job) => job.onFailed(error)),
      onStopped: () => settle(worker(), () => undefined),
      onExit: (exit) => {
        const { id, state } = worker();
        if (!drop(worker())) return;
        if (state === 'starting' || state === 'idle') pauses.failed();
        reportEnd(worker(), (job) => job.onCrashed(reportCrash(exit, { endpointId: endpoint.id, workerId: id })));
        wake();
      },
    };
  }

  function startWorker(): void {
    const id = newWorkerId();
    const data = { handler: endpoint.handler, endpointId: endpoint.id, workerId: id, version, changedFile };
    const worker: PoolWorker = {
      id,
      thread: startThread(data, eventsOf(() => worker)),
      state: 'starting',
      version,
      startedAtMs: clock.now(),
      job: null,
      isThreadReady: false,
      isColdStartOver: scaling.coldStartMs === 0,
      timer: null,
    };
    workers.add(worker);
    startingCount += 1;
    if (worker.isColdStartOver) return;
    setTimer(worker, scaling.coldStartMs, () => {
      worker.isColdStartOver = true;
      becomeReady(worker);
    });
  }

  function startWanted(): void {
    if (isClosed) return;
    const busyCount = workers.size - idle.count() - startingCount;
    const minimum = isMinimumKept ? scaling.minWorkers : 0;
    const wantedCount = Math.max(minimum, busyCount + scalingDemand());
    while (workers.size < wantedCount && mayStart()) startWorker();
  }

  function wake(): void {
    if (isClosed) return;
    isMinimumKept = true;
    for (let worker = idle.take(); worker !== undefined; worker = idle.take()) {
      const job = takeNext(worker.id);
      if (job === null) {
        idle.putBack(worker);
        break;
      }
      worker.state = 'running';
      worker.job = job;
      running.set(job.jobId, worker);
      worker.thread.run({ jobId: job.jobId, submissionText: job.submissionText });
    }
    startWanted();
    idle.watchTimeout();
  }

  /** `file`: the one that changed; null when the handler is the same. */
  function release(file: string | null): void {
    if (isClosed) return;
    version += 1;
    options.onReleased?.(version);
    changedFile = file;
    pauses.reset();
    const free = [...workers].filter(({ state }) => state === 'idle' || state === 'starting');
    for (const worker of free) replace(worker);
    startWanted();
  }

  return {
    wake,

    ensureMinimum: () => {
      if (isMinimumKept) return;
      isMinimumKept = true;
      startWanted();
    },

    stop: (jobId) => {
      const worker = running.get(jobId);
      if (worker === undefined) return;
      running.delete(jobId);
      worker.job = null;
      worker.state = 'stopping';
      worker.thread.stop();
      setTimer(worker, options.stopGraceMs?.() ?? STOP_GRACE_MS, () => {
        end(worker);
        wake();
      });
    },

    counts: () => ({
      idle: idle.count(),
      running: workers.size - idle.count() - startingCount,
      initializing: startingCount,
      unhealthy: pauses.isFailing() ? 1 : 0,
      throttled: Math.min(scaling.throttledWorkers, scaling.maxWorkers),
    }),

    sights: () => [...workers].map(({ id, state, version, startedAtMs }) => ({ id, state, version, startedAtMs })),

    scaling: () => ({ ...scaling }),

    setScaling: (change) => {
      const problem = scalingProblem(change);
      if (problem !== null) throw new RangeError(problem);
      scaling = { ...scaling, ...change };
      const starting = [...workers].filter(({ state }) => state === 'starting').reverse();
      for (const worker of [...starting, ...idle.all()]) if (workers.size > allowedCount()) end(worker);
      startWanted();
      idle.restartTimeout();
    },

    release: () => release(null),

    version: () => version,

    close: async () => {
      isClosed = true;
      idle.close();
      pauses.close();
      watch?.close();
      for (const worker of workers) end(worker);
      await Promise.all(ending);
    },
  };
}
