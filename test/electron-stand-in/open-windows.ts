import type { BrowserWindow } from './browser-window.ts';
import type { FromPage } from './page/words.ts';
import type { WebContents } from './web-contents.ts';

/** The app's listener for windows that open and close. */
export interface WindowLife {
  created(window: BrowserWindow): void;
  contentsCreated(contents: WebContents): void;
  focused(window: BrowserWindow): void;
  blurred(window: BrowserWindow): void;
  /** A listener of `close` prevented it, so the app no longer quits. */
  closeCancelled(): void;
  closed(): void;
  processGone(contents: WebContents, details: object): void;
  key(window: BrowserWindow, word: Extract<FromPage, { type: 'key' }>): void;
}

const open = new Map<number, BrowserWindow>();
let focusedId: number | null = null;
let life: WindowLife | null = null;

/** Registers the app's listener for all windows. */
export function onWindowLife(listener: WindowLife): void {
  life = listener;
}

/** All open windows, and which of them has the focus. The app's listener is called for each change. */
export const openWindows = {
  all: (): BrowserWindow[] => [...open.values()],
  byId: (id: number): BrowserWindow | null => open.get(id) ?? null,
  focused: (): BrowserWindow | null => (focusedId === null ? null : (open.get(focusedId) ?? null)),
  hasFocus: (id: number): boolean => focusedId === id,

  add(window: BrowserWindow): void {
    open.set(window.id, window);
    // Synchronously, as in Electron: protection installed by web-contents-created must be there before the first load.
    emitContentsCreated(window.webContents);
    life?.created(window);
  },
  /** Removes a window before its end is reported, so that it no longer counts as open then. */
  remove(id: number): void {
    open.delete(id);
    if (focusedId === id) focusedId = null;
  },
  pressKey(window: BrowserWindow, word: Extract<FromPage, { type: 'key' }>): void {
    life?.key(window, word);
  },

  /** Gives the focus to a window, after removing it from the one that had it. */
  focus(window: BrowserWindow): void {
    if (focusedId === window.id) return;
    const before = openWindows.focused();
    focusedId = window.id;
    if (before !== null) emitBlurred(before);
    emitSoon(window, () => {
      life?.focused(window);
      window.emit('focus', {});
    });
  },
  blur(window: BrowserWindow): void {
    if (focusedId !== window.id) return;
    focusedId = null;
    emitBlurred(window);
  },
};

/** Reports new contents to the app, of a window or of none. */
export function emitContentsCreated(contents: WebContents): void {
  life?.contentsCreated(contents);
}

/** Reports to the app that the process of some contents is gone. */
export function emitProcessGone(contents: WebContents, details: object): void {
  life?.processGone(contents, details);
}

/** A window was destroyed, of either kind. After the last one the app is asked at once (window_list.cc: RemoveWindow). */
export function reportClosed(): void {
  life?.closed();
}

/** A listener kept a window open (native_window.cc: NotifyWindowCloseButtonClicked). */
export function reportCloseCancelled(): void {
  life?.closeCancelled();
}

function emitBlurred(window: BrowserWindow): void {
  emitSoon(window, () => {
    life?.blurred(window);
    window.emit('blur', {});
  });
}

/**
 * In a later turn, and not at all if the window is destroyed by then (electron_api_base_window.cc: OnWindowBlur uses
 * EmitEventSoon, and OnWindowClosed drops what waits). The app's listeners come first (Electron’s lib/browser/api/browser-window: _init).
 */
function emitSoon(window: BrowserWindow, emit: () => void): void {
  setImmediate(() => {
    if (!window.isDestroyed()) emit();
  });
}
