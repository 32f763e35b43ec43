import type { BrokenAnswer } from './ipc-main.ts';
import type { DialogRecord } from './records.ts';
import type { MenuPicture } from './menu.ts';
import type { ActivationArguments, NotificationPicture } from './notification.ts';
import type { TrayPicture } from './tray.ts';

/**
 * What a test may ask of a stand-in it started: name -> arguments and answer. Travels over the child process's IPC
 * channel.
 */
export interface Controls {
  endpoint(): Promise<string>;
  windows(): {
    id: number;
    targetId: string | null;
    url: string;
    title: string;
    isVisible: boolean;
    isFocused: boolean;
    isMinimized: boolean;
    isMaximized: boolean;
    /** macOS: it is there on every space, over a window in full screen too. */
    isOverFullScreen: boolean;
    frames: number;
    /** What dock or task bar show on its icon; progress below 0: none. */
    taskbar: { progress: number; mode: string; overlay: string | null };
  }[];
  notifications(): NotificationPicture[];
  clickNotification(index: number): void;
  /** A person presses one of its buttons, counted from 0. */
  pressNotificationAction(index: number, actionIndex: number): void;
  /** Windows: a notification of a former run is clicked. */
  activateToast(details: ActivationArguments): void;
  /** It leaves the screen by itself; on Windows it goes on in the Action Center. */
  timeOutNotification(index: number): void;
  /** From now on showing one fails so (not on Linux); null ends that. */
  failNotifications(error: string | null): void;
  setNotificationsSupported(isSupported: boolean): void;
  tray(): TrayPicture | null;
  /** Takes the focus from the window that has it first, as pressing the button does. */
  clickTray(): Promise<void>;
  clickTrayItem(path: string[]): void;
  applicationMenu(): MenuPicture[];
  clickMenuItem(path: string[]): void;
  popupMenu(): MenuPicture[] | null;
  clickPopupItem(path: string[]): void;
  pressGlobalShortcut(accelerator: string): boolean;
  badge(): number;
  /** What dock or launcher show on the app's icon (macOS and Linux), without a window too; below 0: nothing. */
  appProgress(): number;
  clipboard(): string;
  /** The image on it as base64; empty where there is none. */
  clipboardPng(): string;
  clipboardFormats(): string[];
  setClipboard(text: string): void;
  openedExternally(): string[];
  shownInFolder(): string[];
  openedPaths(): string[];
  dialogs(): DialogRecord[];
  answerDialog(answer: unknown): void;
  /** Answers whether a listener prevented it. Errors: rejects where Electron has no such event on this system. */
  firePower(event: string): boolean;
  /** Holds what pages say to main until false comes; then main hears it, from frames that are gone as well. */
  holdText(isHeld: boolean): void;
  /** From now on an invoke with this first argument gets this in place of an answer. */
  breakInvoke(name: string, broken: BrokenAnswer): void;
  setOnBattery(isOnBattery: boolean): void;
  setSystemColorScheme(scheme: 'light' | 'dark'): void;
  /** As the app set it, how often it did, and whether the user switched it off in the system since. */
  loginItem(): { openAtLogin: boolean; args: string[]; isSwitchedOff: boolean; timesSet: number };
  protocols(): string[];
  /** Windows: as what the app names itself, and what is started by a click on a notification of a former run. */
  identity(): { appUserModelId: string; toastActivator: string };
  /** macOS: a link was clicked. */
  openUrl(link: string): void;
  activate(): void;
  closeWindow(id: number): void;
  /** The user goes to another program: no window of the app has the focus. */
  leave(): void;
  /** The user comes back to a window. */
  comeBack(id: number): void;
  /** Addresses of all page targets of this Chromium, also those that are no window of the app. */
  targets(): Promise<string[]>;
  chromiumPid(): Promise<number>;
  profileDir(): Promise<string>;
  /** When main's first line ran, the first window was shown, and each call was answered first; epoch milliseconds. */
  start(): { mainBegunMs: number; windowShownMs: number; firstAnswers: Record<string, number> };
  quit(): void;
  /** An error in main that nobody catches, or a promise that nobody watches. */
  throwInMain(message: string): void;
  rejectInMain(message: string): void;
  relaunches(): number;
  crashWindow(id: number): void;
  /** A window's page no longer answers. */
  freezeWindow(id: number): void;
  /** It answers again. */
  thawWindow(id: number): void;
  /** Windows: the session of the user ends, which windows alone are told, open ones and hidden ones. */
  endSession(): void;
  downloads(): string[];
  powerSaveBlockers(): string[];
  /** The web preferences asked for each window so far, oldest first. */
  webPreferences(): Record<string, unknown>[];
}

export interface ControlCall {
  standIn: number;
  name: keyof Controls;
  args: unknown[];
}
export type ControlReply = { standIn: number; result: unknown } | { standIn: number; error: string };
/** Told once, when the app is ready. */
export interface ControlReady {
  standInReady: true;
}
