import { app, BrowserWindow } from 'electron';
import { restartOptions } from '../system-settings/start-arguments.ts';

/** Makes Electron start Jobdeck again when this process has ended. */
export function startAgainAtTheEnd(): void {
  startAgain(BrowserWindow.getAllWindows().some((window) => !window.isDestroyed() && window.isVisible()));
}

/**
 * For second starts of Jobdeck while this one is ending, when a window would be closed at once: the first of them makes
 * Electron start Jobdeck again, with a window, when this process has ended. The returned function takes its link.
 */
export function startAgainOnSecondStart(): (link?: string) => void {
  let hasBegun = false;
  return (link) => {
    // Each call would start one more.
    if (hasBegun) return;
    hasBegun = true;
    startAgain(true, link);
  };
}

function startAgain(isShown: boolean, link?: string): void {
  const { args, ...options } = restartOptions({ argv: process.argv, appImage: process.env['APPIMAGE'], isShown });
  app.relaunch({ ...options, args: link === undefined ? args : [...args, link] });
}
