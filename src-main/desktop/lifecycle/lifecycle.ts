import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { errorText } from '../../async/error-text.ts';
import type { Log } from '../../log.ts';
import { notStartedText } from '../../messages/desktop/crash.ts';
import { linkIn } from '../links/links.ts';
import { hiddenArgument } from '../system-settings/start-arguments.ts';
import type { WaysIn } from './ways-in.ts';

/** False if another Jobdeck already runs with the same data. That one comes to the front, and this one must end. */
export function keepOneInstance(): boolean {
  if (app.requestSingleInstanceLock()) return true;
  const dataDir = app.getPath('userData');
  const refused = whyNotWritable(dataDir);
  if (refused === null) app.quit();
  else void app.whenReady().then(() => giveUp(refused, dataDir));
  return false;
}

/** Writes a few bytes into the folder: a full disk is not seen otherwise. Null where that worked. */
function whyNotWritable(folder: string): unknown {
  const path = join(folder, `jobdeck-${process.pid}.probe`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, 'probe', { mode: 0o600 });
    return null;
  } catch (error) {
    return error;
  } finally {
    try {
      rmSync(path, { force: true });
    } catch {
      // What refused the file refuses this too.
    }
  }
}

/**
 * Brings the app to the front when it is started again or its icon is clicked. Must be called before the first `await`:
 * Electron emits the event once, and later listeners miss it.
 */
export function comeForwardOnSecondStart(waysIn: WaysIn): void {
  app.on('second-instance', (_event, argv) => {
    const link = linkIn(argv);
    if (link !== null) waysIn.openLink(link);
    else if (!argv.includes(hiddenArgument)) waysIn.openMain();
  });
  app.on('activate', () => waysIn.openMain());
  // macOS reports links by this event, even before the app is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    waysIn.openLink(link);
  });
}

/**
 * Keeps the app running if its last window closes before `quitWhenClosed`: no one knows yet whether a job is live.
 * Returns whether that happened and no window is open now.
 */
export function stayWhileOpening(): () => boolean {
  let haveAllClosed = false;
  // Without a listener, Electron would quit.
  app.on('window-all-closed', () => {
    haveAllClosed = true;
  });
  return () => haveAllClosed && BrowserWindow.getAllWindows().every((window) => window.isDestroyed());
}

export interface LifecycleParts {
  /** How many jobs have a result still to come. */
  liveJobs: () => number;
  /** Whether the user wants Jobdeck to stay in the tray, even if no job is live. */
  isKeptInTray: () => boolean;
  /** Whether the last window closed while the engine was being opened. */
  closedWhileOpening: () => boolean;
  /** Whether the window that closed last was the tray's popover, which does not count. */
  closedTrayLast: () => boolean;
  /** Called when no window is open and Jobdeck continues. */
  noWindowIsOpen: () => void;
  /** Notifies the user once that Jobdeck continues without a window. */
  notifyStillRunning: (liveJobs: number) => void;
  /** Called when Jobdeck begins to end: a window that is opened now would be closed again. */
  onEnding: () => void;
  /** Resolves when everything in progress is on disk. */
  close: () => Promise<void>;
  /** True if a new version starts now and ends this process. */
  takeOver: () => boolean;
  log: Log;
}

/**
 * Ends the app when its last window closes and no job is live, unless the user wants it to stay. While jobs are live it
 * stays in the tray, so that no result expires on the service unread (spec: Limits, retention). On macOS it always
 * stays. Quitting waits until everything is on disk.
 */
export function quitWhenClosed(parts: LifecycleParts): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  const allClosed = (): void => {
    if (process.platform === 'darwin') return;
    const live = parts.liveJobs();
    if (!parts.closedTrayLast()) {
      if (live === 0 && !parts.isKeptInTray()) return app.quit();
      if (live > 0) parts.notifyStillRunning(live);
    }
    parts.noWindowIsOpen();
  };
  app.on('window-all-closed', allClosed);
  // Not before-quit: the windows close between the two, and may still call and save their places.
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    parts.onEnding();
    void parts
      .close()
      .catch((error: unknown) => parts.log.error('closing left something undone', { error }))
      .then(() => {
        state = 'closed';
        if (!parts.takeOver()) app.quit();
      });
  });
  if (parts.closedWhileOpening()) allClosed();
}

/** Shows that the app cannot start, and ends it. */
export function giveUp(thrown: unknown, dataDir: string): void {
  const detail = errorText(thrown);
  process.stderr.write(`${notStartedText.inTerminal(thrown instanceof Error ? (thrown.stack ?? detail) : detail)}\n`);
  dialog.showErrorBox(notStartedText.title, notStartedText.text(detail, dataDir));
  app.exit(1);
}
