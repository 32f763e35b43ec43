import { app, BaseWindow } from 'electron';

/** The watch for the end of the user's session. */
export interface SessionEnd {
  /** To be called when the last window closed, and at a start without one. */
  noWindowIsOpen(): void;
}

/**
 * Windows reports the end of the user's session only to windows, so while none is open a hidden one without a page
 * listens. `end` is called when the session is certain to end. Before that another program may prevent it, and Jobdeck
 * would have stopped tracking in vain.
 */
export function careForSessionEnd(end: () => void): SessionEnd {
  if (process.platform !== 'win32') return { noWindowIsOpen: () => undefined };
  let listener: BaseWindow | null = null;
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', end);
    // Only when the other window exists: without any, Electron would report that the last window closed.
    window.once('show', () => {
      listener?.destroy();
      listener = null;
    });
  });
  return {
    noWindowIsOpen() {
      if (listener !== null) return;
      listener = new BaseWindow({ show: false });
      listener.on('session-end', end);
    },
  };
}
