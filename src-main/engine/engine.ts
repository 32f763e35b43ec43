import { historyPath, layFoundation, openStorage, type EngineParts, type Foundation } from './foundation.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { joinServices, type Services } from './services.ts';
import { trackAgain, joinFeatures, type Features } from './features.ts';
import { CallGuard } from './closing.ts';
import { failureHandlers, draftHandlers } from './history-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { createWatchedJobs, type WatchedJobs } from './watched-jobs.ts';
import { type BatchCalls, createBatchCalls } from './batch-handlers.ts';
import { binHandlers, type BinCalls } from './bin.ts';
import { keepRetention, type StorageCalls } from './retention.ts';
import { Backups, backupHandlers, type DesktopBackupCall } from './backups.ts';
import { exportJobs, nameOfExport, titleOfExport } from './export-jobs.ts';
import { ownFileRefusal } from './data-folder.ts';
import { wholeOutput, type WholeOutput } from './whole-output.ts';
import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { Exported, ExportFormat, ExportSource } from '../../src-preload/export.ts';
import type { Notice, TrackerState } from '../../src-preload/app.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Connection, KeyStorage } from '../../src-preload/connection.ts';
import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import { moveKeys } from '../secret/move-keys.ts';
import type { AllJobCounts } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';
import type { Documents } from '../history/collection.ts';
import type { SavedTable } from '../history/export/table.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { SubscribeToStream } from '../job/stream/stream-flow.ts';
import type { Pods } from '../pod/pods.ts';
import type { AppNotification } from '../../src-preload/notification.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { notificationHandlers } from '../notifications/handlers.ts';
import { alertHandlers } from '../alerts/handlers.ts';
import { connectionHandlers } from '../connection/handlers.ts';
import { costHandlers } from '../cost/costs.ts';
import { healthHandlers } from '../health/handlers.ts';
import { checkNetwork } from '../service/network-check.ts';
import { purgeHandlers } from '../purge/handlers.ts';
import { requestText } from '../messages/engine.ts';

/** The calls that the engine answers. The desktop answers the others. */
type EngineHandlers = Omit<
  Handlers,
  | `window:${string}`
  | `app:${string}`
  | `update:${string}`
  | 'job:export'
  | 'table:save'
  | 'stream:subscribe'
  | 'pod:copyEnv'
  | 'pod:openPort'
  | DesktopBackupCall
>;

export interface Engine {
  handlers: EngineHandlers;
  /** Subscribes to the stream of one attempt from now on. */
  streamOf: (key: string, attempt: number) => SubscribeToStream;
  settings: () => Settings;
  /** Shell lines with the running sandbox's address and key, for the clipboard only. Null if it is not running. */
  sandboxEnvironment: () => string | null;
  /** Serves the handler in this file in the sandbox. */
  addSandboxHandler: SandboxControl['addHandler'];
  /** Pods, for the calls that need the clipboard or the browser. */
  pods: Pick<Pods, 'envValue' | 'browsableAddress'>;
  keyStorage: () => KeyStorage;
  notices: () => Notice[];
  addNotice: (notice: Omit<Notice, 'atMs'>) => void;
  setWindowVisible: (isVisible: boolean) => void;
  setOnBattery: (isOnBattery: boolean) => void;
  /** Reports which window has the focus, or null. */
  windowFocused: (windowId: number | null) => void;
  /** Reports that a window was closed. */
  windowClosed: (windowId: number) => void;
  setPaused: (isPaused: boolean) => void;
  /** The computer slept: everything that waits is checked, the nearest deadline first. */
  wokeUp: () => void;
  trackerState: () => TrackerState;
  /** Oldest first, from memory. */
  liveJobs: () => Job[];
  /** The counts of all jobs that were last sent to windows. */
  jobCounts: () => AllJobCounts;
  /** Sets the function that shows notifications on the desktop. */
  showNotificationsWith: Notifications['showWith'];
  /** The notification with this id, or null. Then: what the user did with one on the desktop. */
  notification: (id: number) => Promise<AppNotification | null>;
  notificationSeen: (id: number) => void;
  /** Why nothing that the user saves may go to this path; null where it may. */
  refusalOf: (path: string) => Failure | null;
  /** A job's whole output, to be copied or written. `attempt` null: the newest. */
  outputOf: (key: string, attempt: number | null) => Promise<Result<WholeOutput>>;
  /** Writes jobs to a file. */
  exportJobs: (source: ExportSource, format: ExportFormat | SavedTable, path: string) => Promise<Result<Exported>>;
  backups: Pick<Backups, 'write' | 'open' | 'restore' | 'undoRestore'>;
  /** A file name for an export of these jobs. Null if there are none. */
  exportName: (source: ExportSource) => Promise<string | null>;
  /** The name that the user gave to an endpoint of this job's connection. */
  endpointName: (endpoint: EndpointRef) => string;
  /** The name that the user gave to a connection. */
  connectionName: (connectionId: string) => string;
  history: Documents & Pick<History, 'liveJobs' | 'list' | 'counts' | 'job' | 'newestByServiceId'>;
  /**
   * Refuses further calls, ends what is in progress, and resolves when everything is on disk. Returns the same promise
   * each time.
   */
  close: () => Promise<void>;
}

/** How long closing waits for calls in progress. */
const callsLimitMs = 2_000;

/** Creates everything that needs no Electron: history, connections and keys, jobs, health, settings, the sandbox. */
export async function openEngine(parts: EngineParts): Promise<Engine> {
  const storage = await openStorage(parts);
  try {
    const foundation = await layFoundation(parts, storage);
    const services = await joinServices(foundation);
    const features = joinFeatures(foundation, services);
    const backups = openBackups(foundation, services, features);
    const storageCalls = { ...keepRetention(foundation), ...openBin(foundation, services, features) };
    const calls = new CallGuard();
    const { closing } = storage;
    closing.later('calls', () => calls.idle(callsLimitMs));
    // First, because it aborts what calls in progress wait for.
    closing.later('jobs', () => features.jobs.close());
    await start(foundation, services, features);
    return engineOf(foundation, services, { ...features, backups, storageCalls }, calls);
  } catch (error) {
    await storage.closing.all();
    throw error;
  }
}

function openBin(
  { parts, history, jobNews, events }: Foundation,
  { connections }: Services,
  { jobs }: Features,
): BinCalls {
  const onChanged = (deleted: readonly string[] | null): void =>
    parts.news.emit('bin:changed', { restoredKeys: [], deletedKeys: deleted === null ? null : [...deleted] });
  events.on('jobs-removed', () => onChanged([]));
  return binHandlers({
    history,
    mergeIn: (key, write) => jobs.mergeIn(key, write),
    connections: () => presentOf(connections),
    onRestored(restored) {
      // First, because windows leave out what changes of a job that they know as deleted.
      parts.news.emit('bin:changed', { restoredKeys: restored.map(({ key }) => key), deletedKeys: [] });
      jobNews.changed(restored);
    },
    onRestoreEnded: () => recountAndTrack(jobs, connections, parts.log),
    onChanged(deleted) {
      onChanged(deleted);
      events.emit('bin-shrank', null);
    },
  });
}

async function presentOf(connections: Services['connections']): Promise<readonly Connection[]> {
  const listed = await connections.list();
  return listed.ok ? listed.value : [];
}

/** Jobs came from a backup or the bin. The live ones whose connection exists here are tracked from now on. */
async function recountAndTrack(jobs: Features['jobs'], connections: Services['connections'], log: Log): Promise<void> {
  await jobs.recount();
  const ids = (await presentOf(connections)).map(({ id }) => id);
  trackAgain(jobs, ids, log);
}

function openBackups(
  { parts, history, jobNews, closing }: Foundation,
  { connections }: Services,
  { jobs }: Features,
): Backups {
  const present = (): Promise<readonly Connection[]> => presentOf(connections);
  const backups = new Backups({
    path: historyPath(parts.dataDir),
    refusalOf: (target) => ownFileRefusal(parts.dataDir, target),
    threadUrl: parts.threads.backup,
    history,
    mergeIn: (key, write) => jobs.mergeIn(key, write),
    connections: present,
    onMerged: (merged) => jobNews.changed(merged),
    onMergeEnded: () => recountAndTrack(jobs, connections, parts.log),
    onProgress: (progress) => parts.news.emit('backup:progress', { progress }),
  });
  closing.later('backups', () => backups.end());
  return backups;
}

/** Resumes the work of the last run, in the order of dependencies. */
async function start(
  { parts }: Foundation,
  { connections, known, openSandbox }: Services,
  { jobs, health, alerts, costs, purges, notifications }: Features,
): Promise<void> {
  const { log } = parts;
  await purges.load();
  const listed = await connections.list();
  let present = listed.ok ? listed.value : [];
  if (listed.ok) known.learn(present);
  if (present.some((connection) => connection.isSandbox) && parts.isSandboxAllowed) {
    // The address of the sandbox must be known before its jobs are tracked.
    parts.onPreparing?.({ kind: 'sandbox' });
    const opened = await openSandbox();
    parts.onPreparing?.(null);
    if (opened.ok)
      present = present.map((connection) => (connection.id === opened.value.id ? opened.value : connection));
    else log.warn('the sandbox did not start', { detail: opened.failure.message });
  }
  // Read once. Every other reader of live jobs gets them from `jobs`.
  await jobs.loadLiveJobs();
  await notifications.start();
  await alerts.start(present);
  // Before jobs are tracked, so that ends in the first moment count as well.
  await costs.start();
  await jobs.start();
  trackAgain(
    jobs,
    present.map(({ id }) => id),
    log,
  );
  await purges.resume();
  health.connectionsChanged(present);
}

function engineOf(
  foundation: Foundation,
  services: Services,
  features: Features & { backups: Backups; storageCalls: StorageCalls & BinCalls },
  calls: CallGuard,
): Engine {
  const { history, jobNews, notices, closing, settings, secrets } = foundation;
  const { sandbox, known, connections } = services;
  const { jobs, health, alerts, costs, resources, notifications, backups } = features;
  const watched = createWatchedJobs((openedKeys, rowKeys) => jobs.setOnView(openedKeys, rowKeys));
  notifications.leaveOut(watched.isOpenInFocus);
  const batchCalls = createBatchCalls(jobs, history);
  const handlers = {
    ...handlersOf(foundation, services, features, watched),
    ...batchCalls.handlers,
    ...backupHandlers(backups),
    ...features.storageCalls,
  };
  return {
    handlers: calls.guard(handlers),
    streamOf: (key, attempt) => (listener) => jobs.subscribe(key, attempt, listener),
    settings: settings.current,
    sandboxEnvironment: () => sandbox.environment(),
    addSandboxHandler: (path) => sandbox.addHandler(path),
    pods: resources.pods,
    keyStorage: () => secrets.storage,
    notices: notices.all,
    addNotice: notices.add,
    setWindowVisible: (isVisible) => {
      jobs.setWindowVisible(isVisible);
      health.setWindowVisible(isVisible);
    },
    setOnBattery: (isOnBattery) => jobs.setOnBattery(isOnBattery),
    windowFocused: watched.focus,
    windowClosed: (windowId) => {
      watched.forget(windowId);
      health.windowClosed(windowId);
      batchCalls.windowClosed(windowId);
      sandbox.windowClosed(windowId);
    },
    setPaused: (isPaused) => void (isPaused ? jobs.pause() : jobs.resume()),
    wokeUp: () => jobs.wokeUp(),
    trackerState: () => jobs.trackerState(),
    liveJobs: () => jobs.liveJobs(),
    jobCounts: () => jobNews.counts(),
    outputOf: (key, attempt) => wholeOutput(history, key, attempt),
    async exportJobs(source, format, path) {
      const refusal = ownFileRefusal(foundation.parts.dataDir, path);
      if (refusal !== null) return failed(refusal);
      return exportJobs(
        {
          history,
          historyPath: historyPath(foundation.parts.dataDir),
          connections: () => connections.list(),
          costs: () => costs.list(null),
        },
        {
          source,
          format,
          path,
          title: titleOfExport(await nameOfExport(history, source)),
          atMs: foundation.parts.clock.now(),
        },
      );
    },
    refusalOf: (path) => ownFileRefusal(foundation.parts.dataDir, path),
    backups,
    exportName: (source) => nameOfExport(history, source),
    endpointName: known.endpointName,
    connectionName: known.connectionName,
    showNotificationsWith(show) {
      notifications.showWith(show);
      alerts.showWith((alert, ids) => notifications.alertsFired(alert, ids));
    },
    notification: (id) => history.notification(id),
    notificationSeen: (id) => void notifications.seen.mark({ ids: [id] }).catch(() => undefined),
    history,
    close() {
      calls.close();
      return closing.all();
    },
  };
}

/** The handlers of all features, except those about batches. */
function handlersOf(
  { parts, history, jobNews, notices, settings, secrets }: Foundation,
  { connections, s3Profiles, openSandbox, sandbox, printed, webhooks, network, proxyPasswords }: Services,
  { jobs, health, alerts, costs, purges, resources, notifications }: Features,
  watched: WatchedJobs,
): Omit<EngineHandlers, keyof BatchCalls['handlers'] | `backup:${string}` | keyof (StorageCalls & BinCalls)> {
  const { now } = parts.clock;
  return {
    ...connectionHandlers({ connections, s3Profiles, openSandbox }),
    ...sandbox.handlers,
    ...alertHandlers(alerts, history),
    ...notificationHandlers({ notifications, alerts, jobs, history, jobNews }),
    ...healthHandlers({ health, history, connectionOf: (id) => connections.get(id) }),
    ...jobHandlers({
      jobs,
      history,
      connections,
      s3Profiles,
      watched,
      jobNews,
      printed,
      onSeen: (keys) => notifications.seen.jobsSeen(keys),
      onUnseen: (jobKeys, atMs) => notifications.seen.unmark({ jobKeys }, atMs),
      now,
    }),
    ...purgeHandlers(purges, jobs, now),
    ...costHandlers(costs),
    ...resources.handlers,
    ...draftHandlers(history),
    ...failureHandlers(history),
    'settings:get': () => settings.get(),
    'settings:change': (change) => settings.change(change),
    'network:check': ({ url }) => checkNetwork(network, url, now),
    'network:setProxyPassword': async ({ password }) => {
      const { proxy } = settings.current();
      if (proxy.kind !== 'manual' || proxy.name === undefined)
        return failed({ kind: 'refused', message: requestText.proxyFirst });
      return proxyPasswords.write({ proxy: proxy.url, name: proxy.name }, password);
    },
    'keys:move': ({ to }) => moveKeys(secrets, to, (keyPlace) => settings.change({ keyPlace })),
    'webhook:state': () => ok(webhooks.state()),
    'notice:dismiss': ({ id, atMs }) => {
      notices.dismiss(id, atMs);
      return ok(null);
    },
    'tracker:state': () => ok(jobs.trackerState()),
    'tracker:pause': () => ok(jobs.pause()),
    'tracker:resume': () => ok(jobs.resume()),
    'tracker:tryNow': () => ok(jobs.tryNow()),
  };
}
