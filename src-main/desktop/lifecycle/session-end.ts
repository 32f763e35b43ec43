import { app, BaseWindow, type BrowserWindow } from 'electron';

/** The watch for the end of the user's session. */
export interface SessionEnd {
  /** To be called when the last window closed, and at a start without one. */
  noWindowIsOpen(): void;
}

export interface SessionEndParts {
  /** Writes, before it returns, what is otherwise written when a window closes. */
  save: () => void;
  /** Ends Jobdeck cleanly, as far as there is time. */
  end: () => void;
}

/**
 * Windows reports the end of the user's session only to windows, so while none is open a hidden one without a page
 * listens. `save` is called when the system asks whether the session may end and when it is certain to end; `end` only
 * when it is certain: until then another program may prevent it, and Jobdeck would no longer track jobs. The process
 * may be gone as soon as these have returned, so whatever they leave for later may not happen.
 */
export function saveAtSessionEnd({ save, end }: SessionEndParts): SessionEnd {
  if (process.platform !== 'win32') return { noWindowIsOpen: () => undefined };
  let listener: BaseWindow | null = null;
  const listen = (window: BaseWindow | BrowserWindow): void => {
    window.on('query-session-end', save);
    window.on('session-end', () => {
      save();
      end();
    });
  };
  app.on('browser-window-created', (_event, window) => {
    listen(window);
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
      listen(listener);
    },
  };
}
