/**
 * Chromium refuses to navigate to a scheme it does not know, so the app's own scheme is served at an https origin
 * through request interception. The app reads its origin from `JOBDECK_APP_ORIGIN`, which `run.ts` sets.
 */
export const appOrigin = 'app://jobdeck';
export const standInOrigin = 'https://app.localhost';

/** The address Chromium is sent to for an address of the app. */
export function toBrowserUrl(url: string): string {
  return isUnder(url, appOrigin) ? standInOrigin + url.slice(appOrigin.length) : url;
}

/** The address the app's protocol handler expects for an address Chromium asked for. */
export function toAppUrl(url: string): string {
  return isUnder(url, standInOrigin) ? appOrigin + url.slice(standInOrigin.length) : url;
}

function isUnder(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}
