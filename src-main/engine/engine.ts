import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Notice, TrackerState } from '../../src-preload/app.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Connection, KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { errorText } from '../async/error-text.ts';
import { Connections } from '../connection/connections.ts';
import type { Keytar } from '../secret/keychain.ts';
import type { AsyncSafeStorage } from '../secret/safe-storage.ts';
import { S3Profiles } from '../connection/s3-profiles.ts';
import { createSecretFiles } from '../secret/secret-index.ts';
import { createSecretStore } from '../secret/secret-store.ts';
import { Costs } from '../cost/costs.ts';
import { createVault, readVaultKeyId } from '../secret/vault.ts';
import { byName, openCollection } from '../history/collection.ts';
import type { DocumentKind, Documents } from '../history/collection.ts';
import type { History } from '../history/history.ts';
import type { Preparing } from '../history/records.ts';
import { openHistory } from '../history/store.ts';
import type { Clock } from '../time/clock.ts';
import { Jobs } from '../job/jobs.ts';
import { createJobKeys } from '../job/store/job-key.ts';
import type { SubscribeToStream } from '../job/stream/stream-flow.ts';
import { createKnownSecrets } from '../secret/known-secrets.ts';
import type { Log } from '../log.ts';
import type { Pods } from '../pod/pods.ts';
import { Purges } from '../purge/purges.ts';
import { createQueueApi } from '../service/queue-api.ts';
import { createReplyReader } from '../service/reply-reader.ts';
import { createSettings } from '../settings/settings.ts';
import { Alerts } from '../alerts/alerts.ts';
import { alertHandlers } from '../alerts/handlers.ts';
import { exportBatch } from './batch-export.ts';
import { createBatchCalls } from './batch-handlers.ts';
import { createClosing } from './closing.ts';
import type { Closing } from './closing.ts';
import { connectionHandlers } from '../connection/handlers.ts';
import { createEndpointHealth } from '../health/endpoint-health.ts';
import { costHandlers } from '../cost/handlers.ts';
import { draftHandlers } from './draft-handlers.ts';
import { createGate } from './gate.ts';
import { healthHandlers } from '../health/handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { createKnownConnections } from './known-connections.ts';
import type { News } from './news.ts';
import { createNotices, setAsideNotice, tellHistoryEvents } from './notices.ts';
import type { Notices } from './notices.ts';
import { purgeHandlers } from '../purge/handlers.ts';
import { createResources } from './resources.ts';
import { createSandboxControl } from './sandbox-control.ts';
import { createServiceClient } from '../service/client.ts';
import { createWatchedJobs } from './watched-jobs.ts';
import { createWebhookControl } from '../webhook/webhook-control.ts';

/** The calls the engine answers; the rest belong to the desktop. */
export type EngineHandlers = Omit<
  Handlers,
  `window:${string}` | `app:${string}` | 'batch:export' | 'stream:subscribe' | 'pod:copyEnv' | 'pod:openPort'
>;

export interface EngineParts {
  /** Holds the database, sealed secrets and the log. */
  dataDir: string;
  clock: Clock;
  /** Entries of the threads: beside the bundle in the app, the sources under plain Node. */
  threads: { history: URL; replies: URL; sandboxHost: URL; sandboxHandler: URL };
  loadKeytar: () => Promise<Keytar>;
  safeStorage: AsyncSafeStorage | null;
  /** False keeps the built-in sandbox from starting (JOBDECK_SANDBOX=off). */
  isSandboxAllowed: boolean;
  /** Told where opening the history takes seconds, before it does. */
  onPreparing?: (preparing: Preparing) => void;
  /** Takes facts that are on disk, for whoever listens. */
  news: News;
  log: Log;
}

export interface Engine {
  handlers: EngineHandlers;
  /** What becomes of one attempt's stream from now on. */
  streamOf: (key: string, attempt: number) => SubscribeToStream;
  settings: () => Settings;
  /**
   * Shell lines with the running sandbox's address and key, for the clipboard and nothing else; null where none runs.
   */
  sandboxEnvironment: () => string | null;
  /** Pods, for the calls that need the clipboard or the browser. */
  pods: Pick<Pods, 'envValue' | 'browsableAddress'>;
  keyStorage: () => KeyStorage;
  notices: () => Notice[];
  setWindowVisible: (isVisible: boolean) => void;
  setOnBattery: (isOnBattery: boolean) => void;
  /** The window is gone: nothing is on view there any more. */
  windowClosed: (windowId: number) => void;
  setPaused: (isPaused: boolean) => void;
  /** The computer slept: everything that waits is looked at, nearest deadline first. */
  wokeUp: () => void;
  trackerState: () => TrackerState;
  /** Oldest first, from memory. */
  liveJobs: () => Job[];
  /** A job ended and its result is on disk. Told once per attempt. */
  onJobEnded: (listener: (job: Job) => void) => void;
  /** The last row of a batch ended. */
  onBatchEnded: (listener: (batch: Batch) => void) => void;
  /** Who shows the notifications of alerts. */
  showAlertsWith: Alerts['showWith'];
  /** Writes a batch's rows to a file, one JSON line each. */
  exportBatch: (id: string, path: string) => Promise<Result<{ path: string; rows: number }>>;
  /** What a batch is called; null where there is none. */
  batchName: (id: string) => Promise<string | null>;
  /** The name the user gave an endpoint of this job's connection. */
  endpointLabel: (job: Pick<Job, 'connectionId' | 'endpointId'>) => string;
  /** The name the user gave a connection. */
  connectionName: (connectionId: string) => string;
  history: Documents & Pick<History, 'liveJobs' | 'list' | 'counts'>;
  /**
   * Takes no more calls, ends what is under way, and resolves when all of it is on disk. The same promise each time.
   */
  close: () => Promise<void>;
}

/** Calls under way when the app closes are waited for so long. */
const callsLimitMs = 2_000;
/** The port of the sandbox at its last start: its jobs are pinned to that address. */
const sandboxPortKind: DocumentKind<number, string> = {
  kind: 'sandbox',
  schema: z.number().int().min(1).max(65_535),
  id: byName,
};

/** Everything that needs no Electron, joined: history, connections and keys, jobs, health, settings, the sandbox. */
export async function openEngine(parts: EngineParts): Promise<Engine> {
  const { now } = parts.clock;
  const notices = createNotices(now, (notice) => parts.news.emit('notice:added', notice));
  const onEvent = tellHistoryEvents({ notices, log: parts.log.area('history'), dataDir: parts.dataDir });
  const { history, setAside } = await openHistory({
    path: join(parts.dataDir, 'history.db'),
    workerUrl: parts.threads.history,
    now,
    onEvent,
    ...(parts.onPreparing === undefined ? {} : { onPreparing: parts.onPreparing }),
  });
  if (setAside !== null) notices.add(setAsideNotice(setAside));
  const closing = createClosing(parts.log);
  closing.later('history', history.close);
  try {
    return await joinEngine(parts, { history, notices, closing });
  } catch (error) {
    await closing.all();
    throw error;
  }
}

interface OpenedParts {
  history: History;
  notices: Notices;
  closing: Closing;
}

async function joinEngine(parts: EngineParts, { history, notices, closing }: OpenedParts): Promise<Engine> {
  const { clock, log, dataDir } = parts;
  const { emit } = parts.news;
  const { now } = clock;

  const settings = createSettings({
    documents: history,
    log: log.area('settings'),
    onChange: (changed) => {
      emit('settings:changed', changed);
      void webhooks.apply(changed.isWebhookReceiverOn);
      alerts.notificationsChanged();
    },
  });
  await settings.get();

  const knownSecrets = createKnownSecrets(log);
  const secrets = await createSecretStore({
    loadKeytar: parts.loadKeytar,
    safeStorage: parts.safeStorage,
    files: createSecretFiles(join(dataDir, 'secrets')),
    known: knownSecrets,
    log: log.area('keys'),
  });
  closing.later('keys', () => secrets.close());
  const vault = createVault(secrets, await readVaultKeyId(history, randomUUID));

  const known = createKnownConnections();
  const replies = createReplyReader(parts.threads.replies);
  const connections = new Connections({
    documents: history,
    secrets,
    now,
    newId: randomUUID,
    onChange: (changed) => {
      const { added, removed } = known.learn(changed);
      emit('connection:changed', { connections: changed });
      alerts.connectionsChanged(changed);
      for (const id of removed) {
        jobs.connectionRemoved(id);
        health.connectionRemoved(id);
        resources.connectionRemoved(id);
        purges.connectionRemoved(id);
        costs.connectionRemoved(id);
      }
      followAgain(added);
    },
    onReopened: (connectionId) => jobs.connectionChanged(connectionId),
    probeHealth: (target, endpointId) =>
      createQueueApi(target, { now, knownSecrets: knownSecrets.all, replies }).health(endpointId),
    log: log.area('connections'),
  });
  closing.later('connections', () => connections.close());
  /** Their jobs were left behind when they were removed. */
  const followAgain = (connectionIds: readonly string[]): void => {
    for (const id of connectionIds)
      jobs
        .connectionPresent(id)
        .catch((error: unknown) => log.error('jobs of a connection that is back were not followed again', { error }));
  };
  const s3Profiles = new S3Profiles({ documents: history, secrets, now, newId: randomUUID, log: log.area('s3') });
  const client = createServiceClient({
    connections,
    now,
    replies,
    sandboxBaseUrl: () => sandbox.state().baseUrl,
    knownSecrets: knownSecrets.all,
    learnSecrets: () => s3Profiles.learnSecrets(),
  });
  const health = createEndpointHealth({
    history,
    liveJobs: () => jobs.liveJobs(),
    clock,
    isPaused: () => jobs.trackerState().isPaused,
    readHealth: (connectionId, endpointId) => jobs.readHealth(connectionId, endpointId),
    onChange: (changed) => {
      emit('health:changed', { health: changed });
      alerts.healthRead(changed);
    },
    onDiagnosis: (diagnosis) => emit('diagnosis:changed', diagnosis),
    onTrouble: (error) => log.warn('a health sample was not kept', { detail: errorText(error) }),
  });
  closing.later('health', async () => health.close());
  const alerts = new Alerts({
    history,
    liveJobs: () => jobs.liveJobs(),
    clock,
    settings: settings.current,
    mutedUntilMs: health.mutedUntilMs,
    endpointName: known.endpointName,
    newId: createJobKeys(now, Math.random),
    onChange: (overview) => emit('alert:changed', overview),
    log: log.area('alerts'),
  });
  closing.later('alerts', () => alerts.close());

  const endListeners: ((job: Job) => void)[] = [(job) => alerts.jobEnded(job)];
  const batchEndListeners: ((batch: Batch) => void)[] = [];
  const jobs = new Jobs({
    history,
    clock,
    random: Math.random,
    log: log.area('jobs'),
    baseUrlOf: client.baseUrlOf,
    apiFor: client.queueApi,
    s3Config: (id) => s3Profiles.configOf(id),
    callbackFor: (webhook, jobKey) => webhooks.callbackFor(webhook, jobKey),
    whyNotFollowed: known.whyNotFollowed,
    rateShare: settings.current,
    accountOf: (connectionId) => connections.accountOf(connectionId),
    onJobsChanged: (changed) => {
      emit('job:changed', { jobs: changed });
      costs.noteJobs(changed);
      purges.noteJobs(changed);
      health.jobsChanged(changed);
      alerts.jobsChanged(changed);
    },
    onBatchesChanged: (batches) => emit('batch:changed', { batches }),
    onUnknownJobs: (unknownJobs) => webhooks.noteUnknownJobs(unknownJobs),
    onBatchEnded: (batch) => {
      for (const listener of batchEndListeners) listener(batch);
    },
    onJobEnded: (job) => {
      for (const listener of endListeners) {
        try {
          listener(job);
        } catch (error) {
          log.error('the end of a job could not be told', { jobKey: job.key, error });
        }
      }
    },
    onTrackerState: (state) => emit('tracker:changed', state),
    reportConnectionState: (connectionId, state) => {
      if (state.kind !== 'no-key') void connections.reportState(connectionId, state);
    },
    onHealth: (sample) => void health.note(sample),
    onStorageTrouble: (message) =>
      notices.add({
        id: 'storage-trouble',
        tone: 'error',
        title: 'The history could not be written',
        text: `${message} It is tried again; nothing received is dropped meanwhile.`,
        path: dataDir,
      }),
  });

  const costs = new Costs({
    history,
    liveJobs: () => jobs.liveJobs(),
    clock,
    log: log.area('costs'),
    endpointName: known.endpointName,
    onChanged: (cost) => emit('cost:changed', cost),
    addNotice: notices.add,
  });
  closing.later('costs', () => costs.close());
  const purges = new Purges({
    history,
    queue: jobs.purge,
    clock,
    newId: randomUUID,
    log: log.area('purges'),
    readHealth: (connectionId, endpointId) => jobs.readHealth(connectionId, endpointId),
    endpointOf: async (connectionId, endpointId) => {
      const connection = await connections.get(connectionId);
      return connection.ok
        ? ok(connection.value.endpoints.find(({ id }) => id === endpointId) ?? { id: endpointId, label: '' })
        : connection;
    },
    onChanged: (purge) => emit('purge:changed', purge),
  });
  await purges.load();

  const sandboxPorts = openCollection(history, sandboxPortKind);
  const sandbox = createSandboxControl({
    hostUrl: parts.threads.sandboxHost,
    handlerUrl: parts.threads.sandboxHandler,
    preferredPort: () => sandboxPorts.read('port'),
    keepPort: (port) => sandboxPorts.put('port', port),
    stateFile: join(dataDir, 'sandbox.db'),
    emit,
    notices,
  });
  closing.later('sandbox', sandbox.close);
  const openSandbox = async (): Promise<Result<Connection>> => {
    if (!parts.isSandboxAllowed)
      return failed({
        kind: 'refused',
        message: 'The built-in sandbox is turned off for this start (JOBDECK_SANDBOX=off).',
      });
    const started = await sandbox.start();
    return started.ok ? connections.ensureSandboxConnection(started.value.address) : started;
  };

  const resources = createResources({ history, vault, connections, client, knownSecrets, emit, now, log });

  const webhooks = createWebhookControl({
    documents: history,
    now,
    log: log.area('webhooks'),
    onHint: (call) => jobs.noteWebhookCall(call),
    onChange: (changed) => emit('webhook:changed', changed),
  });
  closing.later('webhooks', webhooks.close);
  await webhooks.apply(settings.current().isWebhookReceiverOn);

  const gate = createGate();
  closing.later('calls', () => gate.idle(callsLimitMs));
  // First of all: it aborts what the calls under way wait for.
  closing.later('jobs', () => jobs.close());

  const listed = await connections.list();
  let present = listed.ok ? listed.value : [];
  if (listed.ok) known.learn(present);
  if (present.some((connection) => connection.isSandbox) && parts.isSandboxAllowed) {
    const opened = await openSandbox();
    if (opened.ok)
      present = present.map((connection) => (connection.id === opened.value.id ? opened.value : connection));
    else log.warn('the sandbox did not start', { detail: opened.failure.message });
  }
  // Read once: whoever wants to know of live jobs asks `jobs`.
  await jobs.loadLiveJobs();
  await alerts.start(present);
  // Before jobs are followed: an end seen in the first moment counts as well.
  await costs.start();
  await jobs.start();
  followAgain(present.map(({ id }) => id));

  await purges.resume();

  const watched = createWatchedJobs((keys) => jobs.setWatched(keys));
  const batchCalls = createBatchCalls(jobs);
  const handlers: EngineHandlers = {
    ...connectionHandlers({ connections, s3Profiles, openSandbox }),
    ...sandbox.handlers,
    ...alertHandlers(alerts, history),
    ...healthHandlers({ health, history, connectionOf: (id) => connections.get(id) }),
    ...jobHandlers({
      jobs,
      history,
      connections,
      s3Profiles,
      watched,
      onJobsChanged: (changed) => emit('job:changed', { jobs: changed }),
      now,
    }),
    ...batchCalls.handlers,
    ...purgeHandlers(purges, jobs, now),
    ...costHandlers(costs),
    ...resources.handlers,
    ...draftHandlers(history),
    'settings:get': () => settings.get(),
    'settings:change': (change) => settings.change(change),
    'webhook:state': () => ok(webhooks.state()),
    'notice:dismiss': ({ id }) => {
      notices.dismiss(id);
      return ok(null);
    },
    'tracker:state': () => ok(jobs.trackerState()),
    'tracker:pause': () => ok(jobs.pause()),
    'tracker:resume': () => ok(jobs.resume()),
    'tracker:tryNow': () => ok(jobs.tryNow()),
  };

  return {
    handlers: gate.guard(handlers),
    streamOf: (key, attempt) => (listener) => jobs.subscribe(key, attempt, listener),
    settings: settings.current,
    sandboxEnvironment: sandbox.environment,
    pods: resources.pods,
    keyStorage: () => secrets.storage,
    notices: notices.all,
    setWindowVisible: (isVisible) => {
      jobs.setWindowVisible(isVisible);
      health.setWindowVisible(isVisible);
    },
    setOnBattery: (isOnBattery) => jobs.setOnBattery(isOnBattery),
    windowClosed: (windowId) => {
      watched.forget(windowId);
      health.windowClosed(windowId);
      batchCalls.windowClosed(windowId);
      sandbox.windowClosed(windowId);
    },
    setPaused: (isPaused) => void (isPaused ? jobs.pause() : jobs.resume()),
    wokeUp: () => void jobs.tryNow(),
    trackerState: () => jobs.trackerState(),
    liveJobs: () => jobs.liveJobs(),
    onJobEnded: (listener) => void endListeners.push(listener),
    onBatchEnded: (listener) => void batchEndListeners.push(listener),
    exportBatch: (id, path) => exportBatch(history, id, path),
    batchName: async (id) => (await history.batchesById([id]))[0]?.name ?? null,
    endpointLabel: (job) => known.endpointName(job.connectionId, job.endpointId),
    connectionName: known.connectionName,
    showAlertsWith: (show) => alerts.showWith(show),
    history,
    close() {
      gate.close();
      return closing.all();
    },
  };
}
