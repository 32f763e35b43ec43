import { app } from './app.ts';
import { openBaseWindows } from './base-window.ts';
import { BrowserWindow } from './browser-window.ts';
import type { ControlCall, ControlReady, ControlReply, Controls } from './control-contract.ts';
import { desktop } from './shared-chromium.ts';
import { pressGlobalShortcut } from './global-shortcut.ts';
import { preventable } from './guard.ts';
import { holdText } from './held-messages.ts';
import { breakInvoke } from './ipc-main.ts';
import { Menu, clickIn, pictureOf, popupMenu } from './menu.ts';
import { setSystemColorScheme } from './native-theme.ts';
import {
  activate as activateToast,
  clickNotification,
  failNotifications,
  notificationAnswers,
  notificationPictures,
  pressNotificationAction,
  setNotificationsSupported,
  timeOutNotification,
} from './notification.ts';
import { firePower, setOnBattery } from './power.ts';
import { records } from './records.ts';
import { currentTray } from './tray.ts';

const focused = (): BrowserWindow | undefined => BrowserWindow.getFocusedWindow() ?? undefined;

const controls: Controls = {
  endpoint: async () => (await desktop()).chromium.endpoint(),
  windows: () =>
    BrowserWindow.getAllWindows().map((window) => ({
      id: window.id,
      targetId: window.webContents.currentTargetId,
      url: window.webContents.getURL(),
      title: window.getTitle(),
      isVisible: window.isVisible(),
      isFocused: window.isFocused(),
      isMinimized: window.isMinimized(),
      isMaximized: window.isMaximized(),
      isOverFullScreen: window.decoration.isOverFullScreen,
      place: window.getBounds(),
      frames: window.webContents.frameCount,
      taskbar: {
        progress: window.progress.share,
        mode: window.progress.mode,
        overlay: window.decoration.overlay,
      },
    })),
  notifications: notificationPictures,
  notificationAnswers,
  clickNotification,
  pressNotificationAction,
  activateToast,
  timeOutNotification,
  failNotifications,
  setNotificationsSupported,
  tray: () => currentTray()?.picture() ?? null,
  async clickTray() {
    const tray = requireTray();
    // Pressing the button takes the focus from the window that has it. The click comes on release.
    focused()?.blur();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    tray.emit('click', {}, tray.getBounds(), { x: 0, y: 0 });
  },
  clickTrayItem: (path) => clickIn(requireTray().menu, path, focused()),
  applicationMenu: () => pictureOf(Menu.getApplicationMenu()),
  clickMenuItem: (path) => clickIn(Menu.getApplicationMenu(), path, focused()),
  popupMenu: () => (popupMenu() === null ? null : pictureOf(popupMenu())),
  clickPopupItem(path) {
    const menu = popupMenu();
    clickIn(menu, path, focused());
    menu?.closePopup();
  },
  pressGlobalShortcut,
  badge: () => records.badge,
  appProgress: () => records.appProgress.share,
  isDockShown: () => records.isDockShown,
  clipboard: () => records.clipboard,
  clipboardPng: () => records.clipboardPng,
  clipboardFormats: () => records.clipboardFormats,
  setClipboard: (text) => void (records.clipboard = text),
  openedExternally: () => records.openedExternally,
  shownInFolder: () => records.shownInFolder,
  openedPaths: () => records.openedPaths,
  dialogs: () => records.dialogs,
  answerDialog(answer) {
    const open = records.openDialogs.shift();
    if (open === undefined) records.dialogAnswers.push(answer);
    else open(answer);
  },
  holdText,
  breakInvoke,
  firePower,
  setOnBattery,
  setSystemColorScheme,
  loginItem: () => records.loginItem,
  protocols: () => [...records.protocols],
  identity: () => ({ appUserModelId: records.appUserModelId, toastActivator: records.toastActivator }),
  openUrl: (link) => void app.emit('open-url', preventable({}), link),
  activate: () =>
    void app.emit(
      'activate',
      {},
      BrowserWindow.getAllWindows().some((window) => window.isVisible()),
    ),
  leave: () => focused()?.blur(),
  comeBack: (id) => BrowserWindow.fromId(id)?.focus(),
  closeWindow: (id) => BrowserWindow.fromId(id)?.close(),
  async targets() {
    const { targetInfos } = await (await desktop()).chromium.send('Target.getTargets');
    return targetInfos.filter((target) => target.type === 'page').map((target) => target.url);
  },
  processorMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  chromiumPid: async () => (await desktop()).chromium.pid,
  profileDir: async () => (await desktop()).profileDir,
  start: () => records.start,
  throwInMain: (message) =>
    void setImmediate(() => {
      throw new Error(message);
    }),
  rejectInMain: (message) => void Promise.reject(new Error(message)),
  relaunches: () => records.relaunches,
  crashWindow: (id) => BrowserWindow.fromId(id)?.webContents.forcefullyCrashRenderer(),
  freezeWindow: (id) => void BrowserWindow.fromId(id)?.webContents.emit('unresponsive'),
  thawWindow: (id) => void BrowserWindow.fromId(id)?.webContents.emit('responsive'),
  endSession() {
    const windows = [...BrowserWindow.getAllWindows(), ...openBaseWindows()];
    for (const window of windows) {
      const question = preventable({ reasons: ['logoff'] });
      window.emit('query-session-end', question);
      if (question.defaultPrevented) return;
    }
    for (const window of windows)
      if (!window.isDestroyed()) window.emit('session-end', preventable({ reasons: ['logoff'] }));
    // Windows ends the process once the listeners have returned. Nothing that they left for later happens.
    process.kill(process.pid, 'SIGKILL');
  },
  downloads: () => records.downloads,
  powerSaveBlockers: () => records.powerSaveBlockers,
  webPreferences: () => records.webPreferences,
  quit: () => app.quit(),
};

function requireTray(): NonNullable<ReturnType<typeof currentTray>> {
  const tray = currentTray();
  if (tray === null) throw new Error('The app has no tray icon.');
  if (process.env['ELECTRON_STAND_IN_TRAY'] === 'absent') throw new Error('This desktop shows no tray icons.');
  return tray;
}

/**
 * Answers the test that started this process, over the IPC channel. When that test is gone, the app ends too. Without a
 * channel it only checks that the starting process still exists.
 */
export function serveControl(): void {
  if (process.send === undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) app.exit(0);
    }, 1_000).unref();
    return;
  }
  const tell = (message: ControlReply | ControlReady): void => void process.send?.(message);
  process.on('message', (message: ControlCall) => {
    const answer = async (): Promise<unknown> => {
      const control = controls[message.name] as (...args: unknown[]) => unknown;
      return control(...message.args);
    };
    answer().then(
      (result) => tell({ standIn: message.standIn, result }),
      (error: unknown) =>
        tell({ standIn: message.standIn, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => app.exit(0));
  void app.whenReady().then(() => {
    if (!app.isEnding()) tell({ standInReady: true });
  });
}
