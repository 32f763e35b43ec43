import { app } from 'electron';
import { readLaunchInfo, type Activation } from './toast-activation.ts';

let launchInfo: unknown = null;

/**
 * Keeps the data of the notification click that launched Jobdeck on macOS. Must be called before the first `await`:
 * Electron passes it once, when the app is ready, long before the notification can be looked up.
 */
export function keepLaunchClick(): void {
  app.once('ready', (_event, info) => {
    launchInfo = info;
  });
}

/** The click that started Jobdeck. Returned once; null if it was started otherwise. */
export function takeLaunchClick(): Activation | null {
  const activation = readLaunchInfo(launchInfo);
  launchInfo = null;
  return activation;
}
