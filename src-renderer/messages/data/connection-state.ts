import type { ConnectionState } from '../../../src-preload/connection.ts';
import { formatCount, formatCountOf, formatIn, formatMinute } from '../../../src-preload/format.ts';
import { nextTryText } from './closures.ts';

type Obstacle = Exclude<ConnectionState['kind'], 'ready'>;

/** Whether the connection answers, in the status bar and in the popover. */
export const onlineWords = {
  ready: 'Online',
  paused: 'Paused',
  offline: 'Offline',
  'key-refused': 'Key refused',
  'no-key': 'No key',
  'sandbox-stopped': 'Sandbox stopped',
  none: 'No connection',
};

/** When requests that are held back now are sent again: the end of a sentence. */
export const whenSentAgainText: Readonly<Record<Obstacle | 'paused' | 'sandbox-stopped' | 'removed', string>> = {
  paused: 'when polling resumes',
  offline: 'when the service is reachable',
  'no-key': 'when the connection has a key',
  'key-refused': 'when the service accepts the key again',
  'sandbox-stopped': 'when the sandbox runs',
  removed: 'when its connection is back',
};

/** While jobs in view are checked every second or two, the time until the next check would only flicker. */
const soonMs = 2_000;
/** The engine reports its plan once a second. A check that is due may have been made since the last report. */
const overdueMs = 3_000;

/** The sidebar's card about polling. */
export const pollingText = {
  starting: 'Starting',
  readingHistory: 'Reading the history',
  paused: 'Polling paused',
  /** `polled`: the jobs at the service. Those that wait to be sent are active too. */
  pausedByYou: (polled: number): string => (polled > 0 ? `${formatCountOf(polled, 'job')} not checked` : 'by you'),
  stopped: 'Polling stopped',
  sandboxStopped: 'Sandbox stopped',
  /** `Offline, next try in 14 s`. `nextTryMs` is null while it is not known. */
  offline: (nextTryMs: number | null, nowMs: number): string =>
    nextTryMs === null ? 'Offline' : `Offline, ${nextTryText(nextTryMs, nowMs)}`,
  keyRefused: (httpStatus: number): string => `Key refused (${httpStatus})`,
  noKey: 'No key saved',
  idle: 'Polling idle',
  noneToPoll: 'No jobs at the service',
  polling: (polled: number): string => `Polling ${formatCountOf(polled, 'job')}`,
  /** `nextTryMs` is null while a try is in progress. */
  nextTry: (nextTryMs: number | null, nowMs: number): string =>
    nextTryMs === null || nextTryMs <= nowMs ? 'Trying now' : `Next try ${formatIn(nextTryMs - nowMs)}`,
  nextCheck: (atMs: number | null, nowMs: number): string => {
    if (atMs === null) return 'Waiting for updates';
    const ms = atMs - nowMs;
    if (ms < -overdueMs) return 'Checking now';
    return ms < soonMs ? `Next check within ${soonMs / 1000} s` : `Next check in ${Math.ceil(ms / 1000)} s`;
  },
};

/** The budget of requests in the status bar. */
export const budgetText = {
  /** `share`: the part of the limits that is used, up to 1. */
  why: (share: number): string =>
    'The service’s limits are shared with everything else that uses this key, so Jobdeck uses at most ' +
    `${Math.round(share * 100)} % of them. Sent in the last 10 s / Jobdeck’s share of the service’s limit:`,
  name: (operation: string, endpoint: string): string => `${operation}, ${endpoint}`,
  spent: (spent: number, allowed: number, limit: number): string =>
    `${formatCount(spent)} / ${formatCount(allowed)} of ${formatCount(limit)}`,
  /** `left`: what a 429 left of the share, up to 1. */
  slowedTo: (left: number): string => `slowed to ${Math.max(1, Math.round(left * 100))} %`,
  slowed:
    'Slowed: the service answered 429, so Jobdeck uses less of its share there. It recovers by 1 % a second without ' +
    'another 429.',
  usedUp: (names: readonly string[], others: number): string =>
    `Used up: ${names.join('; ')}${others === 0 ? '' : ` and ${formatCount(others)} more`}. ` +
    'New requests there wait a few seconds.',
  tooMany: 'The service answered 429',
  held: (reason: string, operation: string, leftMs: number): string =>
    `${reason}. Next ${operation} in ${Math.max(1, Math.ceil(leftMs / 1000))} s.`,
};

/** What an endpoint is doing: in its row of the sidebar. */
export const endpointText = {
  notChecked: 'not checked yet',
  notRead: 'no jobs of yours',
  asOf: (readAtMs: number): string => `as of ${formatMinute(readAtMs)}`,
  ofUnknownStatus: (count: number): string => `${formatCount(count)} of unknown status`,
  scaledToZero: 'scaled to zero',
  starting: (workers: number): string => `${formatCount(workers)} starting`,
  running: (jobs: number): string => `${formatCount(jobs)} running`,
  idleWorkers: (workers: number): string => `${formatCount(workers)} idle`,
};
