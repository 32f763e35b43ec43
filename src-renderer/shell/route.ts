import { sandboxRoute } from '../../src-preload/app.ts';
import type { ResourceKind } from '../../src-preload/app.ts';

/** What this window is for, read once from its address: the main window, the first run, the sandbox, one job, or one resource. */
export type WindowKind = { kind: 'main' } | { kind: 'onboarding' } | { kind: 'sandbox' } | { kind: 'job'; jobKey: string } | { kind: ResourceKind; connectionId: string; id: string };

/** Reads a route (a location hash without the #). Anything unknown is the main window. */
export function readRoute(route: string): WindowKind {
  const job = /^\/job\/([^/]+)$/.exec(route);
  if (job?.[1] !== undefined) return { kind: 'job', jobKey: decodeURIComponent(job[1]) };
  const resource = /^\/(health|pod|template)\/([^/]+)\/([^/]+)$/.exec(route);
  if (resource !== null) {
    const [, kind, connectionId = '', id = ''] = resource;
    if (kind === 'health' || kind === 'pod' || kind === 'template') return { kind, connectionId: decodeURIComponent(connectionId), id: decodeURIComponent(id) };
  }
  if (route === sandboxRoute) return { kind: 'sandbox' };
  // The main window's own destination (`/?job=KEY`) is read by `readDestination`.
  return route === '/onboarding' ? { kind: 'onboarding' } : { kind: 'main' };
}
