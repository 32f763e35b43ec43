import { hostedThread } from '../../kit/hosted-threads.ts';
import { threadScript } from '../../kit/threads.ts';
import { createWatchers } from '../../kit/watchers.ts';
import { randomUUID } from 'node:crypto';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AsyncSafeStorage } from '../../../src-main/secret/safe-storage.ts';
import { openEngine } from '../../../src-main/engine/engine.ts';
import type { Engine } from '../../../src-main/engine/engine.ts';
import type { EngineParts } from '../../../src-main/engine/foundation.ts';
import { createNews } from '../../../src-main/engine/engine-events.ts';
import type { Clock } from '../../../src-main/time/clock.ts';
import { updateHandlers, createUpdates, type UpdateFeed } from '../../../src-main/desktop/updates/updates.ts';
import { openLogFile, createLog } from '../../../src-main/log.ts';
import { dispatch } from '../../../src-preload/contract.ts';
import type { CallInput, CallName, CallOutput, Handlers } from '../../../src-preload/contract.ts';
import type { EventName, Events } from '../../../src-preload/events.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import { ok } from '../../../src-preload/failure.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { isLive } from '../../../src-preload/job.ts';
import type { Job, StreamChunk, SubmissionDraft } from '../../../src-preload/job.ts';
import { createFastClock } from './fast-clock.ts';

export interface AppOptions {
  /** A former run's folder. Default: a new one. */
  dataDir?: string;
  isSandboxAllowed?: boolean;
  /** Default: keys are only valid for the session. */
  safeStorage?: AsyncSafeStorage;
  clock?: Clock;
  /** Its history starts and ends a thread of its own, as in the app. */
  hasOwnThreads?: boolean;
}

type Told = { [N in EventName]: Events[N][] };

/** The whole engine over real threads, files and HTTP, without Electron, as a window sees it. */
export interface App {
  engine: Engine;
  handlers: Handlers;
  dataDir: string;
  /** Every event so far, by name, in order. */
  told: Told;
  /** Calls as the window `windowId` does over the bridge. */
  call<N extends CallName>(name: N, input: CallInput<N>, windowId?: number): Promise<Result<CallOutput<N>>>;
  /** As `call`. Throws the failure's message. */
  answer<N extends CallName>(name: N, input: CallInput<N>, windowId?: number): Promise<CallOutput<N>>;
  /** The first event of this name, from number `from` on, that passes `check`, past or future. */
  untilEvent<N extends EventName>(name: N, check: (payload: Events[N]) => boolean, from?: number): Promise<Events[N]>;
  /** Resolves as soon as `check` passes. It runs again after every event. */
  untilSeen(check: () => boolean): Promise<void>;
  /** The job in its last event, as soon as it passes `check`. */
  untilJob(key: string, check: (job: Job) => boolean): Promise<Job>;
  /** Resolves when no more changes will come. */
  untilEnd(key: string): Promise<Job>;
  /** The connection in its last event, as soon as it passes `check`. */
  untilConnection(connectionId: string, check: (connection: Connection) => boolean): Promise<Connection>;
  submit(draft: Partial<SubmissionDraft> & { connectionId: string; input?: unknown }): Promise<Job>;
  /** A connection to a service, with its key. */
  connect(service: { baseUrl: string; apiKey: string; endpoints: string[] }): Promise<Connection>;
  /** Saves a connection unchanged, with another key. */
  replaceKey(connectionId: string, key: string): Promise<void>;
  chunks(key: string, attempt?: number): Promise<StreamChunk[]>;
  /** The content of the log file. */
  log(): Promise<string>;
  close(): Promise<void>;
}

/** One time for all apps of a test file, so that a restarted app is not in the past. */
export const fastClock = createFastClock(10);

const opened = new Set<App>();
const folders = new Set<string>();

/** Closes everything that a test left open. For afterEach. */
export async function closeApps(): Promise<void> {
  await Promise.all([...opened].map((app) => app.close()));
}

/** Removes the folders of all apps. For afterAll. */
export async function removeAppFolders(): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

export const threads = {
  history: threadScript('history'),
  backup: threadScript('backup'),
  sandbox: threadScript('sandbox'),
  sandboxHandler: threadScript('sandboxHandler'),
  replies: new URL('../../../src-main/service/reply-thread.ts', import.meta.url),
};

/** As most tests open the engine: its history's thread has served other histories before. */
const hosted: Pick<EngineParts, 'threads' | 'startHistoryThread'> = {
  threads: { ...threads, history: threadScript('histories') },
  startHistoryThread: (url, { workerData }) => hostedThread(url, workerData),
};

/** An empty folder, removed with the others. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-app-'));
  folders.add(folder);
  return folder;
}

export async function openApp(options: AppOptions = {}): Promise<App> {
  const dataDir = options.dataDir ?? (await newFolder());
  const clock = options.clock ?? fastClock;
  const logPath = join(dataDir, 'jobdeck.log');
  const logFile = openLogFile({ path: logPath });
  const troubles: unknown[] = [];
  const news = createNews((error) => troubles.push(error));
  const told: Told = {
    'job:changed': [],
    'connection:changed': [],
    'health:changed': [],
    'health:readFailed': [],
    'diagnosis:changed': [],
    'alert:changed': [],
    'pod:changed': [],
    'template:changed': [],
    'purge:changed': [],
    'cost:changed': [],
    'tracker:changed': [],
    'sandbox:changed': [],
    'sandbox:requestsSeen': [],
    'sandbox:workersSeen': [],
    'sandbox:linesPrinted': [],
    'job:printed': [],
    'backup:progress': [],
    'bin:changed': [],
    'settings:changed': [],
    'keys:changed': [],
    'app:preparing': [],
    'webhook:changed': [],
    'notice:added': [],
    'notice:removed': [],
    'notification:changed': [],
    'update:changed': [],
    'window:changed': [],
    'app:undo': [],
    'app:navigated': [],
  };
  const watchers = createWatchers();
  const untilSeen = watchers.until;
  const latest = new Map<string, Job>();
  news.listen((name, payload) => {
    told[name].push(payload);
    for (const job of told['job:changed'].at(-1)?.jobs ?? []) latest.set(job.key, job);
    watchers.notify();
  });

  const engine = await openEngine({
    dataDir,
    clock,
    ...(options.hasOwnThreads === true ? { threads } : hosted),
    loadKeytar: () => Promise.reject(new Error('keytar is not installed')),
    safeStorage: options.safeStorage ?? null,
    isSandboxAllowed: options.isSandboxAllowed ?? true,
    onPreparing: (preparation) => news.emit('app:preparing', { preparation }),
    news,
    log: createLog({ write: logFile.write, now: clock.now, lowestLevel: 'debug' }),
  });
  const handlers: Handlers = { ...engine.handlers, ...desktopHandlers(engine) };
  for (const job of await engine.history.liveJobs()) latest.set(job.key, job);

  async function untilFound<T>(find: () => T | undefined): Promise<T> {
    await untilSeen(() => find() !== undefined);
    const found = find();
    if (found === undefined) throw new Error('What was found is gone.');
    return found;
  }

  const app: App = {
    engine,
    handlers,
    dataDir,
    told,
    untilSeen,
    call: (name, input, windowId = 1) => dispatch(handlers, name, input, { windowId }),
    async answer(name, input, windowId) {
      const result = await app.call(name, input, windowId);
      if (!result.ok) throw new Error(`${name}: ${result.failure.message}`);
      return result.value;
    },
    untilEvent: (name, check, from = 0) => untilFound(() => told[name].slice(from).find(check)),
    untilJob: (key, check) =>
      untilFound(() => {
        const job = latest.get(key);
        return job !== undefined && check(job) ? job : undefined;
      }),
    untilEnd: (key) => app.untilJob(key, (job) => !isLive(job)),
    untilConnection: (connectionId, check) =>
      untilFound(() => {
        const connection = told['connection:changed'].at(-1)?.connections.find(({ id }) => id === connectionId);
        return connection !== undefined && check(connection) ? connection : undefined;
      }),
    async submit({ input, ...draft }) {
      const job = await app.answer('job:submit', {
        endpointId: 'mock',
        operation: 'run',
        inputText: JSON.stringify(input ?? {}),
        ...draft,
      });
      if (!latest.has(job.key)) latest.set(job.key, job);
      return job;
    },
    async connect({ baseUrl, apiKey, endpoints }) {
      const draft = {
        name: `Service ${randomUUID()}`,
        baseUrl,
        restUrl: '',
        authorization: 'bearer' as const,
        endpoints: endpoints.map((id) => ({ id, label: '', flavour: 'other' as const })),
      };
      return (await app.answer('connection:save', { draft, key: apiKey })).connection;
    },
    async replaceKey(connectionId, key) {
      const found = (await app.answer('connection:list', undefined)).find(({ id }) => id === connectionId);
      if (found === undefined) throw new Error(`There is no connection ${connectionId}.`);
      const { name, baseUrl, restUrl, authorization, endpoints } = found;
      await app.answer('connection:save', {
        draft: { id: connectionId, name, baseUrl, restUrl, authorization, endpoints },
        key,
      });
    },
    chunks: (key, attempt = 1) => app.answer('job:chunks', { key, attempt, fromSeq: 0, limit: 5_000 }),
    log: () => readFile(logPath, 'utf8').catch(() => ''),
    async close() {
      opened.delete(app);
      await engine.close();
      logFile.close();
      if (troubles.length > 0) throw new AggregateError(troubles, 'A listener of the news threw.');
    },
  };
  opened.add(app);
  return app;
}

/** A feed that always has a newer version. */
const newerFeed: UpdateFeed = {
  newest: () => Promise.resolve({ version: '9.9.9', releasedAtMs: null, notes: null }),
  download: () => Promise.resolve(),
  restart: () => undefined,
};

/** The calls that need a desktop, with minimal answers. */
function desktopHandlers(engine: Engine): Omit<Handlers, keyof Engine['handlers']> {
  const nothing = (): Result<null> => ok(null);
  return {
    'app:info': async () =>
      ok({
        version: '0.0.0',
        runtime: 'stand-in',
        platform: 'linux',
        keyStorage: engine.keyStorage(),
        notices: engine.notices(),
      }),
    ...updateHandlers(
      createUpdates({
        packageFeedUrl: 'https://feeds.example.test/jobdeck',
        settings: engine.settings,
        openFeed: () => Promise.resolve(newerFeed),
        quit: () => undefined,
        changed: () => undefined,
        found: () => undefined,
        now: Date.now,
        log: createLog({ write: () => undefined, now: Date.now }),
      }),
    ),
    'app:preparation': () => ok(null),
    'app:diagnostics': () => ok({ text: 'Jobdeck' }),
    'app:showInFolder': nothing,
    'app:menuEntry': () => ok(null),
    'app:setMenuEntry': nothing,
    'app:quit': nothing,
    'app:openExternal': nothing,
    'app:copyText': nothing,
    'app:copyOutput': () => ok({ isEmpty: false }),
    'app:saveOutput': () => ok({ kind: 'saved', path: '/somewhere/output.json' }),
    'app:openOutput': () => ok({ isEmpty: false }),
    'app:copyImage': nothing,
    'app:copySandboxEnvironment': nothing,
    'app:addSandboxHandler': () => ok(null),
    'app:saveFile': () => ok(null),
    'app:saveFiles': () => ok(null),
    'app:openInEditor': nothing,
    'app:showPath': nothing,
    'pod:copyEnv': nothing,
    'pod:openPort': nothing,
    'window:minimize': nothing,
    'window:toggleMaximize': nothing,
    'window:close': nothing,
    'window:openJob': nothing,
    'window:openMain': nothing,
    'window:openSandbox': nothing,
    'window:openHealth': nothing,
    'window:openResource': nothing,
    'job:export': async ({ source, format }) =>
      engine.exportJobs(source, format, join(await newFolder(), `out.${format}`)),
    'table:save': async ({ keys, columns, format }) =>
      engine.exportJobs({ kind: 'jobs', keys }, { columns, format }, join(await newFolder(), `out.${format}`)),
    'backup:write': async () => engine.backups.write(join(await newFolder(), 'backup.db')),
    'backup:open': async () => {
      const written = await engine.backups.write(join(await newFolder(), 'backup.db'));
      if (!written.ok || written.value === null) return written.ok ? ok(null) : written;
      return engine.backups.open(written.value.path);
    },
    'backup:restore': () => engine.backups.restore(),
    'backup:undoRestore': nothing,
    'stream:subscribe': nothing,
  };
}

/** Everything that passes the filter, newest first. */
export async function listed(
  app: App,
  filter: Partial<CallInput<'job:list'>['filter']> = {},
): Promise<CallOutput<'job:list'>> {
  return app.answer('job:list', { filter: { ...emptyFilter, ...filter }, beforeKey: null, limit: 500 });
}
