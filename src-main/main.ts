import { app, powerMonitor, session, shell } from 'electron';
import { join } from 'node:path';
import { createConcealedClipboard } from './desktop/concealed-clipboard.ts';
import { connectDesktop } from './desktop/connect-desktop.ts';
import { desktopHandlers, earlyHandlers } from './desktop/desktop-handlers.ts';
import { electronClipboard, electronLinkSystem, electronSafeStorage, isOnWayland } from './desktop/electron-system.ts';
import { createOpenedCopies } from './desktop/files/opened-copies.ts';
import { recoverFromCrashes } from './desktop/lifecycle/crash-recovery.ts';
import { createFirstWindow, type FirstWindow } from './desktop/lifecycle/first-window.ts';
import { comeForwardOnSecondStart, giveUp, keepOneInstance, stayWhileOpening } from './desktop/lifecycle/lifecycle.ts';
import { startAgainOnSecondStart } from './desktop/lifecycle/restart.ts';
import { followPower } from './desktop/lifecycle/power.ts';
import { saveAtSessionEnd } from './desktop/lifecycle/session-end.ts';
import { WaysIn } from './desktop/lifecycle/ways-in.ts';
import { followLink, linkIn, createRegisterLinksOnce } from './desktop/links/links.ts';
import { keepLaunchClick } from './desktop/notifications/notifications.ts';
import { windowsIdentity } from './desktop/notifications/windows-identity.ts';
import { OpeningEngine } from './desktop/opening-engine.ts';
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
import { openAppUpdates, type AppUpdates } from './desktop/updates/app-updates.ts';
import { updateHandlers } from './desktop/updates/updates.ts';
import { setApplicationMenu } from './desktop/windows/application-menu.ts';
import { createPreparing, type Preparing } from './desktop/windows/preparing.ts';
import { openWindowState, type WindowStateFile } from './desktop/windows/window-state.ts';
import { applyTheme, Windows } from './desktop/windows/windows.ts';
import { createNews, type News } from './engine/engine-events.ts';
import { openEngine } from './engine/engine.ts';
import { openLogFile, createLog, type Log } from './log.ts';
import { withoutSandboxNotice } from './messages/desktop/notices.ts';
import { loadKeytar } from './secret/keychain.ts';
import { systemClock } from './time/clock.ts';

const waysIn = new WaysIn();
const resourcesDir = join(import.meta.dirname, '../../resources');

/** Starts the app: everything it consists of, in order. The window opens before the engine. */
async function start(): Promise<void> {
  const dataDir = app.getPath('userData');
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
  const firstWindow = createFirstWindow(systemClock.after);
  const engine = beginEngine({ dataDir, preparing, news, log, mayAsk: firstWindow.opened });
  const updates = openAppUpdates(engine.opened, news, log);
  const sessionEnd = saveAtSessionEnd({ save: () => windows.savePlace(), end: () => app.quit() });
  const windows = prepareWindows({ engine, updates, windowState, firstWindow, log });

  recoverFromCrashes({
    recordPath: join(dataDir, 'jobdeck-restart.json'),
    logPath,
    log,
    now: Date.now,
    addNotice: (notice) => engine.addNotice(notice),
    close: () => engine.close(),
  });
  if (isWithoutSandbox()) {
    log.error('pages run without the sandbox of the system');
    engine.addNotice(withoutSandboxNotice);
  }

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
  serveContract(
    early,
    Promise.all([engine.opened, updates.opened]).then(([openedEngine, openedUpdates]) => ({
      ...openedEngine.handlers,
      ...desktopHandlers({ engine: openedEngine, windows, concealed, opened, logPath, menuEntry, redact: log.redact }),
      ...updateHandlers(openedUpdates),
      ...early,
    })),
    log,
  );
  openWhatWasAskedFor(engine, windows, () => {
    sessionEnd.noWindowIsOpen();
    firstWindow.isThere();
  });

  connectDesktop({
    engine: await engine.opened,
    updates: await updates.opened,
    quitting: {
      closedWhileOpening,
      // From now on a second start shows no window of this process, but makes Electron start Jobdeck again after it.
      onEnding: () => waysIn.leadToNextStart(startAgainOnSecondStart()),
    },
    resourcesDir,
    log,
    news,
    windows,
    windowState,
    concealed,
    opened,
    sessionEnd,
  });
}

/** Begins to open the engine, with what it has of this system and its threads. Keys are asked for after `mayAsk`. */
function beginEngine(by: {
  dataDir: string;
  preparing: Preparing;
  news: News;
  log: Log;
  mayAsk: Promise<void>;
}): OpeningEngine {
  const opening = openEngine({
    dataDir: by.dataDir,
    clock: systemClock,
    threads: {
      history: new URL('./history-thread.js', import.meta.url),
      backup: new URL('./backup-thread.js', import.meta.url),
      replies: new URL('./reply-thread.js', import.meta.url),
      sandbox: new URL('./sandbox-thread.js', import.meta.url),
      sandboxHandler: new URL('./handler-thread.js', import.meta.url),
    },
    loadKeytar: () => by.mayAsk.then(loadKeytar),
    safeStorage: electronSafeStorage(by.mayAsk),
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    isSandboxAllowed: process.env['JOBDECK_SANDBOX'] !== 'off',
    onPreparing: by.preparing.set,
    news: by.news,
    log: by.log,
  });
  return new OpeningEngine(opening);
}

/** Windows that can be opened from now on, and what happens when one is shown, focused or closed. */
function prepareWindows(by: {
  engine: OpeningEngine;
  updates: AppUpdates;
  windowState: WindowStateFile;
  firstWindow: FirstWindow;
  log: Log;
}): Windows {
  const { engine, updates, windowState, firstWindow, log } = by;
  const registerLinks = createRegisterLinksOnce(electronLinkSystem(), () =>
    log.warn('the system did not make Jobdeck the program for its links'),
  );
  const power = followPower({
    source: powerMonitor,
    setOnBattery: (isOnBattery) => engine.whenOpen((open) => open.setOnBattery(isOnBattery)),
    wokeUp() {
      engine.whenOpen((open) => open.wokeUp());
      updates.checkIfDue();
    },
    quit: () => app.quit(),
  });
  const windows = new Windows({
    preloadPath: join(import.meta.dirname, '../preload/preload.cjs'),
    iconPath: join(resourcesDir, 'icon.png'),
    resourcesDir,
    windowState,
    isWayland: isOnWayland(),
    onVisibilityChanged: (isAnyVisible) => {
      engine.whenOpen((open) => open.setWindowVisible(isAnyVisible));
      if (!isAnyVisible) return;
      firstWindow.isThere();
      registerLinks();
      power.ask();
      updates.checkIfDue();
    },
    log,
  });
  app.on('browser-window-created', (_event, window) => {
    const { id } = window;
    window.once('closed', () => engine.whenOpen((open) => open.windowClosed(id)));
    window.on('focus', () => engine.whenOpen((open) => open.windowFocused(id)));
    window.on('blur', () => engine.whenOpen((open) => open.windowFocused(null)));
  });
  return windows;
}

/** Opens the main window, unless this is a start without one, and the links that led to this start. */
function openWhatWasAskedFor(engine: OpeningEngine, windows: Windows, noWindowIsOpen: () => void): void {
  const openMain = (): void => windows.openMain();
  const openLink = (link: string): void => engine.whenOpen((open) => void followLink(open, windows, link));
  const waiting = waysIn.lead({ openMain, openLink });
  setApplicationMenu({ newJob: () => windows.openMain({ kind: 'new-job' }), openMain });
  if (isHiddenStart()) noWindowIsOpen();
  else openMain();
  const begunWith = linkIn(process.argv);
  for (const link of [...waiting, ...(begunWith === null ? [] : [begunWith])]) openLink(link);
}

registerAppScheme();
// Windows shows notifications only of an app that has set its id.
if (process.platform === 'win32') {
  const { appUserModelId, toastActivator } = windowsIdentity(app.isPackaged);
  app.setAppUserModelId(appUserModelId);
  app.setToastActivatorCLSID(toastActivator);
}
if (keepOneInstance()) {
  keepLaunchClick();
  comeForwardOnSecondStart(waysIn);
  app
    .whenReady()
    .then(start)
    .catch((thrown: unknown) => giveUp(thrown, app.getPath('userData')));
}
