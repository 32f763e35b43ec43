import { sandboxRoute, trayRoute, type ResourceKind } from '../../src-preload/app.ts';

/**
 * What a window shows, read once from its address: the main window, the first run, the sandbox, one job, the health of
 * one endpoint or of all (null), or one resource.
 */
export type WindowKind =
  | { kind: 'main' }
  | { kind: 'onboarding' }
  | { kind: 'sandbox' }
  | { kind: 'tray' }
  | { kind: 'job'; jobKey: string }
  | { kind: 'health'; connectionId: string; endpointId: string | null }
  | { kind: ResourceKind; connectionId: string; id: string };

/** What this window shows. */
let here: WindowKind = { kind: 'main' };

/** Reads what this window shows, before anything is drawn. */
export function openRoute(route: string): WindowKind {
  here = readRoute(route);
  return here;
}

/** What this window is for. */
export function windowKind(): WindowKind['kind'] {
  return here.kind;
}

/** Whether this is the main window, which alone has the list and the panes. The first run becomes it. */
export function isMainWindow(): boolean {
  return here.kind === 'main' || here.kind === 'onboarding';
}

/** Reads a route (a location hash without the #). Anything unknown is the main window. */
export function readRoute(route: string): WindowKind {
  const job = /^\/job\/([^/]+)$/.exec(route);
  if (job?.[1] !== undefined) return { kind: 'job', jobKey: decodeURIComponent(job[1]) };
  const health = /^\/health\/([^/]+)(?:\/([^/]+))?$/.exec(route);
  if (health?.[1] !== undefined)
    return {
      kind: 'health',
      connectionId: decodeURIComponent(health[1]),
      endpointId: health[2] === undefined ? null : decodeURIComponent(health[2]),
    };
  const resource = /^\/(pod|template)\/([^/]+)\/([^/]+)$/.exec(route);
  if (resource !== null) {
    const [, kind, connectionId = '', id = ''] = resource;
    if (kind === 'pod' || kind === 'template')
      return { kind, connectionId: decodeURIComponent(connectionId), id: decodeURIComponent(id) };
  }
  if (route === trayRoute) return { kind: 'tray' };
  if (route === sandboxRoute) return { kind: 'sandbox' };
  // `readDestination` reads the destination within the main window (`/?job=KEY`).
  return route === '/onboarding' ? { kind: 'onboarding' } : { kind: 'main' };
}
