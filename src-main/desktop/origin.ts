import { app } from 'electron';
import { isUnderOrigin } from './addresses.ts';

/** The scheme the packaged windows load from. */
export const appScheme = 'app';

/**
 * The one origin whose frames may use the bridge. Development servers and the Electron stand-in name theirs
 * through the environment; a packaged app listens to neither.
 */
export function trustedOrigin(): string {
  const named = app.isPackaged
    ? undefined
    : (process.env['ELECTRON_RENDERER_URL'] ?? process.env['JOBDECK_APP_ORIGIN']);
  return (named ?? `${appScheme}://jobdeck`).replace(/\/+$/, '');
}

/** True for an address of our own pages. */
export function isTrustedUrl(url: string): boolean {
  return isUnderOrigin(url, trustedOrigin());
}
