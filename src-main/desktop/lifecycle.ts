import { app } from 'electron';

/** False where another Jobdeck already runs over the same data: that one comes forward and this one ends. */
export function keepOneInstance(): boolean {
  const isFirst = app.requestSingleInstanceLock();
  if (!isFirst) app.quit();
  return isFirst;
}

export interface LifecycleParts {
  openMain: () => void;
  /** Jobs whose results are still to come. */
  liveJobs: () => number;
  /** Says once that Jobdeck goes on without a window. */
  tellStaying: (liveJobs: number) => void;
  /** Resolves when everything under way is on disk. */
  close: () => Promise<void>;
}

/**
 * Ends the app when its last window closes and nothing is live; while jobs are live it stays in the tray, so that no
 * result leaves the service unread (spec: retention). macOS keeps it in any case. Quitting waits for the disk.
 */
export function quitWhenClosed(parts: LifecycleParts): void {
  let state: 'running' | 'closing' | 'closed' = 'running';
  app.on('second-instance', parts.openMain);
  app.on('activate', parts.openMain);
  app.on('window-all-closed', () => {
    if (process.platform === 'darwin') return;
    const live = parts.liveJobs();
    if (live === 0) app.quit();
    else parts.tellStaying(live);
  });
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void parts.close().catch(() => undefined).then(() => {
      state = 'closed';
      app.quit();
    });
  });
}
