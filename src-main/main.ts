import { app, powerMonitor, safeStorage } from 'electron';
import { join } from 'node:path';
import type { Preparation } from '../src-preload/app.ts';
import { loadKeytar } from './secret/keychain.ts';
import { registerAppScheme, serveApp, denyPermissions, hardenWindows } from './desktop/app-protocol.ts';
import { setApplicationMenu, createTray } from './desktop/tray-and-menu.ts';
import { desktopHandlers, earlyHandlers } from './desktop/desktop-handlers.ts';
import { broadcast, serveContract } from './desktop/ipc.ts';
import { comeForwardWhenAsked, giveUp, keepOneInstance, logTrouble, quitWhenClosed } from './desktop/lifecycle.ts';
import { createNotifications } from './desktop/notifications.ts';
import { createTrayUpdates } from './desktop/tray-model.ts';
import { applyTheme, createWindows, type Windows, createWindowPlaces } from './desktop/windows.ts';
import { openEngine, type Engine } from './engine/engine.ts';
import { createNews, type News } from './engine/engine-events.ts';
import { systemClock } from './time/clock.ts';
import { openLogFile, createLog, type Log } from './log.ts';
import { settingsIn } from './settings/settings.ts';
import type { AsyncSafeStorage } from './secret/safe-storage.ts';

/** The app from top to bottom: what it is made of, in the order it comes up. */
async function start(): Promise<void> {
  const dataDir = app.getPath('userData');
  const resourcesDir = join(import.meta.dirname, '../../resources');
  const log = createLog({ write: openLogFile({ path: join(dataDir, 'jobdeck.log') }).write, now: Date.now });
  const news = createNews((error) => log.error('an event could not be shown', { error }));
  news.listen(broadcast);

  logTrouble(log);
  hardenWindows(log);
  denyPermissions();
  serveApp(join(import.meta.dirname, '../renderer'));

  let preparation: Preparation | null = null;
  const opening = openEngine({
    dataDir,
    clock: systemClock,
    threads: {
      history: new URL('./history-worker.js', import.meta.url),
      replies: new URL('./reply-thread.js', import.meta.url),
      sandboxHost: new URL('./sandbox-host.js', import.meta.url),
      sandboxHandler: new URL('./handler-worker.js', import.meta.url),
    },
    loadKeytar,
    safeStorage: electronSafeStorage(),
    isSandboxAllowed: process.env['JOBDECK_SANDBOX'] !== 'off',
    // A window says so meanwhile. Where nothing takes long, the engine is there before a window would be.
    onPreparing({ kind, jobs, documents }) {
      preparation = { kind, jobs };
      applyTheme(settingsIn(documents));
      places.take(documents);
      openFirst();
    },
    news,
    log,
  });
  const places = createWindowPlaces(opening.then(({ history }) => history));
  const windows = createWindows({
    preloadPath: join(import.meta.dirname, '../preload/preload.cjs'),
    iconPath: join(resourcesDir, 'icon.png'),
    readBounds: places.read,
    keepBounds: places.keep,
    onVisibilityChanged: (isAnyVisible) =>
      opening.then(
        (engine) => engine.setWindowVisible(isAnyVisible),
        () => undefined,
      ),
    log,
  });
  const openMain = (): void => windows.openMain();
  const newJob = (): void => windows.openMain({ kind: 'new-job' });
  /** From the first window on, whoever starts Jobdeck once more gets it. */
  const openFirst = (): void => {
    setApplicationMenu({ newJob, openMain });
    comeForwardWhenAsked(openMain);
    openMain();
  };
  app.on('browser-window-created', (_event, window) => {
    const { id } = window;
    window.once('closed', () =>
      opening.then(
        (engine) => engine.windowClosed(id),
        () => undefined,
      ),
    );
  });
  const early = earlyHandlers({ windows, preparation: () => preparation });
  serveContract(
    early,
    opening.then((engine) => ({ ...engine.handlers, ...desktopHandlers({ engine, windows }), ...early })),
    log,
  );

  const engine = await opening;
  const isOpenAlready = preparation !== null;
  preparation = null;
  if (!isOpenAlready) await places.load();
  connectDesktop(engine, windows, news, { resourcesDir, log });
  if (!isOpenAlready) openFirst();
}

/** Everything of the desktop that follows the engine: tray, badge, notifications, power, and quitting. */
function connectDesktop(
  engine: Engine,
  windows: Windows,
  news: News,
  { resourcesDir, log }: { resourcesDir: string; log: Log },
): void {
  const openMain = (): void => windows.openMain();
  const openJob = (key: string): void => windows.openMain({ kind: 'job', key });

  const tray = createTray({
    resourcesDir,
    openMain,
    openJob,
    newJob: () => windows.openMain({ kind: 'new-job' }),
    setPaused: engine.setPaused,
    quit: () => app.quit(),
  });
  const names = { connectionName: engine.connectionName, endpointLabel: engine.endpointLabel };
  const trayUpdates = createTrayUpdates({
    clock: systemClock,
    liveJobs: engine.liveJobs,
    history: engine.history,
    trackerState: engine.trackerState,
    names,
    showTray: tray.show,
    setBadge: (count) => app.setBadgeCount(count),
  });
  const notifications = createNotifications({
    clock: systemClock,
    settings: engine.settings,
    names,
    trackerState: engine.trackerState,
    openJob,
    openMain,
    openHealth: (connectionId, endpointId) => windows.openMain({ kind: 'health', connectionId, endpointId }),
  });
  engine.onJobEnded(notifications.jobEnded);
  engine.onBatchEnded(notifications.batchEnded);
  engine.showAlertsWith(notifications.showAlert);
  news.listen((name) => {
    if (name === 'job:changed' || name === 'tracker:changed') trayUpdates.changed();
    if (name === 'tracker:changed') notifications.refusalsChanged();
    if (name === 'settings:changed') applyTheme(engine.settings());
  });

  applyTheme(engine.settings());
  powerMonitor.on('resume', engine.wokeUp);
  powerMonitor.on('on-battery', () => engine.setOnBattery(true));
  powerMonitor.on('on-ac', () => engine.setOnBattery(false));
  engine.setOnBattery(powerMonitor.onBatteryPower);
  quitWhenClosed({
    liveJobs: () => engine.trackerState().tracked + engine.trackerState().waitingToSend,
    tellStaying: notifications.staying,
    close: async () => {
      trayUpdates.close();
      notifications.close();
      tray.close();
      await engine.close();
    },
    log,
  });

  trayUpdates.changed();
}

registerAppScheme();
// Windows shows notifications only of an app that names itself.
if (process.platform === 'win32') app.setAppUserModelId('dev.jobdeck.app');
if (keepOneInstance()) {
  app
    .whenReady()
    .then(start)
    .catch((thrown: unknown) => giveUp(thrown, app.getPath('userData')));
}

/** Electron's safeStorage, its asynchronous methods only: the synchronous ones end with Electron 46. */
export function electronSafeStorage(): AsyncSafeStorage {
  return {
    isAsyncEncryptionAvailable: () => safeStorage.isAsyncEncryptionAvailable(),
    encryptStringAsync: (plainText) => safeStorage.encryptStringAsync(plainText),
    decryptStringAsync: (encrypted) => safeStorage.decryptStringAsync(encrypted),
    // Exists on Linux only; elsewhere the system's own store is behind safeStorage.
    ...(process.platform === 'linux'
      ? { getSelectedStorageBackend: () => safeStorage.getSelectedStorageBackend() }
      : {}),
  };
}
