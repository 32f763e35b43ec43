import type { ConnectionState, KeyStorage } from './connection.ts';
import type { ClockSetting } from './forward-time.ts';

/** A message that belongs to no job: a damaged database was set aside, or a key is kept for this session only. */
export interface Notice {
  id: string;
  tone: 'info' | 'warning' | 'error';
  title: string;
  text: string;
  atMs: number;
  /** A folder or file to show, or null. */
  path: string | null;
}

/** What is done before any other call is answered. The list appears automatically afterwards. */
export type Preparation = HistoryPreparation | { kind: 'sandbox' };

/** What is done to the history before it is open. */
export interface HistoryPreparation {
  /**
   * `upgrade`: a former version of Jobdeck wrote it. `check`: it is damaged and too large to be checked at every start.
   */
  kind: 'upgrade' | 'check';
  /** How many jobs are saved. Null if they cannot be counted. */
  jobs: number | null;
}

export interface AppInfo {
  version: string;
  /** `stand-in` when the Electron stand-in shows the windows. */
  runtime: 'electron' | 'stand-in';
  platform: 'darwin' | 'win32' | 'linux';
  keyStorage: KeyStorage;
  notices: Notice[];
}

/** A connection of which something is known since the start. */
export interface ReachedConnection {
  connectionId: string;
  state: ConnectionState;
  /** When the service last answered a request that it accepted. Null before the first such answer. */
  lastSyncAtMs: number | null;
}

/** What the tracker does now, for the sidebar and the status bar. */
export interface TrackerState {
  /** The engine's time. Windows show ages by it. */
  nowMs: number;
  /** When that was set ahead since Jobdeck started: what is judged by it is judged without that. */
  clockSettings: readonly ClockSetting[];
  isPaused: boolean;
  /** How many live jobs of all connections are tracked. */
  tracked: number;
  waitingToSend: number;
  outcomeUnknown: number;
  /** Jobs of removed connections, which are not tracked. */
  orphans: number;
  /** When the next request is planned. Null if no job is active. */
  nextStatusReadAtMs: number | null;
  connections: ReachedConnection[];
  /**
   * Operations of endpoints that the service refuses to this key, while the rest of the connection works (ruling 35).
   */
  closures: Closure[];
  /** Requests of the last ten seconds and what may be spent, for each endpoint and operation in use (ruling 21). */
  budgets: Budget[];
}

/**
 * One operation of one endpoint that was answered 401 or 403. It is retried automatically, and reopened when a request
 * is accepted.
 */
export interface Closure {
  connectionId: string;
  endpointId: string;
  operation: string;
  httpStatus: number;
  /** Path of the request that was refused. */
  path: string;
  /** The service's own message, or null. */
  serviceSaid: string | null;
  sinceMs: number;
  /** When it is tried again. Null while a try is in progress. */
  nextTryMs: number | null;
}

export interface Budget {
  connectionId: string;
  endpointId: string;
  operation: string;
  spent: number;
  allowed: number;
  /** The service's own base limit. */
  limit: number;
  /** Set while a 429 or an outage delays this operation (ruling 10). */
  heldUntilMs: number | null;
  /** Since when; null where it is not held. */
  heldSinceMs: number | null;
  /** The step of the back-off. 0 without one. */
  backoffStep: number;
  reason: string | null;
}

/** The routes of windows (location hash without the #). */
export type Route =
  | '/'
  | `/job/${string}`
  | '/onboarding'
  | typeof sandboxRoute
  | typeof trayRoute
  | `/health/${string}`
  | `/${ResourceKind}/${string}/${string}`;

/** What has a window of its own apart from jobs, the sandbox and health: a pod or a template. */
export type ResourceKind = 'pod' | 'template';

/** The route of the sandbox's own window. */
export const sandboxRoute = '/sandbox';

/** The route of the tray's popover. */
export const trayRoute = '/tray';

/** The route of a job's own window. `readRoute` reads it. */
export function jobRoute(key: string): Route {
  return `/job/${encodeURIComponent(key)}`;
}

/** The route of a health window: of one endpoint or, with null, of all endpoints of the connection together. */
export function healthRoute(connectionId: string, endpointId: string | null): Route {
  const all: Route = `/health/${encodeURIComponent(connectionId)}`;
  return endpointId === null ? all : `${all}/${encodeURIComponent(endpointId)}`;
}

/** The route of the window of a pod or a template, by connection and its id there. */
export function resourceRoute(kind: ResourceKind, connectionId: string, id: string): Route {
  return `/${kind}/${encodeURIComponent(connectionId)}/${encodeURIComponent(id)}`;
}
