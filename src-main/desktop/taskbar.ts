import { nativeImage, type BrowserWindow } from 'electron';
import { join } from 'node:path';
import type { TaskbarModel } from './taskbar-model.ts';

/** Draws it on the icon of `window`; where a system has no such thing, Electron does nothing. */
export function drawTaskbar(
  window: BrowserWindow,
  { progress, isPaused, overlay }: TaskbarModel,
  resourcesDir: string,
): void {
  window.setProgressBar(progress ?? -1, { mode: isPaused ? 'paused' : 'normal' });
  if (process.platform !== 'win32') return;
  const image =
    overlay === null ? null : nativeImage.createFromPath(join(resourcesDir, 'tray', `${overlay.icon}-on-light.ico`));
  window.setOverlayIcon(image, overlay?.description ?? '');
}

/** Removes it before `window` closes: dock and launcher show it on the app's icon, and would keep it. */
export function clearTaskbar(window: BrowserWindow): void {
  window.setProgressBar(-1);
}
