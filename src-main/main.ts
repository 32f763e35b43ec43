import { app, clipboard, ClipboardItem, powerMonitor, safeStorage, session } from 'electron';
import { join } from 'node:path';
import { loadKeytar } from './secret/keychain.ts';
import {
  denyPermissions,
  hardenWindows,
  isWithoutSandbox,
  registerAppScheme,
  serveApp,
  withoutSandboxNotice,
} from './desktop/app-protocol.ts';
import { setApplicationMenu, createTray } from './desktop/tray-and-menu.ts';
import {
  createConcealedClipboard,
  type ConcealedClipboard,
  type ConcealedClipboardParts,
} from './desktop/concealed-clipboard.ts';
import { desktopHandlers, earlyHandlers } from './desktop/desktop-handlers.ts';
import { broadcast, serveContract } from './desktop/ipc.ts';
import { comeForwardWhenAsked, giveUp, keepOneInstance, quitWhenClosed } from './desktop/lifecycle.ts';
import { careForMain, careForWindows, type CrashCareParts } from './desktop/crash-care.ts';
import { openCrashRecord, restartedNotice } from './desktop/crash-record.ts';
import { keepAwake } from './desktop/keep-awake.ts';
import { createAct, createFind } from './desktop/notification-actions.ts';
import { createDesktopNotifications } from './desktop/notifications.ts';
import { notificationsRefusedNotice } from './notifications/messages.ts';
import { hasBusOwner, trayWatcher } from './desktop/session-bus.ts';
import { createIconUpdates } from './desktop/icon-updates.ts';
import { openFirstLook, type FirstLookFile } from './desktop/first-look.ts';
import { registerLinks } from './desktop/link-registration.ts';
import { linkIn, readLink } from './desktop/links.ts';
import { fromMain, changeSettings, keepIntegrated } from './desktop/integration.ts';
import { isHiddenStart } from './desktop/login-start.ts';
import { linkNotice, updateNotice } from './desktop/integration-messages.ts';
import { followPower } from './desktop/power.ts';
import { createPreparing } from './desktop/preparing.ts';
import { careForSessionEnd } from './desktop/session-end.ts';
import { updateHandlers } from './desktop/update-handlers.ts';
import { openUpdateFeed, packageFeedUrl } from './desktop/update-feed.ts';
import { createUpdates, type Updates } from './desktop/updates.ts';
import { isWayland } from './desktop/wayland.ts';
import { applyTheme, createWindows, type Windows } from './desktop/windows.ts';
import { openEngine, type Engine } from './engine/engine.ts';
import { createNews, type News } from './engine/engine-events.ts';
import { isUndisturbed } from '../src-preload/notification.ts';
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
  sessionEnd: ReturnType<typeof careForSessionEnd>;
  updates: Updates;
}

/** The app from top to bottom: what it is made of, in the order it comes up. The window opens before the engine. */
async function start(): Promise<void> {
  const dataDir = app.getPath('userData');
  const resourcesDir = join(import.meta.dirname, '../../resources');
  const logPath = join(dataDir, 'jobdeck.log');
  const log = createLog({ write: openLogFile({ path: logPath }).write, now: Date.now });
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
      backup: new URL('./backup-thread.js', import.meta.url),
      replies: new URL('./reply-thread.js', import.meta.url),
      sandboxHost: new URL('./sandbox-host.js', import.meta.url),
      sandboxHandler: new URL('./handler-worker.js', import.meta.url),
    },
    loadKeytar,
    safeStorage: electronSafeStorage(),
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    isSandboxAllowed: process.env['JOBDECK_SANDBOX'] !== 'off',
    onPreparing: preparing.set,
    news,
    log,
  });
  /** What is done once the engine is open, and not where it never is: why is said where the app gives up. */
  const whenOpen = (act: (engine: Engine) => void): void => void opening.then(act, () => undefined);
  const takeLinks = onceShown(log);
  const sessionEnd = careForSessionEnd(() => app.quit());
  const power = followPower({
    source: powerMonitor,
    setOnBattery: (isOnBattery) => whenOpen((engine) => engine.setOnBattery(isOnBattery)),
    wokeUp() {
      whenOpen((engine) => engine.wokeUp());
      checkForUpdates();
    },
    quit: () => app.quit(),
  });
  const windows = createWindows({
    preloadPath: join(import.meta.dirname, '../preload/preload.cjs'),
    iconPath: join(resourcesDir, 'icon.png'),
    resourcesDir,
    look,
    isWayland: isOnWayland(),
    onVisibilityChanged: (isAnyVisible) => {
      whenOpen((engine) => engine.setWindowVisible(isAnyVisible));
      if (!isAnyVisible) return;
      takeLinks();
      power.ask();
      checkForUpdates();
    },
    log,
  });
  app.on('browser-window-created', (_event, window) => {
    const { id } = window;
    window.once('closed', () => whenOpen((engine) => engine.windowClosed(id)));
    window.on('focus', () => whenOpen((engine) => engine.windowFocused(id)));
    window.on('blur', () => whenOpen((engine) => engine.windowFocused(null)));
  });
  const care: CrashCareParts = { log, now: Date.now, say: (notice) => whenOpen((engine) => engine.addNotice(notice)) };
  const record = openCrashRecord(join(dataDir, 'jobdeck-restart.json'));
  if (record.isRecent(Date.now())) care.say({ ...restartedNotice, path: logPath });
  const closeEngine = (): Promise<void> => opening.then((engine) => engine.close());
  if (isWithoutSandbox()) {
    log.error('pages run without the sandbox of the system');
    care.say(withoutSandboxNotice);
  }
  careForWindows(care);
  careForMain(care, { record, close: closeEngine });
  const concealed = createConcealedClipboard({
    clock: systemClock,
    platform: process.platform,
    clipboard: electronClipboard(),
  });
  const early = earlyHandlers({ windows, preparing });
  const updates = opening.then((engine) => createAppUpdates(engine, news, log));
  updates.catch(() => undefined);
  const checkForUpdates = (): void => void updates.then((newer) => newer.checkIfDue()).catch(() => undefined);
  serveContract(
    early,
    Promise.all([opening, updates]).then(([engine, newer]) => ({
      ...engine.handlers,
      ...desktopHandlers({ engine, windows, concealed, logPath, redact: log.redact }),
      ...updateHandlers(newer),
      ...early,
    })),
    log,
  );
  openMain = () => windows.openMain();
  openLink = (link) => whenOpen((engine) => void followLink(engine, windows, link));
  setApplicationMenu({ newJob: () => windows.openMain({ kind: 'new-job' }), openMain });
  if (isHiddenStart()) sessionEnd.noWindowIsOpen();
  else openMain();
  const begunWith = linkIn(process.argv);
  for (const link of [...linksBefore, ...(begunWith === null ? [] : [begunWith])]) openLink(link);

  const newer = await updates;
  connectDesktop(await opening, { resourcesDir, log, news, windows, look, concealed, sessionEnd, updates: newer });
}

/** What the first window that is shown begins, and no later one: becoming the program for links. */
function onceShown(log: Log): () => void {
  let hasBegun = false;
  return () => {
    if (hasBegun) return;
    hasBegun = true;
    // Once the window is drawn: the system may take long to answer.
    setImmediate(() => {
      const isDone = registerLinks({
        platform: process.platform,
        isPackaged: app.isPackaged,
        isAppImage: process.env['APPIMAGE'] !== undefined,
        isDefaultProtocolClient: (scheme) => app.isDefaultProtocolClient(scheme),
        setAsDefaultProtocolClient: (scheme) => app.setAsDefaultProtocolClient(scheme),
      });
      if (!isDone) log.warn('the system did not make Jobdeck the program for its links');
    });
  };
}

/** Newer versions of this app, from the feed of the settings. */
function createAppUpdates(engine: Engine, news: News, log: Log): Updates {
  return createUpdates({
    packageFeedUrl: packageFeedUrl(),
    settings: engine.settings,
    openFeed: (url, { proxy }) => openUpdateFeed(url, proxy, log),
    quit: () => app.quit(),
    changed: (state) => news.emit('update:changed', state),
    found: ({ version }) => engine.addNotice(updateNotice(version)),
    now: Date.now,
    log,
  });
}

/** Goes where a link leads; what cannot be followed is said. Nothing is ever sent by a link. */
async function followLink(engine: Engine, windows: Windows, link: string): Promise<void> {
  const destination = readLink(link);
  const isMissing =
    destination?.kind === 'job' && (await engine.history.job(destination.key).catch(() => null)) === null;
  if (destination === null || isMissing) engine.addNotice(linkNotice(isMissing));
  windows.openMain(destination === null || isMissing ? undefined : destination);
}

/** Everything of the desktop that follows the engine: tray, badge, notifications, power, and quitting. */
function connectDesktop(engine: Engine, shell: Shell): void {
  const { resourcesDir, log, news, windows, look, concealed, sessionEnd, updates } = shell;
  const openJob = (key: string): void => windows.openMain({ kind: 'job', key });

  const liveJobs = (): number => engine.trackerState().tracked + engine.trackerState().waitingToSend;
  const awake = keepAwake();
  const tray = createTray({
    resourcesDir,
    openMain,
    openJob,
    // On Wayland it could not be put beside the icon.
    togglePopover: (icon) => (isOnWayland() ? openMain() : windows.toggleTray(icon)),
    setDoNotDisturb: (isOn) => changeSettings(engine, { doNotDisturb: { isOn, untilMs: null } }),
    newJob: () => windows.openMain({ kind: 'new-job' }),
    resubmit: (key) => void resubmit(key),
    openFailed: () => windows.openMain({ kind: 'failed' }),
    chooseConnection: (currentConnectionId) =>
      void engine.handlers['settings:change']({ currentConnectionId }, fromMain),
    setPaused: engine.setPaused,
    quit: () => app.quit(),
  });
  const names = { connectionName: engine.connectionName, endpointLabel: engine.endpointLabel };
  const icons = createIconUpdates({
    clock: systemClock,
    counts: engine.jobCounts,
    liveJobs: engine.liveJobs,
    history: engine.history,
    trackerState: engine.trackerState,
    settings: engine.settings,
    isUndisturbed: () => isUndisturbed(engine.settings().doNotDisturb, systemClock.now()),
    names,
    showTray: tray.show,
    showTaskbar: windows.showTaskbar,
    setBadge: (count) => app.setBadgeCount(count),
  });
  let hasTray = true;
  if (process.platform === 'linux')
    void hasBusOwner(trayWatcher, process.env).then((isThere) => {
      hasTray = isThere !== false;
      if (hasTray) return;
      log.info('no program of this desktop shows tray icons');
      // Nothing else would lead to it.
      if (isHiddenStart()) openMain();
    });
  const notifications = createDesktopNotifications({
    platform: process.platform,
    open: (destination) => windows.openMain(destination),
    seen: engine.notificationSeen,
    act: (id, action) => void act(id, action),
    find: createFind(engine),
    hasTray: () => hasTray,
    log,
    sayFailed: (error) => {
      log.warn('the desktop refused a notification', { error });
      engine.addNotice(notificationsRefusedNotice(error));
    },
  });
  const act = createAct(engine, { say: notifications.say, open: (destination) => windows.openMain(destination) });
  const resubmit = async (key: string): Promise<void> => {
    const sent = await engine.handlers['job:resubmit']({ key }, fromMain);
    // No window may be open to say it.
    if (!sent.ok) notifications.say('Could not resubmit the last job', sent.failure.message, { kind: 'job', key });
  };
  engine.showNotificationsWith(notifications.show);
  news.listen((name) => {
    if (name === 'job:changed' || name === 'tracker:changed') icons.changed();
    if (name === 'tracker:changed') awake.set(liveJobs() > 0);
    if (name === 'settings:changed') {
      takeTheme();
      integrate();
      icons.changed();
    }
  });
  const integrate = keepIntegrated(engine, {
    open: openMain,
    newJob: () => windows.openMain({ kind: 'new-job' }),
    isWayland: isOnWayland(),
    log,
  });
  integrate();

  const takeTheme = (): void => {
    const { theme } = engine.settings();
    applyTheme(theme);
    look.keep({ theme });
  };
  takeTheme();
  quitWhenClosed({
    liveJobs,
    noWindowIsOpen: sessionEnd.noWindowIsOpen,
    closedTrayLast: windows.closedTrayLast,
    tellStaying: notifications.staying,
    close: async () => {
      icons.close();
      notifications.close();
      tray.close();
      await concealed.clear();
      await engine.close();
    },
    takeOver: updates.takeOver,
    log,
  });

  icons.changed();
  awake.set(liveJobs() > 0);
}

registerAppScheme();
// Windows shows notifications only of an app that names itself.
if (process.platform === 'win32') {
  app.setAppUserModelId('dev.jobdeck.app');
  // Fixed, so that a notification of a former run still leads to this app.
  app.setToastActivatorCLSID('{7C1C8A0B-53A6-4C0B-9B1F-6D7E0B9E52A4}');
}
/** Brings the main window forward; nothing before there is one, for then it is about to come. */
let openMain = (): void => undefined;
/** Follows a link; before there is a window it waits. */
const linksBefore: string[] = [];
let openLink = (link: string): void => void linksBefore.push(link);
if (keepOneInstance()) {
  comeForwardWhenAsked(
    () => openMain(),
    (link) => openLink(link),
  );
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

/** Whether Wayland shows the windows of this process. */
function isOnWayland(): boolean {
  const ozonePlatform = app.commandLine.getSwitchValue('ozone-platform');
  return isWayland({ platform: process.platform, env: process.env, ozonePlatform });
}

/** Electron's clipboard, one text for each format. */
function electronClipboard(): ConcealedClipboardParts['clipboard'] {
  return {
    readText: () => clipboard.readText(),
    write: (texts) => clipboard.write([new ClipboardItem(texts)]),
    clear: () => clipboard.clear(),
  };
}
