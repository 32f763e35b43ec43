import { app, clipboard, ClipboardItem, powerMonitor, safeStorage } from 'electron';
import { join } from 'node:path';
import { loadKeytar } from './secret/keychain.ts';
import { registerAppScheme, serveApp, denyPermissions, hardenWindows } from './desktop/app-protocol.ts';
import { setApplicationMenu, createTray } from './desktop/tray-and-menu.ts';
import { createConcealedClipboard, type ConcealedClipboard } from './desktop/concealed-clipboard.ts';
import { desktopHandlers, earlyHandlers } from './desktop/desktop-handlers.ts';
import { broadcast, serveContract } from './desktop/ipc.ts';
import { comeForwardWhenAsked, giveUp, keepOneInstance, quitWhenClosed } from './desktop/lifecycle.ts';
import { careForMain, careForSession, careForWindows, type CrashCareParts } from './desktop/crash-care.ts';
import { openCrashRecord, restartedNotice } from './desktop/crash-record.ts';
import { keepAwake } from './desktop/keep-awake.ts';
import { createNotifications } from './desktop/notifications.ts';
import { createTrayUpdates } from './desktop/tray-model.ts';
import { openFirstLook, type FirstLookFile } from './desktop/first-look.ts';
import { createPreparing } from './desktop/preparing.ts';
import { applyTheme, createWindows, type Windows } from './desktop/windows.ts';
import { openEngine, type Engine } from './engine/engine.ts';
import { createNews, type News } from './engine/engine-events.ts';
import { systemClock } from './time/clock.ts';
import { openLogFile, createLog, type Log } from './log.ts';
import type { AsyncSafeStorage } from './secret/safe-storage.ts';

/** What is made before the engine is open. */
interface Shell {
  resourcesDir: string;
  log: Log;
  news: News;
  windows: Windows;
  look: FirstLookFile;
  concealed: ConcealedClipboard;
}

/** The app from top to bottom: what it is made of, in the order it comes up. The window opens before the engine. */
async function start(): Promise<void> {
  const dataDir = app.getPath('userData');
  const resourcesDir = join(import.meta.dirname, '../../resources');
  const log = createLog({ write: openLogFile({ path: join(dataDir, 'jobdeck.log') }).write, now: Date.now });
  const news = createNews((error) => log.error('an event could not be shown', { error }));
  news.listen(broadcast);

  hardenWindows(log);
  denyPermissions(log);
  serveApp(join(import.meta.dirname, '../renderer'));

  const look = openFirstLook(join(dataDir, 'window.json'));
  applyTheme(look.read().theme);
  const preparing = createPreparing(systemClock, (preparation) => news.emit('app:preparing', { preparation }));
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
    onPreparing: preparing.set,
    news,
    log,
  });
  /** What is done once the engine is open, and not where it never is: why is said where the app gives up. */
  const whenOpen = (act: (engine: Engine) => void): void => void opening.then(act, () => undefined);
  const windows = createWindows({
    preloadPath: join(import.meta.dirname, '../preload/preload.cjs'),
    iconPath: join(resourcesDir, 'icon.png'),
    look,
    onVisibilityChanged: (isAnyVisible) => whenOpen((engine) => engine.setWindowVisible(isAnyVisible)),
    log,
  });
  app.on('browser-window-created', (_event, window) => {
    const { id } = window;
    window.once('closed', () => whenOpen((engine) => engine.windowClosed(id)));
    careForSession(window, () => opening.then((engine) => engine.close()));
  });
  const care: CrashCareParts = { log, now: Date.now, say: (notice) => whenOpen((engine) => engine.addNotice(notice)) };
  const record = openCrashRecord(join(dataDir, 'jobdeck-restart.json'));
  if (record.isRecent(Date.now())) care.say(restartedNotice);
  const closeEngine = (): Promise<void> => opening.then((engine) => engine.close());
  careForWindows(care);
  careForMain(care, { record, close: closeEngine });
  const concealed = createConcealedClipboard({
    clock: systemClock,
    platform: process.platform,
    clipboard: {
      readText: () => clipboard.readText(),
      write: (texts) => clipboard.write([new ClipboardItem(texts)]),
      clear: () => clipboard.clear(),
    },
  });
  const early = earlyHandlers({ windows, preparing });
  serveContract(
    early,
    opening.then((engine) => ({ ...engine.handlers, ...desktopHandlers({ engine, windows, concealed }), ...early })),
    log,
  );
  openMain = () => windows.openMain();
  setApplicationMenu({ newJob: () => windows.openMain({ kind: 'new-job' }), openMain });
  openMain();

  connectDesktop(await opening, { resourcesDir, log, news, windows, look, concealed });
}

/** Everything of the desktop that follows the engine: tray, badge, notifications, power, and quitting. */
function connectDesktop(engine: Engine, { resourcesDir, log, news, windows, look, concealed }: Shell): void {
  const openJob = (key: string): void => windows.openMain({ kind: 'job', key });

  const liveJobs = (): number => engine.trackerState().tracked + engine.trackerState().waitingToSend;
  const awake = keepAwake();
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
    if (name === 'tracker:changed') {
      notifications.refusalsChanged();
      awake.set(liveJobs() > 0);
    }
    if (name === 'settings:changed') takeTheme();
  });

  const takeTheme = (): void => {
    const { theme } = engine.settings();
    applyTheme(theme);
    look.keep({ theme });
  };
  takeTheme();
  powerMonitor.on('resume', engine.wokeUp);
  powerMonitor.on('on-battery', () => engine.setOnBattery(true));
  powerMonitor.on('on-ac', () => engine.setOnBattery(false));
  engine.setOnBattery(powerMonitor.onBatteryPower);
  quitWhenClosed({
    liveJobs,
    tellStaying: notifications.staying,
    close: async () => {
      trayUpdates.close();
      notifications.close();
      tray.close();
      await concealed.clear();
      await engine.close();
    },
    log,
  });

  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // What is under way is written first; the system waits a little.
    event?.preventDefault();
    app.quit();
  });

  trayUpdates.changed();
  awake.set(liveJobs() > 0);
}

registerAppScheme();
// Windows shows notifications only of an app that names itself.
if (process.platform === 'win32') app.setAppUserModelId('dev.jobdeck.app');
/** Brings the main window forward; nothing before there is one, for then it is about to come. */
let openMain = (): void => undefined;
if (keepOneInstance()) {
  comeForwardWhenAsked(() => openMain());
  app
    .whenReady()
    .then(start)
    .catch((thrown: unknown) => giveUp(thrown, app.getPath('userData')));
}

/** Electron's safeStorage, its asynchronous methods only: the synchronous ones end with Electron 46. */
function electronSafeStorage(): AsyncSafeStorage {
  return {
    isAsyncEncryptionAvailable: () => safeStorage.isAsyncEncryptionAvailable(),
    encryptStringAsync: (plainText) => safeStorage.encryptStringAsync(plainText),
    decryptStringAsync: (encrypted) => safeStorage.decryptStringAsync(encrypted),
    // Elsewhere the same tag means a key that the system's own store keeps.
    openTag: process.platform === 'linux' ? 'v10' : null,
  };
}
