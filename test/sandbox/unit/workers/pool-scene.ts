import type { AssignedJob } from '../../../../src-main/sandbox/workers/one-worker.ts';
import { WorkerPool } from '../../../../src-main/sandbox/workers/worker-pool.ts';
import type { Scaling } from '../../../../src-main/sandbox/endpoint.ts';
import { createVirtualClock, type VirtualClock } from '../../../kit/sandbox.ts';
import { createScriptedThreads } from '../scripted-threads.ts';

export const COLD_START_MS = 100;
export const IDLE_TIMEOUT_MS = 5_000;

/** The end of a handler that returns nothing. */
export const DONE = { outputJson: null, isStreamed: false };

/** A worker pool with threads that the test controls, and a list as its queue. */
export interface PoolScene {
  pool: WorkerPool;
  clock: VirtualClock;
  scripted: ReturnType<typeof createScriptedThreads>;
  waiting: { jobId: string; isLowPriority: boolean }[];
  /** How the jobs ended, in order. */
  ends: string[];
  submit(jobId: string, isLowPriority?: boolean): void;
  /** Makes the started threads ready, beginning with number `first`. */
  warmUp(first?: number): void;
  /** What each thread ran, in the order they were started. */
  runs(): string[][];
  /** State and version of each worker. */
  states(): string[];
}

/** 0 to 3 workers, unless `scaling` says otherwise. */
export function openPool(scaling: Partial<Scaling> = {}): PoolScene {
  const clock = createVirtualClock();
  const scripted = createScriptedThreads();
  const waiting: PoolScene['waiting'] = [];
  const ends: string[] = [];

  function takeNext(): AssignedJob | null {
    const job = waiting.shift();
    if (job === undefined) return null;
    const { jobId } = job;
    return {
      jobId,
      submissionText: '{}',
      onChunk: () => undefined,
      onProgress: () => undefined,
      onDone: () => ends.push(`${jobId} done`),
      onFailed: () => ends.push(`${jobId} failed`),
      onCrashed: (error) => ends.push(`${jobId} crashed: ${JSON.parse(error).error_message}`),
    };
  }

  const pool = new WorkerPool({
    endpoint: {
      id: 'e',
      handler: { builtIn: 'echo' },
      minWorkers: 0,
      maxWorkers: 3,
      coldStartMs: COLD_START_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      ...scaling,
    },
    clock,
    startThread: scripted.startThread,
    takeNext,
    scalingDemand: () => waiting.filter(({ isLowPriority }) => !isLowPriority).length,
  });

  return {
    pool,
    clock,
    scripted,
    waiting,
    ends,
    submit: (jobId, isLowPriority = false) => {
      waiting.push({ jobId, isLowPriority });
      pool.wake();
    },
    warmUp: (first = 0) => {
      for (const { events } of scripted.threads.slice(first)) events.onReady();
      clock.advance(COLD_START_MS);
    },
    runs: () => scripted.threads.map(({ jobIds }) => jobIds),
    states: () => pool.workers().map(({ state, version }) => `${state} v${version}`),
  };
}
