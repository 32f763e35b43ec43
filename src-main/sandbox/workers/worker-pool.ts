import type { Clock } from '../clock.ts';
import { scalingProblem, type EndpointDefinition, type Scaling } from '../endpoint.ts';
import { STOP_GRACE_MS } from '../specification.ts';
import type { StartHandlerThread } from './start-handler-thread.ts';
import { createIdleWorkers, type IdleWorkers } from './idle-workers.ts';
import { OneWorker, type AssignedJob, type WorkerInfo } from './one-worker.ts';
import { createSourceWatch, type SourceWatch } from './source-watch.ts';
import { createStartPauses, type StartPauses } from './start-pauses.ts';

export interface WorkerPoolOptions {
  endpoint: EndpointDefinition;
  clock: Clock;
  startThread: StartHandlerThread;
  /** Takes the next waiting job off the queue for a free worker. */
  takeNext(workerId: string): AssignedJob | null;
  /** Waiting jobs for which workers may be started. lowPriority ones do not count (spec: policy object). */
  scalingDemand(): number;
  /** The endpoint's first version. Default: 1. */
  firstVersion?: number;
  /** A release changed the endpoint's version to this (ruling 31). */
  onReleased?(version: number): void;
  /** How long a handler may continue after it was asked to stop, in milliseconds of the clock. Default: two seconds. */
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

/**
 * The workers of one endpoint: started by queue depth up to the maximum, each running one job at a time on a thread
 * that is used again, ended after the idle timeout down to the minimum. No operation for one job visits all workers.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Set<OneWorker>();
  readonly #idle: IdleWorkers<OneWorker>;
  /** By the job that is running. */
  readonly #running = new Map<string, OneWorker>();
  readonly #ending = new Set<Promise<void>>();
  readonly #pauses: StartPauses;
  /** Null for built-in handlers, whose files do not change. */
  readonly #watch: SourceWatch | null;
  #scaling: Scaling;
  #startingCount = 0;
  #version: number;
  #changedFile: string | null = null;
  #isMinimumKept = false;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    const { endpoint, clock, firstVersion = 1 } = options;
    const { minWorkers, maxWorkers, coldStartMs, idleTimeoutMs } = endpoint;
    this.#options = options;
    this.#scaling = { minWorkers, maxWorkers, coldStartMs, idleTimeoutMs, throttledWorkers: 0 };
    this.#version = firstVersion;
    this.#idle = createIdleWorkers<OneWorker>({
      clock,
      timeoutMs: () => this.#scaling.idleTimeoutMs,
      mayEnd: () => this.#workers.size > this.#scaling.minWorkers,
      end: (worker) => this.#end(worker),
    });
    this.#pauses = createStartPauses(clock, () => this.#startWanted());
    this.#watch = 'moduleUrl' in endpoint.handler ? createSourceWatch((file) => this.#release(file)) : null;
  }

  /** Call it when jobs were added: gives them to idle workers and starts more if needed. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isMinimumKept = true;
    for (let worker = this.#idle.take(); worker !== undefined; worker = this.#idle.take()) {
      const job = this.#options.takeNext(worker.id);
      if (job === null) {
        this.#idle.putBack(worker);
        break;
      }
      this.#running.set(job.jobId, worker);
      worker.run(job);
    }
    this.#startWanted();
    this.#idle.watchTimeout();
  }

  /** Call it on any request to the endpoint: from then on the minimum of workers is kept. */
  ensureMinimum(): void {
    if (this.#isMinimumKept) return;
    this.#isMinimumKept = true;
    this.#startWanted();
  }

  /** Stops the worker's handler if it runs this job, whose events end immediately. */
  stop(jobId: string): void {
    this.#running.get(jobId)?.stop(this.#options.stopGraceMs?.() ?? STOP_GRACE_MS);
  }

  /** Workers by state, as health counts them. */
  counts(): WorkerCounts {
    const { throttledWorkers, maxWorkers } = this.#scaling;
    return {
      idle: this.#idle.count(),
      running: this.#workers.size - this.#idle.count() - this.#startingCount,
      initializing: this.#startingCount,
      unhealthy: this.#pauses.isFailing() ? 1 : 0,
      throttled: Math.min(throttledWorkers, maxWorkers),
    };
  }

  /** Every worker with its state and version. */
  workers(): WorkerInfo[] {
    return [...this.#workers].map(({ id, state, version, startedAtMs }) => ({ id, state, version, startedAtMs }));
  }

  /** A copy of the present scaling. */
  scaling(): Scaling {
    return { ...this.#scaling };
  }

  /**
   * Takes effect immediately: idle workers above a lowered maximum are ended, busy ones after their job. Throws a
   * `RangeError` for a field out of bounds ({@link scalingProblem}).
   */
  setScaling(change: Partial<Scaling>): void {
    const problem = scalingProblem(change);
    if (problem !== null) throw new RangeError(problem);
    this.#scaling = { ...this.#scaling, ...change };
    const starting = [...this.#workers].filter(({ state }) => state === 'starting').reverse();
    for (const worker of [...starting, ...this.#idle.all()])
      if (this.#workers.size > this.#allowedCount()) this.#end(worker);
    this.#startWanted();
    this.#idle.restartTimeout();
  }

  /**
   * Rolling release: the version rises by one, idle workers are replaced immediately, busy ones after their job (ruling
   * 31). Also when a file of the handler has changed.
   */
  release(): void {
    this.#release(null);
  }

  /** The version of the handler that new workers run, from 1. */
  version(): number {
    return this.#version;
  }

  /** Stops all workers and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.close();
    this.#pauses.close();
    this.#watch?.close();
    for (const worker of this.#workers) this.#end(worker);
    await Promise.all(this.#ending);
  }

  /** `file`: the one that changed. Null if the handler is the same. */
  #release(file: string | null): void {
    if (this.#isClosed) return;
    this.#version += 1;
    this.#options.onReleased?.(this.#version);
    this.#changedFile = file;
    this.#pauses.reset();
    const free = [...this.#workers].filter(({ state }) => state === 'idle' || state === 'starting');
    for (const worker of free) this.#replace(worker);
    this.#startWanted();
  }

  #allowedCount(): number {
    return Math.max(0, this.#scaling.maxWorkers - this.#scaling.throttledWorkers);
  }

  /** A handler that does not start is tried on one worker at a time, and not during a pause. */
  #mayStart(): boolean {
    const isOneTried = this.#pauses.isFailing() && this.#startingCount > 0;
    return !this.#pauses.isPaused() && !isOneTried && this.#workers.size < this.#allowedCount();
  }

  #startWanted(): void {
    if (this.#isClosed) return;
    const busyCount = this.#workers.size - this.#idle.count() - this.#startingCount;
    const minimum = this.#isMinimumKept ? this.#scaling.minWorkers : 0;
    const wantedCount = Math.max(minimum, busyCount + this.#options.scalingDemand());
    while (this.#workers.size < wantedCount && this.#mayStart()) this.#startWorker();
  }

  #startWorker(): void {
    const { endpoint, clock, startThread } = this.#options;
    const { coldStartMs } = this.#scaling;
    const version = this.#version;
    const changedFile = this.#changedFile;
    const worker: OneWorker = new OneWorker(
      { endpoint, clock, startThread, version, changedFile, coldStartMs },
      {
        onSourceFile: (file) => this.#watch?.add(file),
        onReady: () => {
          this.#startingCount -= 1;
          worker.rest();
          this.#pauses.reset();
          this.#becomeFree(worker);
        },
        onJobOver: (jobId) => this.#running.delete(jobId),
        onFree: () => this.#becomeFree(worker),
        onOverdue: () => {
          this.#end(worker);
          this.wake();
        },
        onExit: (report) => {
          const { state } = worker;
          this.#drop(worker);
          if (state === 'starting' || state === 'idle') this.#pauses.failed();
          report();
          this.wake();
        },
      },
    );
    this.#workers.add(worker);
    this.#startingCount += 1;
  }

  /** A worker without a job becomes idle, unless it is to be replaced or there are too many. */
  #becomeFree(worker: OneWorker): void {
    if (worker.version !== this.#version || worker.isToBeReplaced) {
      this.#replace(worker);
    } else if (this.#workers.size > this.#allowedCount()) {
      this.#end(worker);
    } else {
      worker.rest();
      this.#idle.add(worker);
    }
    this.wake();
  }

  #replace(worker: OneWorker): void {
    this.#end(worker);
    if (this.#mayStart()) this.#startWorker();
  }

  #end(worker: OneWorker): void {
    if (!this.#drop(worker)) return;
    const ended = worker.end().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Removes a worker from the pool. False if it was removed already. */
  #drop(worker: OneWorker): boolean {
    if (!this.#workers.delete(worker)) return false;
    if (worker.state === 'starting') this.#startingCount -= 1;
    if (worker.state === 'idle') this.#idle.remove(worker);
    return true;
  }
}
