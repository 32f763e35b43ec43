import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Notice, SandboxState, TrackerState } from '../../src-preload/app.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Connection, KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { createConnections } from '../connection/connections.ts';
import type { Keytar } from '../connection/keychain.ts';
import type { AsyncSafeStorage } from '../connection/safe-storage.ts';
import { createS3Profiles } from '../connection/s3-profiles.ts';
import { createSecretFiles } from '../connection/secret-files.ts';
import { createSecretStore } from '../connection/secret-store.ts';
import { createHealthMonitor } from '../health/monitor.ts';
import type { History, SetAside } from '../history/history.ts';
import { openHistory } from '../history/store.ts';
import type { Clock } from '../job/clock.ts';
import { createJobs } from '../job/engine.ts';
import type { SubscribeToStream } from '../job/stream-flow.ts';
import type { Log } from '../log.ts';
import { createQueueApi } from '../service/queue-api.ts';
import { createSettings } from '../settings/settings.ts';
import { connectionHandlers } from './connection-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import type { News } from './news.ts';
import { createNotices } from './notices.ts';
import { createSandboxThread } from './sandbox-thread.ts';
import { fromHistory } from './storage.ts';

/** The calls the engine answers; the rest belong to the desktop. */
export type EngineHandlers = Omit<Handlers, `window:${string}` | `app:${string}` | 'stream:subscribe'>;

export interface EngineParts {
  /** Holds the database, sealed secrets and the log. */
  dataDir: string;
  clock: Clock;
  /** Entries of the threads: beside the bundle in the app, the sources under plain Node. */
  threads: { history: URL; sandboxHost: URL; sandboxHandler: URL };
  loadKeytar: () => Promise<Keytar>;
  safeStorage: AsyncSafeStorage | null;
  /** False keeps the built-in sandbox from starting (JOBDECK_SANDBOX=off). */
  isSandboxAllowed: boolean;
  /** Takes facts that are on disk, for whoever listens. */
  news: News;
  log: Log;
}

export interface Engine {
  handlers: EngineHandlers;
  /** Follows one attempt's chunks: the stored ones first. */
  streamOf: (key: string, attempt: number, fromSeq: number) => SubscribeToStream;
  settings: () => Settings;
  keyStorage: () => KeyStorage;
  notices: () => Notice[];
  isFirstRun: () => Promise<boolean>;
  setWindowVisible: (isVisible: boolean) => void;
  setPaused: (isPaused: boolean) => void;
  /** The computer slept: everything that waits is looked at, nearest deadline first. */
  wokeUp: () => void;
  trackerState: () => TrackerState;
  /** A job ended and its result is on disk. Told once per attempt. */
  onJobEnded: (listener: (job: Job) => void) => void;
  /** The name the user gave an endpoint of this job's connection. */
  endpointLabel: (job: Job) => string;
  history: Pick<History, 'readDocument' | 'putDocument' | 'liveJobs' | 'list' | 'counts'>;
  close: () => Promise<void>;
}

/** Everything that needs no Electron, joined: history, connections and keys, jobs, health, settings, the sandbox. */
export async function openEngine(parts: EngineParts): Promise<Engine> {
  const { clock, log, dataDir } = parts;
  const { emit } = parts.news;
  const endListeners: ((job: Job) => void)[] = [];
  const now = clock.now;
  const { history, setAside } = await openHistory({ path: join(dataDir, 'history.db'), workerUrl: parts.threads.history, now });

  const notices = createNotices(now, (notice) => emit('notice:added', notice));
  if (setAside !== null) notices.add(noticeOf(setAside));

  const settings = createSettings({ documents: history, log: log.area('settings'), onChange: (changed) => emit('settings:changed', changed) });
  await settings.get();

  const secrets = await createSecretStore({ loadKeytar: parts.loadKeytar, safeStorage: parts.safeStorage, files: createSecretFiles(join(dataDir, 'secrets')), log: log.area('keys') });
  const connections = createConnections({
    documents: history,
    secrets,
    now,
    newId: randomUUID,
    onChange: (changed) => {
      learnLabels(changed);
      emit('connection:changed', { connections: changed });
    },
    onReopened: (connectionId) => jobs.connectionChanged(connectionId),
    probeHealth: (target, endpointId) => createQueueApi(target, { now }).health(endpointId),
    log: log.area('connections'),
  });
  const endpointLabels = new Map<string, string>();
  const learnLabels = (all: readonly Connection[]): void => {
    for (const connection of all) for (const endpoint of connection.endpoints) endpointLabels.set(`${connection.id}/${endpoint.id}`, endpoint.label);
  };
  const s3Profiles = createS3Profiles({ documents: history, secrets, newId: randomUUID, log: log.area('s3') });
  const health = createHealthMonitor({
    history,
    now,
    readHealth: (connectionId, endpointId) => jobs.readHealth(connectionId, endpointId),
    onChange: (changed) => emit('health:changed', { health: changed }),
    onTrouble: (error) => log.warn('a health sample was not kept', { detail: error instanceof Error ? error.message : String(error) }),
  });

  const jobs = createJobs({
    history,
    clock,
    random: Math.random,
    log: log.area('jobs'),
    baseUrlOf: async (connectionId) => {
      const connection = await connections.get(connectionId);
      if (!connection.ok) return connection;
      return connection.value.hasKey ? ok(connection.value.baseUrl) : failed({ kind: 'no-key', connectionId, message: 'No key is kept for this connection. Add one in Settings; what you typed stays.' });
    },
    apiFor: async ({ connectionId, baseUrl }) => {
      const target = await connections.target(connectionId, baseUrl);
      return target.ok ? ok(createQueueApi(target.value, { now })) : target;
    },
    s3Config: s3Profiles.configOf,
    rateShare: settings.current,
    onJobsChanged: (changed) => emit('job:changed', { jobs: changed }),
    onJobEnded: (job) => {
      for (const listener of endListeners) listener(job);
    },
    onTrackerState: (state) => emit('tracker:changed', state),
    reportConnectionState: (connectionId, state) => {
      if (state.kind !== 'no-key') void connections.reportState(connectionId, state);
    },
    onHealth: (sample) => void health.note(sample),
    onStorageTrouble: (message) => notices.add({ id: 'storage-trouble', tone: 'error', title: 'The history could not be written', text: `${message} It is tried again; nothing received is dropped meanwhile.`, path: dataDir }),
  });

  const sandbox = createSandboxThread({
    hostUrl: parts.threads.sandboxHost,
    handlerUrl: parts.threads.sandboxHandler,
    preferredPort: async () => Number((await history.readDocument('sandbox', 'port')) ?? 0) || null,
    keepPort: (port) => history.putDocument('sandbox', 'port', String(port)),
    onChange: (state: SandboxState) => emit('sandbox:changed', state),
  });
  const openSandbox = async () => {
    if (!parts.isSandboxAllowed) return failed({ kind: 'refused' as const, message: 'The built-in sandbox is turned off for this start (JOBDECK_SANDBOX=off).' });
    const started = await sandbox.start();
    return started.ok ? connections.ensureSandboxConnection(started.value) : started;
  };

  const listed = await connections.list();
  if (listed.ok) learnLabels(listed.value);
  if (listed.ok && listed.value.some((connection) => connection.isSandbox) && parts.isSandboxAllowed) {
    const opened = await openSandbox();
    if (!opened.ok) log.warn('the sandbox did not start', { detail: opened.failure.message });
  }
  await jobs.start();

  return {
    handlers: {
      ...connectionHandlers({ connections, s3Profiles, openSandbox }),
      ...jobHandlers({ jobs, history, connections, s3Profiles, onJobsChanged: (changed) => emit('job:changed', { jobs: changed }), now }),
      'settings:get': () => settings.get(),
      'settings:change': (change) => settings.change(change),
      'notice:dismiss': ({ id }) => {
        notices.dismiss(id);
        return ok(null);
      },
      'sandbox:state': () => ok(sandbox.state()),
      'sandbox:stop': async () => {
        await sandbox.stop();
        return ok(sandbox.state());
      },
      'draft:load': async ({ slot }) => {
        const kept = await fromHistory(history.readDocument('draft', slot));
        return kept.ok ? ok(kept.value === null || kept.value === '' ? null : { text: kept.value }) : kept;
      },
      'draft:keep': async ({ slot, text }) => {
        const kept = await fromHistory(history.putDocument('draft', slot, text));
        return kept.ok ? ok(null) : kept;
      },
      'health:latest': ({ connectionId }) => fromHistory(health.latest(connectionId)),
      'health:refresh': async ({ connectionId }) => {
        const connection = await connections.get(connectionId);
        if (!connection.ok) return connection;
        await Promise.all(connection.value.endpoints.map((endpoint) => health.refresh(connectionId, endpoint.id)));
        return ok(null);
      },
      'tracker:state': () => ok(jobs.trackerState()),
      'tracker:pause': () => ok(jobs.pause()),
      'tracker:resume': () => ok(jobs.resume()),
      'tracker:tryNow': () => ok(jobs.tryNow()),
    },
    streamOf: (key, attempt, fromSeq) => (listener) => jobs.subscribe(key, attempt, fromSeq, listener),
    settings: settings.current,
    keyStorage: () => secrets.storage,
    notices: notices.all,
    isFirstRun: async () => {
      const all = await connections.list();
      return all.ok && all.value.length === 0;
    },
    setWindowVisible: jobs.setWindowVisible,
    setPaused: (isPaused) => void (isPaused ? jobs.pause() : jobs.resume()),
    wokeUp: () => void jobs.tryNow(),
    trackerState: jobs.trackerState,
    onJobEnded: (listener) => void endListeners.push(listener),
    endpointLabel: (job) => {
      const known = endpointLabels.get(`${job.connectionId}/${job.endpointId}`);
      return known === undefined || known === '' ? job.endpointId : known;
    },
    history,
    close: async () => {
      await jobs.close();
      await sandbox.stop();
      connections.close();
      secrets.close();
      await history.close();
    },
  };
}

function noticeOf(setAside: SetAside): Omit<Notice, 'atMs'> {
  const why = { damaged: 'could not be read', newer: 'was written by a newer Jobdeck', 'not-a-database': 'is no database' }[setAside.reason];
  return {
    id: `set-aside:${setAside.path}`,
    tone: 'warning',
    title: 'The former history was set aside',
    text: `Its file ${why}. Nothing was deleted: it lies under a dated name, and Jobdeck started with an empty history.`,
    path: setAside.path,
  };
}
