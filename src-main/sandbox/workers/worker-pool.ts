import type { Clock } from '../clock.ts';
import { scalingProblem } from '../endpoint.ts';
import type { EndpointDefinition, Scaling } from '../endpoint.ts';
import { STOP_GRACE_MS } from '../specification.ts';
import type { StartHandlerThread } from './handler-thread.ts';
import { createIdleWorkers, createStartPauses } from './idle-workers.ts';
import { startPoolWorker } from './pool-worker.ts';
import type { AssignedJob, PoolWorker, WorkerSight } from './pool-worker.ts';
import { createSourceWatch } from './source-watch.ts';

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

  /** Takes a worker off the books; false when it was off already. */
  function drop(worker: PoolWorker): boolean {
    if (!workers.delete(worker)) return false;
    if (worker.state === 'starting') startingCount -= 1;
    if (worker.state === 'idle') idle.remove(worker);
    return true;
  }

  function end(worker: PoolWorker): void {
    if (!drop(worker)) return;
    const ended = worker.end().finally(() => ending.delete(ended));
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
    if (worker.version !== version) {
      replace(worker);
    } else if (workers.size > allowedCount()) {
      end(worker);
    } else {
      worker.rest();
      idle.add(worker);
    }
    wake();
  }

  function startWorker(): void {
    const options = { endpoint, clock, startThread, version, changedFile, coldStartMs: scaling.coldStartMs };
    const worker: PoolWorker = startPoolWorker(options, {
      onSourceFile: (file) => watch?.add(file),
      onReady: () => {
        startingCount -= 1;
        worker.rest();
        pauses.reset();
        becomeFree(worker);
      },
      onJobOver: (jobId) => running.delete(jobId),
      onFree: () => becomeFree(worker),
      onOverdue: () => {
        end(worker);
        wake();
      },
      onExit: (report) => {
        const { state } = worker;
        drop(worker);
        if (state === 'starting' || state === 'idle') pauses.failed();
        report();
        wake();
      },
    });
    workers.add(worker);
    startingCount += 1;
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
      running.set(job.jobId, worker);
      worker.run(job);
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

    stop: (jobId) => running.get(jobId)?.stop(options.stopGraceMs?.() ?? STOP_GRACE_MS),

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
