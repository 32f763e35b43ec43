/**
 * Chromium refuses to navigate to an unknown scheme, so the app's own scheme is served at an https origin through
 * request interception. The app reads its origin from `JOBDECK_APP_ORIGIN`, which `run.ts` sets.
 */
export const appOrigin = 'app://jobdeck';
export const standInOrigin = 'https://app.localhost';

/** Chromium's address for an address of the app. */
export function toBrowserUrl(url: string): string {
  return isUnder(url, appOrigin) ? standInOrigin + url.slice(appOrigin.length) : url;
}

/** The address that the app's protocol handler expects for an address that Chromium requested. */
export function toAppUrl(url: string): string {
  return isUnder(url, standInOrigin) ? appOrigin + url.slice(standInOrigin.length) : url;
}

function isUnder(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}
