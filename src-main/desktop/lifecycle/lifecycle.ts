import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { errorText } from '../../async/error-text.ts';
import type { Log } from '../../log.ts';
import { notStartedText } from '../../messages/desktop/crash.ts';
import { linkIn } from '../links/links.ts';
import { hiddenArgument } from '../system-settings/login-start.ts';

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
export function comeForwardWhenAsked(openMain: () => void, openLink: (link: string) => void): void {
  app.on('second-instance', (_event, argv) => {
    const link = linkIn(argv);
    if (link !== null) openLink(link);
    else if (!argv.includes(hiddenArgument)) openMain();
  });
  app.on('activate', () => openMain());
  // macOS reports links by this event, even before the app is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    openLink(link);
  });
}

export interface LifecycleParts {
  /** How many jobs have a result still to come. */
  liveJobs: () => number;
  /** Whether the window that closed last was the tray's popover, which does not count. */
  closedTrayLast: () => boolean;
  /** Called when no window is open and Jobdeck continues. */
  noWindowIsOpen: () => void;
  /** Notifies the user once that Jobdeck continues without a window. */
  notifyStillRunning: (liveJobs: number) => void;
  /** Resolves when everything in progress is on disk. */
  close: () => Promise<void>;
  /** True if a new version starts now and ends this process. */
  takeOver: () => boolean;
  log: Log;
}

/**
 * Ends the app when its last window closes and no job is live. While jobs are live it stays in the tray, so that no
 * result expires on the service unread (spec: Limits, retention). On macOS it always stays. Quitting waits until
 * everything is on disk.
 */
export function quitWhenClosed(parts: LifecycleParts): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  app.on('window-all-closed', () => {
    if (process.platform === 'darwin') return;
    const live = parts.liveJobs();
    if (!parts.closedTrayLast()) {
      if (live === 0) return app.quit();
      parts.notifyStillRunning(live);
    }
    parts.noWindowIsOpen();
  });
  // Not before-quit: the windows close between the two, and may still call and save their places.
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void parts
      .close()
      .catch((error: unknown) => parts.log.error('closing left something undone', { error }))
      .then(() => {
        state = 'closed';
        if (!parts.takeOver()) app.quit();
      });
  });
}

/** Shows that the app cannot start, and ends it. */
export function giveUp(thrown: unknown, dataDir: string): void {
  const detail = errorText(thrown);
  process.stderr.write(`${notStartedText.inTerminal(thrown instanceof Error ? (thrown.stack ?? detail) : detail)}\n`);
  dialog.showErrorBox(notStartedText.title, notStartedText.text(detail, dataDir));
  app.exit(1);
}
