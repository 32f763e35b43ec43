import { nativeImage, type BrowserWindow } from 'electron';
import { join } from 'node:path';
import type { TaskbarModel } from './taskbar-model.ts';

/** Draws the model on the icon of `window`. Electron does nothing on systems without this feature. */
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

/** Clears it before `window` closes. Dock and launcher show it on the app's icon and would keep it. */
export function clearTaskbar(window: BrowserWindow): void {
  window.setProgressBar(-1);
}
