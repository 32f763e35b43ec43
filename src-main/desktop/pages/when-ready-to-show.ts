/** What is needed of Electron's window. */
interface ShowableWindow {
  once(event: 'ready-to-show', run: () => void): unknown;
  isDestroyed(): boolean;
}

/**
 * Calls `run` once the window's page is drawn, unless the window was closed before: Electron sends the event in a later
 * turn than it draws, and calls of a window that is gone throw.
 */
export function whenReadyToShow(window: ShowableWindow, run: () => void): void {
  window.once('ready-to-show', () => {
    if (!window.isDestroyed()) run();
  });
}
