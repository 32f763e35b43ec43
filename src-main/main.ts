import { app, powerMonitor, session, shell } from 'electron';
import { join } from 'node:path';
import { createConcealedClipboard } from './desktop/concealed-clipboard.ts';
import { connectDesktop } from './desktop/connect-desktop.ts';
import { desktopHandlers, earlyHandlers } from './desktop/desktop-handlers.ts';
import { electronClipboard, electronLinkSystem, electronSafeStorage, isOnWayland } from './desktop/electron-system.ts';
import { createOpenedCopies } from './desktop/files/opened-copies.ts';
import { recoverMain, recoverWindows, type CrashRecoveryParts } from './desktop/lifecycle/crash-recovery.ts';
import { openCrashRecord } from './desktop/lifecycle/crash-record.ts';
import { comeForwardOnSecondStart, giveUp, keepOneInstance, stayWhileOpening } from './desktop/lifecycle/lifecycle.ts';
import { startAgainOnSecondStart } from './desktop/lifecycle/restart.ts';
import { followPower } from './desktop/lifecycle/power.ts';
import { saveAtSessionEnd } from './desktop/lifecycle/session-end.ts';
import { followLink } from './desktop/links/follow-link.ts';
import { linkIn } from './desktop/links/links.ts';
import { registerLinks } from './desktop/links/registration.ts';
import { keepLaunchClick } from './desktop/notifications/launch-click.ts';
import {
  denyPermissions,
  hardenWindows,
  isWithoutSandbox,
  registerAppScheme,
  serveApp,
} from './desktop/pages/app-protocol.ts';
import { broadcast, serveContract } from './desktop/pages/ipc.ts';
import { isHiddenStart } from './desktop/system-settings/login-start.ts';
import { menuEntryOf } from './desktop/system-settings/menu-entry.ts';
import { readTaskbarTheme } from './desktop/tray/panel-theme.ts';
import { createAppUpdates } from './desktop/updates/app-updates.ts';
import { updateHandlers } from './desktop/updates/handlers.ts';
import { setApplicationMenu } from './desktop/windows/application-menu.ts';
import { createPreparing } from './desktop/windows/preparing.ts';
import { openWindowState } from './desktop/windows/window-state.ts';
import { applyTheme, createWindows } from './desktop/windows/windows.ts';
import { createNews } from './engine/engine-events.ts';
import { openEngine, type Engine } from './engine/engine.ts';
import { openLogFile, createLog, type Log } from './log.ts';
import { restartedNotice } from './messages/desktop/crash.ts';
import { withoutSandboxNotice } from './messages/desktop/notices.ts';
import { loadKeytar } from './secret/keychain.ts';
import { systemClock } from './time/clock.ts';

/** Starts the app: everything it consists of, in order. The window opens before the engine. */
async function start(): Promise<void> {
  const dataDir = app.getPath('userData');
  const resourcesDir = join(import.meta.dirname, '../../resources');
  const logPath = join(dataDir, 'jobdeck.log');
  const log = createLog({ write: openLogFile({ path: logPath }).write, now: Date.now });
  const news = createNews((error) => log.error('an event could not be shown', { error }));
  news.listen(broadcast);

  const closedWhileOpening = stayWhileOpening();
  hardenWindows(log);
  denyPermissions(log);
  serveApp(join(import.meta.dirname, '../renderer'));

  const windowState = openWindowState(join(dataDir, 'window.json'));
  applyTheme(windowState.read().theme);
  readTaskbarTheme();
  const preparing = createPreparing(systemClock, (preparation) => news.emit('app:preparing', { preparation }));
  const opening = openEngine({
    dataDir,
    clock: systemClock,
    threads: {
      history: new URL('./history-thread.js', import.meta.url),
      backup: new URL('./backup-thread.js', import.meta.url),
      replies: new URL('./reply-thread.js', import.meta.url),
      sandbox: new URL('./sandbox-thread.js', import.meta.url),
      sandboxHandler: new URL('./handler-thread.js', import.meta.url),
    },
    loadKeytar,
    safeStorage: electronSafeStorage(),
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    isSandboxAllowed: process.env['JOBDECK_SANDBOX'] !== 'off',
    onPreparing: preparing.set,
    news,
    log,
  });
  /** Runs `act` when the engine is open. If it never is, the reason is shown where the app gives up. */
  const whenOpen = (act: (engine: Engine) => void): void => void opening.then(act, () => undefined);
  const takeLinks = registerLinksOnce(log);
  const sessionEnd = saveAtSessionEnd({ save: () => windows.savePlace(), end: () => app.quit() });
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
    windowState,
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
  const addNotice: CrashRecoveryParts['addNotice'] = (notice) => whenOpen((engine) => engine.addNotice(notice));
  const care: CrashRecoveryParts = { log, now: Date.now, addNotice };
  const record = openCrashRecord(join(dataDir, 'jobdeck-restart.json'));
  if (record.isRecent(Date.now())) care.addNotice(restartedNotice(logPath));
  const closeEngine = (): Promise<void> => opening.then((engine) => engine.close());
  if (isWithoutSandbox()) {
    log.error('pages run without the sandbox of the system');
    care.addNotice(withoutSandboxNotice);
  }
  recoverWindows(care);
  recoverMain(care, { record, close: closeEngine });
  const concealed = createConcealedClipboard({
    clock: systemClock,
    platform: process.platform,
    clipboard: electronClipboard(),
  });
  const opened = createOpenedCopies({
    folder: join(dataDir, 'opened'),
    openPath: (path) => shell.openPath(path),
    now: Date.now,
  });
  // A crash may have left some.
  void opened.clear();
  const menuEntry = menuEntryOf(process, join(resourcesDir, 'icon.png'));
  menuEntry?.renew().catch((error: unknown) => log.warn('the entry in the menu could not be renewed', { error }));
  const early = earlyHandlers({ windows, preparing });
  const updates = opening.then((engine) => createAppUpdates(engine, news, log));
  updates.catch(() => undefined);
  const checkForUpdates = (): void => void updates.then((opened) => opened.checkIfDue()).catch(() => undefined);
  serveContract(
    early,
    Promise.all([opening, updates]).then(([engine, openedUpdates]) => ({
      ...engine.handlers,
      ...desktopHandlers({ engine, windows, concealed, opened, logPath, menuEntry, redact: log.redact }),
      ...updateHandlers(openedUpdates),
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

  const parts = { resourcesDir, log, news, windows, windowState, concealed, opened, sessionEnd };
  const quitting = { closedWhileOpening, onEnding: restartOnSecondStart };
  connectDesktop({ engine: await opening, updates: await updates, quitting, ...parts });
}

/** Makes Jobdeck the program for its links when it is first called: once a window is shown, and at no later call. */
function registerLinksOnce(log: Log): () => void {
  let hasBegun = false;
  return () => {
    if (hasBegun) return;
    hasBegun = true;
    // After the window is drawn, because the system may take long.
    setImmediate(() => {
      if (!registerLinks(electronLinkSystem())) log.warn('the system did not make Jobdeck the program for its links');
    });
  };
}

registerAppScheme();
// Windows shows notifications only of an app that has set its id.
if (process.platform === 'win32') {
  app.setAppUserModelId('dev.jobdeck.app');
  // Never change it, so that a notification of an earlier run still opens this app.
  app.setToastActivatorCLSID('{7C1C8A0B-53A6-4C0B-9B1F-6D7E0B9E52A4}');
}
/** Brings the main window to the front. Does nothing before it exists, because it will open anyway. */
let openMain = (): void => undefined;
/** Opens a link. Links wait until there is a window. */
const linksBefore: string[] = [];
let openLink = (link: string): void => void linksBefore.push(link);
/** From now on a second start shows no window of this process, but makes Electron start Jobdeck again after it. */
function restartOnSecondStart(): void {
  const startAgain = startAgainOnSecondStart();
  openMain = () => startAgain();
  openLink = startAgain;
}
if (keepOneInstance()) {
  keepLaunchClick();
  comeForwardOnSecondStart(
    () => openMain(),
    (link) => openLink(link),
  );
  app
    .whenReady()
    .then(start)
    .catch((thrown: unknown) => giveUp(thrown, app.getPath('userData')));
}
