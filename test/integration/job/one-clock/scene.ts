import { createSandbox } from '../../../../src-main/sandbox/sandbox.ts';
import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../../src-main/sandbox/sandbox-options.ts';
import { createSeededRandom } from '../../../../src-main/sandbox/seeded-random.ts';
import type { QueueApi, Reply } from '../../../../src-main/service/reply.ts';
import type { Job, SubmissionDraft } from '../../../../src-preload/job.ts';
import { countHistory, createWorkCount, startEngine, to } from '../../../kit/engine.ts';
import type { TestEngine, TestEngineOptions } from '../../../kit/engine.ts';
import { TEST_API_KEY } from '../../../kit/sandbox.ts';
import { threadScript } from '../../../kit/threads.ts';
import { aboutOf, createHungRequests } from './hung-requests.ts';
import { createJointClock } from './joint-clock.ts';
import type { JointClock } from './joint-clock.ts';
import { createPlayedJobs } from './played-jobs.ts';
import type { PlayedJobs, Run } from './played-jobs.ts';

/** A wait of runsync, so that the clock recognizes the timer that holds the answer back. */
export const syncWaitMs = 2_003;
/** The delay of `delay` faults, for the same reason. */
export const faultDelayMs = 1_709;
/** How long a stream read is held in the observed dialect while nothing comes. */
const observedStreamWaitMs = 10_000;
/** Real time after which work that has not finished is a defect of the test. */
const restlessAfterMs = 20_000;

export interface SceneOptions {
  seed: number;
  endpoints: readonly string[];
  workers: number;
  /** Jobs have webhooks. Their calls are not counted. */
  hasWebhooks?: boolean;
  sandbox?: Omit<SandboxOptions, 'clock' | 'endpoints'>;
  /** As in `TestEngineOptions`. */
  replyLimitBytes?: NonNullable<TestEngineOptions['replyLimitBytes']>;
}

/** A job as the test defines it. */
export interface JobPlan {
  marker: string;
  draft: Pick<SubmissionDraft, 'endpointId' | 'operation'> & Pick<Partial<SubmissionDraft>, 'policy' | 'webhook'>;
  runs: readonly Run[];
}

/** One POST of a submission. */
export interface Send {
  leftAtMs: number;
  answeredAtMs: number;
}

/** The real engine and the real service over HTTP, on one clock. The test plays the workers. */
export interface Scene {
  clock: JointClock;
  sandbox: Sandbox;
  played: PlayedJobs;
  /** Null while the app is closed. */
  engine(): TestEngine | null;
  /** The engine, which must be running. */
  running(): TestEngine;
  open(): Promise<TestEngine>;
  shut(how: 'close' | 'crash'): Promise<void>;
  submit(plan: JobPlan): Promise<Job>;
  /** Submits without the app, as the user's production does. */
  submitElsewhere(plan: JobPlan): Promise<string>;
  /** Sends a request to the service without the app. */
  ask(method: 'GET' | 'POST', path: string, body?: string): Promise<unknown>;
  /** When submissions with this marker left the app, and when the app knew their outcome. */
  sends(marker: string): readonly Send[];
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function createScene({
  seed,
  endpoints,
  workers,
  hasWebhooks = false,
  sandbox: sandboxOptions = {},
  replyLimitBytes = {},
}: SceneOptions): Promise<Scene> {
  const holdingDelaysMs = [
    syncWaitMs,
    faultDelayMs,
    ...(sandboxOptions.dialect === 'observed' ? [observedStreamWaitMs] : []),
  ];
  const clock = createJointClock({ settle, holdingDelaysMs });
  const moduleUrl = new URL('./played-handler.mjs', import.meta.url).href;
  const sandbox = await createSandbox({
    port: 0,
    apiKey: TEST_API_KEY,
    workerUrl: threadScript('sandboxHandler'),
    ...sandboxOptions,
    clock: clock.service,
    endpoints: endpoints.map((id) => ({
      id,
      handler: { moduleUrl },
      minWorkers: 0,
      maxWorkers: workers,
      coldStartMs: 0,
      idleTimeoutMs: 604_800_000,
    })),
  });
  const played = createPlayedJobs(clock, sandbox);
  const hung = createHungRequests(sandbox);
  const random = createSeededRandom(seed);
  const sent = new Map<string, Send[]>();
  let engine: TestEngine | null = null;
  let dataDir: string | null = null;
  let inProgress = 0;
  /** Time waits for the engine's calls to its history. */
  const asked = createWorkCount();

  /** Nothing in these changes before time moves. */
  const stillCount = (): number => clock.heldAnswers() + hung.count();

  async function settle(): Promise<void> {
    const startedAt = performance.now();
    for (let calmTurns = 0; calmTurns < 3;) {
      if (performance.now() - startedAt > restlessAfterMs)
        throw new Error(
          `No rest: ${inProgress} requests (${clock.heldAnswers()} held, ${hung.count()} hung), ` +
            `${asked.isInProgress() ? 'the history is asked' : 'nothing is asked of the history'}; ${played.describe()}`,
        );
      clock.fireDue();
      await turn();
      await asked.done();
      // Both ends of a request are in this thread, so nothing else has to be waited for.
      calmTurns = inProgress > stillCount() ? 0 : calmTurns + 1;
      if (calmTurns === 0) continue;
      const isMoving = !played.isAtRest();
      if (isMoving) await played.moved();
      // A moment in which the receiver of a webhook can continue.
      else if (hasWebhooks) await engine?.history.readDocument('none', 'none');
      if (clock.fireDue() || isMoving || asked.isInProgress() || inProgress > stillCount()) calmTurns = 0;
    }
  }

  function watched(api: QueueApi): QueueApi {
    async function count<T>(about: string, call: Promise<Reply<T>>): Promise<Reply<T>> {
      inProgress += 1;
      try {
        const reply = await call;
        hung.ended(about, reply);
        return reply;
      } finally {
        inProgress -= 1;
      }
    }
    async function noted<T>(about: string, body: string, call: () => Promise<Reply<T>>): Promise<Reply<T>> {
      const marker = markerIn(body);
      const send: Send = { leftAtMs: clock.now(), answeredAtMs: Infinity };
      sent.set(marker, [...(sent.get(marker) ?? []), send]);
      const reply = await count(about, call());
      send.answeredAtMs = clock.now();
      return reply;
    }
    return {
      run: (endpointId, body, options) =>
        noted(aboutOf('run', endpointId, null), body, () => api.run(endpointId, body, options)),
      runsync: (endpointId, body, waitMs, options) =>
        noted(aboutOf('runsync', endpointId, null), body, () => api.runsync(endpointId, body, waitMs, options)),
      status: (endpointId, jobId, options) =>
        count(aboutOf('status', endpointId, jobId), api.status(endpointId, jobId, options)),
      stream: (endpointId, jobId, options) =>
        count(aboutOf('stream', endpointId, jobId), api.stream(endpointId, jobId, options)),
      cancel: (endpointId, jobId, options) =>
        count(aboutOf('cancel', endpointId, jobId), api.cancel(endpointId, jobId, options)),
      retry: (endpointId, jobId, options) =>
        count(aboutOf('retry', endpointId, jobId), api.retry(endpointId, jobId, options)),
      purgeQueue: (endpointId, options) =>
        count(aboutOf('purge-queue', endpointId, null), api.purgeQueue(endpointId, options)),
      health: (endpointId, options) => count(aboutOf('health', endpointId, null), api.health(endpointId, options)),
    };
  }

  const inputOf = ({ marker, runs }: JobPlan): object => ({
    channel: played.channelName,
    marker,
    isStreamed: runs[0]?.chunks !== null,
  });

  async function ask(method: 'GET' | 'POST', path: string, body?: string): Promise<unknown> {
    const reply = await fetch(`${sandbox.baseUrl}${path}`, {
      method,
      headers: { authorization: TEST_API_KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    const value: unknown = await reply.json();
    return value;
  }

  function running(): TestEngine {
    if (engine === null) throw new Error('The app is closed.');
    return engine;
  }

  return {
    clock,
    sandbox,
    played,
    engine: () => engine,
    running,
    async open() {
      const opened = await startEngine({
        connections: to(sandbox),
        clock: clock.engine,
        random,
        wrapApi: watched,
        wrapHistory: (history) => countHistory(history, asked),
        deadlineTime: clock.engine,
        replyLimitBytes,
        ...(dataDir === null ? {} : { dataDir }),
      });
      ({ dataDir } = opened);
      engine = opened;
      return opened;
    },
    async shut(how) {
      const closing = running();
      engine = null;
      await closing[how]();
    },
    async submit(plan) {
      played.plan(plan.marker, plan.runs);
      const { operation } = plan.draft;
      return await running().submit({
        ...plan.draft,
        ...(operation === 'runsync' ? { waitMs: syncWaitMs } : {}),
        title: plan.marker,
        input: inputOf(plan),
      });
    },
    async submitElsewhere(plan) {
      played.plan(plan.marker, plan.runs);
      const answer = await ask(
        'POST',
        `/v2/${plan.draft.endpointId}/run`,
        JSON.stringify({ input: inputOf(plan), policy: plan.draft.policy ?? {} }),
      );
      return typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : '';
    },
    ask,
    sends: (marker) => sent.get(marker) ?? [],
    settle,
    async close() {
      await engine?.close();
      await sandbox.close();
      played.close();
    },
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function markerIn(body: string): string {
  const value: unknown = JSON.parse(body);
  const input: unknown = typeof value === 'object' && value !== null && 'input' in value ? value.input : null;
  return typeof input === 'object' && input !== null && 'marker' in input ? String(input.marker) : '';
}
