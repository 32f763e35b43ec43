import type { BrokenAnswer } from './ipc-main.ts';
import type { DialogRecord } from './records.ts';
import type { MenuPicture } from './menu.ts';
import type { ActivationArguments, NotificationPicture } from './notification.ts';
import type { TrayPicture } from './tray.ts';

/**
 * What a test can ask of a stand-in that it started: name -> arguments and answer. Sent over the child process's IPC
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
    /** macOS: it is visible on every space, including over a full-screen window. */
    isOverFullScreen: boolean;
    place: { x: number; y: number; width: number; height: number };
    frames: number;
    /** What the dock or task bar shows on its icon. Progress below 0: none. */
    taskbar: { progress: number; mode: string; overlay: string | null };
  }[];
  notifications(): NotificationPicture[];
  /** How many the desktop showed, and with which words it refused others. */
  notificationAnswers(): { shown: number; refused: string[] };
  clickNotification(index: number): void;
  /** A person presses one of its buttons, counted from 0. */
  pressNotificationAction(index: number, actionIndex: number): void;
  /** Windows: a notification of a former run is clicked. */
  activateToast(details: ActivationArguments): void;
  /** It times out on the screen. On Windows it stays in the Action Center. */
  timeOutNotification(index: number): void;
  /** From now on, showing one fails with this error, on Linux without its text. Null ends that. */
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
  /** What the dock or launcher shows on the app's icon (macOS and Linux), even without a window. Below 0: nothing. */
  appProgress(): number;
  /** macOS: whether the app has its icon in the dock. */
  isDockShown(): boolean;
  clipboard(): string;
  /** The image on it as base64. Empty if there is none. */
  clipboardPng(): string;
  clipboardFormats(): string[];
  setClipboard(text: string): void;
  openedExternally(): string[];
  shownInFolder(): string[];
  openedPaths(): string[];
  dialogs(): DialogRecord[];
  /** Answers the dialog that stays open, else the next one. 'stays open': that one waits for a further answer. */
  answerDialog(answer: unknown): void;
  /** Resolves with whether a listener prevented it. Errors: rejects if Electron has no such event on this system. */
  firePower(event: string): boolean;
  /**
   * With true, holds messages from pages to main. With false, main gets them, including those from frames that are
   * gone.
   */
  holdText(isHeld: boolean): void;
  /** From now on, an invoke with this first argument gets this instead of its answer. */
  breakInvoke(name: string, broken: BrokenAnswer): void;
  setOnBattery(isOnBattery: boolean): void;
  setSystemColorScheme(scheme: 'light' | 'dark'): void;
  /** What the app set, how often, and whether the user switched it off in the system since. */
  loginItem(): { openAtLogin: boolean; args: string[]; isSwitchedOff: boolean; timesSet: number };
  protocols(): string[];
  /** Windows: the app's own id, and what a click on a notification of a former run starts. */
  identity(): { appUserModelId: string; toastActivator: string };
  /** macOS: a link was clicked. */
  openUrl(link: string): void;
  activate(): void;
  closeWindow(id: number): void;
  /** The user switches to another program: no window of the app has the focus. */
  leave(): void;
  /** The user returns to a window. */
  comeBack(id: number): void;
  /** Addresses of all page targets of this Chromium, including those that are not a window of the app. */
  targets(): Promise<string[]>;
  chromiumPid(): Promise<number>;
  /** Processor time of main with all its threads so far. Null if it is unknown. */
  processorMs(): number | null;
  profileDir(): Promise<string>;
  /** When main's first line ran, the first window was shown, and each call was first answered; epoch milliseconds. */
  start(): { mainBegunMs: number; windowShownMs: number; firstAnswers: Record<string, number> };
  quit(): void;
  /** An uncaught error in main, or an unhandled rejection. */
  throwInMain(message: string): void;
  rejectInMain(message: string): void;
  /** The command lines that the app wanted to be started with after its end. */
  relaunches(): string[][];
  crashWindow(id: number): void;
  /** A window's page no longer answers. */
  freezeWindow(id: number): void;
  /** It answers again. */
  thawWindow(id: number): void;
  /**
   * Windows: the session of the user ends. Only windows get its events, open ones and hidden ones. Unless one of them
   * prevents it, the process is ended when the listeners have returned, before this is answered.
   */
  endSession(): void;
  downloads(): string[];
  powerSaveBlockers(): string[];
  /** The web preferences requested for each window so far, oldest first. */
  webPreferences(): Record<string, unknown>[];
}

export interface ControlCall {
  standIn: number;
  name: keyof Controls;
  args: unknown[];
}
export type ControlReply = { standIn: number; result: unknown } | { standIn: number; error: string };
/** Sent once, when the app is ready. */
export interface ControlReady {
  standInReady: true;
}
