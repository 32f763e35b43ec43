import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnknownJob } from '../../src-preload/webhook.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import type { ConnectionState } from '../../src-preload/connection.ts';
import type { Batch } from '../../src-preload/batch.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Job, StreamChunk, SubmissionDraft } from '../../src-preload/job.ts';
import { createNews } from '../../src-main/engine/engine-events.ts';
import { JobNews } from '../../src-main/engine/job-news.ts';
import type { History } from '../../src-main/history/history.ts';
import type { Clock } from '../../src-main/time/clock.ts';
import { Jobs } from '../../src-main/job/jobs.ts';
import type { WhyNotFollowed } from '../../src-main/job/store/orphans.ts';
import { createLog } from '../../src-main/log.ts';
import { createQueueApi } from '../../src-main/service/queue-api.ts';
import type { QueueApiOptions, QueueTimeouts } from '../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../src-main/service/reply.ts';
import type { RateShare } from '../../src-main/service/rate-governor.ts';
import type { S3Config } from '../../src-main/service/submission-body.ts';
import { createFastClock, createVirtualClock } from './clock.ts';
import type { VirtualClock } from './clock.ts';
import { TEST_API_KEY } from './sandbox.ts';
import { openTestHistory } from './threads.ts';
import { createWatchers } from './watchers.ts';

/** A connection in tests. Its key can be changed while the engine runs. */
export interface TestConnection {
  baseUrl: string;
  apiKey: string | null;
}

export interface TestEngineOptions {
  /** By connection id. */
  connections: Record<string, TestConnection>;
  /** A folder with a former run's database. Default: a new one. */
  dataDir?: string;
  /** Default: a clock that is five times as fast, so that pauses between requests are short. */
  clock?: Clock;
  /** Default: it is believed. */
  isClockDoubted?: () => boolean;
  /** From 0 to 1. Default: always one half, so that a back-off is half its maximum. */
  random?: () => number;
  share?: RateShare;
  /** Default: every job is tracked as long as its connection exists. */
  whyNotFollowed?: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /** Default: webhooks are sent unchanged. */
  callbackFor?: (webhook: string, jobKey: string) => string;
  s3Config?: (profileId: string) => Promise<Result<S3Config>>;
  /** Wraps the history, for example to make the disk refuse writes. */
  wrapHistory?: (history: History) => History;
  /** Wraps the client of the service, to see its requests. */
  wrapApi?: (api: QueueApi) => QueueApi;
  /** How long requests may take. Default: as in the app. */
  timeouts?: Partial<QueueTimeouts>;
  /** The clock of these timeouts. Default: real time. */
  deadlineTime?: Clock;
  /** The size limit of replies. Default: as in the app. */
  replyLimitBytes?: NonNullable<QueueApiOptions['replyLimitBytes']>;
}

/** A whole job engine over a real database and real HTTP. */
export interface TestEngine {
  jobs: Jobs;
  history: History;
  dataDir: string;
  connections: Record<string, TestConnection>;
  /** Every job reported, in order. */
  changes: Job[];
  /** Every batch reported, in order. */
  batches: Batch[];
  endedBatches: Batch[];
  stoppedBatches: Batch[];
  /** Jobs that are unknown here and were named by webhooks, as last reported. */
  unknownJobs: UnknownJob[];
  /** Keys of jobs that were deleted. */
  removedKeys: string[];
  ended: Job[];
  connectionStates: { connectionId: string; state: ConnectionState }[];
  /** The last reported state of a connection, `ready` if none was reported. */
  connectionState(connectionId: string): ConnectionState;
  trackerStates: TrackerState[];
  health: Health[];
  /** The log, one JSON line each. */
  logLines: string[];
  storageTroubles: string[];
  /** Submits a job. Fails the test if it is refused. */
  submit(draft: Partial<SubmissionDraft> & { input?: unknown }): Promise<Job>;
  /** Resolves with the job as soon as a reported state of it passes `check`, also if it did before the call. */
  until(key: string, check: (job: Job) => boolean): Promise<Job>;
  /** Resolves as soon as `check` passes. It runs again after every event. */
  eventually(check: () => boolean): Promise<void>;
  /** Finished, gone, refused or unknown: no more changes will come. */
  untilEnd(key: string): Promise<Job>;
  /** All stored chunks of an attempt. */
  chunks(key: string, attempt?: number): Promise<StreamChunk[]>;
  output(key: string, attempt?: number): Promise<unknown>;
  /** Resolves when no request is in progress and everything received was written. For a clock that stands still. */
  settle(): Promise<void>;
  /** Stops in order. The database stays. */
  close(): Promise<void>;
  /** Stops like a crash: the database is gone immediately, with everything that was not committed. */
  crash(): Promise<void>;
}

const folders = new Set<string>();

/** Removes the folders of all engines. For afterAll. */
export async function removeEngineFolders(): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

/** Starts an engine. Its `start()` is done. */
export async function startEngine(options: TestEngineOptions): Promise<TestEngine> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'jobdeck-engine-')));
  folders.add(dataDir);
  const clock = options.clock ?? createFastClock(5);
  const { connections } = options;
  const jobNews = new JobNews(createNews(() => {}));
  const opened = await openTestHistory({
    path: join(dataDir, 'history.db'),
    now: clock.now,
    onEvent: (event) => {
      if (event.kind === 'counted') jobNews.counted(event);
    },
  });
  const work = createWorkCount();
  const counted = countHistory(opened.history, work);
  const history = options.wrapHistory?.(counted) ?? counted;

  const latest = new Map<string, Job>();
  const { notify, until: eventually } = createWatchers();
  const engine: Pick<
    TestEngine,
    | 'changes'
    | 'batches'
    | 'endedBatches'
    | 'stoppedBatches'
    | 'unknownJobs'
    | 'removedKeys'
    | 'ended'
    | 'connectionStates'
    | 'trackerStates'
    | 'health'
    | 'logLines'
    | 'storageTroubles'
  > = {
    changes: [],
    batches: [],
    endedBatches: [],
    stoppedBatches: [],
    unknownJobs: [],
    removedKeys: [],
    ended: [],
    connectionStates: [],
    trackerStates: [],
    health: [],
    logLines: [],
    storageTroubles: [],
  };
  function tell<T>(list: T[], ...items: T[]): void {
    list.push(...items);
    notify();
  }

  const jobs = new Jobs({
    whyNotFollowed:
      options.whyNotFollowed ??
      (({ connectionId }) => (connections[connectionId] === undefined ? 'no-connection' : null)),
    history,
    clock,
    isClockDoubted: options.isClockDoubted ?? (() => false),
    random: options.random ?? (() => 0.5),
    log: createLog({ write: (line) => void engine.logLines.push(line), now: clock.now, lowestLevel: 'debug' }),
    baseUrlOf: async (connectionId) => {
      const connection = connections[connectionId];
      return connection === undefined
        ? failed({ kind: 'absent', message: `There is no connection ${connectionId}.` })
        : ok(connection.baseUrl);
    },
    apiFor: async ({ connectionId, baseUrl }) => {
      // As in the app: connections are kept in the history.
      await history.readDocument('none', 'none');
      const connection = connections[connectionId];
      if (connection === undefined)
        return failed({ kind: 'absent', message: `There is no connection ${connectionId}.` });
      const api = createQueueApi(
        { baseUrl, restUrl: null, authorization: 'bearer', readKey: async () => connection.apiKey },
        {
          now: clock.now,
          timeouts: options.timeouts ?? {},
          ...(options.deadlineTime === undefined ? {} : { deadlineTime: options.deadlineTime }),
          ...(options.replyLimitBytes === undefined ? {} : { replyLimitBytes: options.replyLimitBytes }),
        },
      );
      return ok(countApi(options.wrapApi?.(api) ?? api, work));
    },
    s3Config: options.s3Config ?? (async () => failed({ kind: 'absent', message: 'There is no such profile.' })),
    callbackFor: options.callbackFor ?? ((webhook) => webhook),
    rateShare: () => options.share ?? { rateShare: 0.25, concurrencyShare: 0.5 },
    onJobsChanged(changed) {
      for (const job of changed) latest.set(job.key, job);
      tell(engine.changes, ...changed);
    },
    onJobsRemoved: (keys) => {
      for (const key of keys) latest.delete(key);
      tell(engine.removedKeys, ...keys);
    },
    onBatchSaved: (rows) => tell(engine.changes, ...rows),
    onUnknownJobs: (unknownJobs) => {
      engine.unknownJobs.length = 0;
      tell(engine.unknownJobs, ...unknownJobs);
    },
    onBatchEnded: (batch) => tell(engine.endedBatches, batch),
    onBatchStopped: (batch) => tell(engine.stoppedBatches, batch),
    onJobEnded: (job) => tell(engine.ended, job),
    onTrackerState: (state) => tell(engine.trackerStates, state),
    reportConnectionState: (connectionId, state) => tell(engine.connectionStates, { connectionId, state }),
    onHealth: (health) => tell(engine.health, health),
    onStorageTrouble: (message) => tell(engine.storageTroubles, message),
  });
  jobNews.onBatches((batches) => {
    jobs.batches.noteBatches(batches);
    tell(engine.batches, ...batches);
  });
  await jobs.start();
  for (const job of await history.liveJobs()) latest.set(job.key, job);

  async function until(key: string, check: (job: Job) => boolean): Promise<Job> {
    let found: Job | undefined;
    await eventually(() => {
      const job = latest.get(key);
      if (job === undefined || !check(job)) return false;
      found = job;
      return true;
    });
    if (found === undefined) throw new Error(`Job ${key} was never reported.`);
    return found;
  }

  return {
    ...engine,
    connectionState: (connectionId) =>
      engine.connectionStates.findLast((one) => one.connectionId === connectionId)?.state ?? { kind: 'ready' },
    jobs,
    history,
    dataDir,
    connections,
    async submit({ input, ...draft }) {
      const [connectionId = 'main'] = Object.keys(connections);
      const result = await jobs.submit({
        connectionId,
        endpointId: 'echo',
        operation: 'run',
        inputText: JSON.stringify(input ?? {}),
        ...draft,
      });
      if (!result.ok) throw new Error(`Not submitted: ${result.failure.message}`);
      if (!latest.has(result.value.key)) latest.set(result.value.key, result.value);
      return result.value;
    },
    until,
    eventually,
    untilEnd: (key) => until(key, ({ phase }) => phase !== 'waiting' && phase !== 'submitting' && phase !== 'active'),
    chunks: (key, attempt = 1) => history.chunks(key, attempt, 0, 100_000),
    async output(key, attempt = 1) {
      const body = await history.body(key, 'output', attempt, null);
      const value: unknown = body === null ? undefined : JSON.parse(body.text);
      return value;
    },
    async settle() {
      for (let calmTurns = 0; calmTurns < 3;) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        calmTurns = work.isInProgress() ? 0 : calmTurns + 1;
        await work.done();
      }
    },
    async close() {
      await jobs.close();
      await history.close();
    },
    async crash() {
      const closed = history.close();
      await jobs.close();
      await closed;
    },
  };
}

/** Calls to others that have no answer yet. */
export interface WorkCount {
  isInProgress(): boolean;
  /** Resolves when nothing is in progress, immediately if nothing is. The thread sleeps until then. */
  done(): Promise<void>;
  count<T>(call: Promise<T>): Promise<T>;
}

export function createWorkCount(): WorkCount {
  let inProgress = 0;
  let waiting: (() => void)[] = [];
  return {
    isInProgress: () => inProgress > 0,
    done: async () => {
      if (inProgress > 0) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    async count(call) {
      inProgress += 1;
      try {
        return await call;
      } finally {
        inProgress -= 1;
        if (inProgress === 0) {
          for (const resolve of waiting) resolve();
          waiting = [];
        }
      }
    },
  };
}

function countApi(api: QueueApi, { count }: WorkCount): QueueApi {
  return {
    run: (...args) => count(api.run(...args)),
    runsync: (...args) => count(api.runsync(...args)),
    status: (...args) => count(api.status(...args)),
    stream: (...args) => count(api.stream(...args)),
    cancel: (...args) => count(api.cancel(...args)),
    retry: (...args) => count(api.retry(...args)),
    purgeQueue: (...args) => count(api.purgeQueue(...args)),
    health: (...args) => count(api.health(...args)),
  };
}

/** The same history. Each of its calls is counted while it is in progress. */
export function countHistory(history: History, { count }: Pick<WorkCount, 'count'>): History {
  return new Proxy(history, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, args);
        return answer instanceof Promise ? count(answer) : answer;
      };
    },
  });
}

/** An engine whose time stands still until the test advances it. A step ends when the engine is at rest. */
export async function startStillEngine(
  options: Omit<TestEngineOptions, 'clock'>,
): Promise<{ engine: TestEngine; clock: VirtualClock }> {
  let engine: TestEngine | null = null;
  const clock = createVirtualClock(1_700_000_000_000, async () => engine?.settle());
  engine = await startEngine({ ...options, clock });
  return { engine, clock };
}

/** Resolves as soon as `check` passes, for conditions without an event: it runs in every turn of the event loop. */
export async function turnsUntil(check: () => boolean): Promise<void> {
  while (!check()) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** One connection named `main` to a sandbox or fault service. */
export function to(service: { baseUrl: string; apiKey?: string } | { url: string }): Record<string, TestConnection> {
  return {
    main: {
      baseUrl: 'url' in service ? service.url : service.baseUrl,
      apiKey: ('apiKey' in service ? service.apiKey : undefined) ?? TEST_API_KEY,
    },
  };
}
