import type { EndpointDefinition } from '../../../../src-main/sandbox/endpoint.ts';
import {
  type JobRecord,
  createTransitionLog,
  type Transition,
  type TransitionLog,
} from '../../../../src-main/sandbox/queue/job-record.ts';
import { createQueue } from '../../../../src-main/sandbox/queue/queue.ts';
import type { Queue } from '../../../../src-main/sandbox/queue/queue.ts';
import type { JobStore } from '../../../../src-main/sandbox/queue/store.ts';
import { checkSubmission } from '../../../../src-main/sandbox/queue/validation.ts';
import type { Submission } from '../../../../src-main/sandbox/queue/validation.ts';
import type { Dialect } from '../../../../src-main/sandbox/specification.ts';
import { createVirtualClock } from '../../../kit/sandbox.ts';
import type { VirtualClock } from '../../../kit/sandbox.ts';
import { createScriptedThreads } from '../scripted-threads.ts';
import type { ScriptedThread } from '../scripted-threads.ts';

export const SCENE_ENDPOINT: EndpointDefinition = {
  id: 'e',
  handler: { builtIn: 'echo' },
  minWorkers: 0,
  maxWorkers: 9,
  coldStartMs: 0,
  idleTimeoutMs: 5_000,
};

/** A body as `run` would have validated it. */
export function submissionOf(policy: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Submission {
  const checked = checkSubmission(JSON.stringify({ input: { n: 1 }, policy, ...more }));
  if (!checked.ok) throw new Error(checked.message);
  return checked.value;
}

/** One endpoint's queue on a virtual clock. The test controls its worker threads. */
export interface QueueScene {
  clock: VirtualClock;
  queue: Queue;
  transitions: TransitionLog;
  threads: ScriptedThread[];
  /** The thread that got the job last. */
  threadOf(record: JobRecord): ScriptedThread;
  /** Makes every thread ready that is still starting. */
  warmUp(): void;
  movesOf(record: JobRecord): Pick<Transition, 'from' | 'to' | 'cause'>[];
}

export interface QueueSceneOptions {
  endpoint?: Partial<EndpointDefinition>;
  dialect?: Dialect;
  clock?: VirtualClock;
  store?: JobStore | null;
  syncRetentionMs?: number;
}

export function openQueueScene(options: QueueSceneOptions = {}): QueueScene {
  const { clock = createVirtualClock(), store = null, dialect = 'spec', syncRetentionMs = 60_000 } = options;
  const scripted = createScriptedThreads();
  const transitions = createTransitionLog();
  const queue = createQueue({
    endpoint: { ...SCENE_ENDPOINT, ...options.endpoint },
    dialect,
    clock,
    syncRetentionMs,
    startThread: scripted.startThread,
    transitions,
    store,
    onCompleted: () => undefined,
  });
  const readied = new Set<ScriptedThread>();
  return {
    clock,
    queue,
    transitions,
    threads: scripted.threads,
    threadOf: ({ id }) => {
      const thread = scripted.threads.findLast(({ jobIds }) => jobIds.at(-1) === id);
      if (thread === undefined) throw new Error(`No thread was handed ${id}.`);
      return thread;
    },
    warmUp: () => {
      for (const thread of scripted.threads) {
        if (readied.has(thread) || thread.isTerminated) continue;
        readied.add(thread);
        thread.events.onReady();
      }
    },
    movesOf: ({ id }) =>
      transitions.all().flatMap(({ jobId, from, to, cause }) => (jobId === id ? [{ from, to, cause }] : [])),
  };
}
