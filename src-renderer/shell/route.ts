import { sandboxRoute } from '../../src-preload/app.ts';

/** What this window is for, read once from its address: the main window, the first run, the sandbox, or one job. */
export type WindowKind = { kind: 'main' } | { kind: 'onboarding' } | { kind: 'sandbox' } | { kind: 'job'; jobKey: string };

/** Reads a route (a location hash without the #). Anything unknown is the main window. */
export function readRoute(route: string): WindowKind {
  const job = /^\/job\/([^/]+)$/.exec(route);
  if (job?.[1] !== undefined) return { kind: 'job', jobKey: decodeURIComponent(job[1]) };
  if (route === sandboxRoute) return { kind: 'sandbox' };
  // The main window's own destination (`/?job=KEY`) is read by `readDestination`.
  return route === '/onboarding' ? { kind: 'onboarding' } : { kind: 'main' };
}
