import { webContents } from './all-web-contents.ts';
import { app } from './app.ts';
import { autoUpdater } from './auto-updater.ts';
import { BaseWindow } from './base-window.ts';
import { BrowserWindow } from './browser-window.ts';
import { ClipboardItem, clipboard } from './clipboard.ts';
import { dialog } from './dialog.ts';
import { globalShortcut } from './global-shortcut.ts';
import { missing } from './guard.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, MenuItem } from './menu.ts';
import { MessageChannelMain } from './message-port.ts';
import { nativeImage } from './native-image.ts';
import { nativeTheme } from './native-theme.ts';
import { net } from './net.ts';
import { Notification } from './notification.ts';
import { powerMonitor, powerSaveBlocker } from './power.ts';
import { safeStorage } from './safe-storage.ts';
import { screen } from './screen.ts';
import { protocol, session } from './session.ts';
import { shell } from './shell.ts';
import { Tray } from './tray.ts';
import { WebContentsView } from './web-contents-view.ts';

/** The exports of 'electron' for a main bundle that runs on the stand-in. */
export {
  app,
  autoUpdater,
  BaseWindow,
  BrowserWindow,
  clipboard,
  ClipboardItem,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  MessageChannelMain,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  webContents,
  WebContentsView,
};

export const BrowserView = missing('BrowserView');
export const contentTracing = missing('contentTracing');
export const crashReporter = missing('crashReporter');
export const desktopCapturer = missing('desktopCapturer');
export const ImageView = missing('ImageView');
export const inAppPurchase = missing('inAppPurchase');
export const netLog = missing('netLog');
export const pushNotifications = missing('pushNotifications');
export const ServiceWorkerMain = missing('ServiceWorkerMain');
export const ShareMenu = missing('ShareMenu');
export const systemPreferences = missing('systemPreferences');
export const TouchBar = missing('TouchBar');
export const utilityProcess = missing('utilityProcess');
export const View = missing('View');
export const webFrameMain = missing('webFrameMain');
