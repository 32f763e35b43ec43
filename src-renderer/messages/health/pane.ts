import { formatAge, formatCount } from '../../../src-preload/format.ts';
import { dayAndClock } from './figures.ts';

/** The pane's parts, for screen readers and as `crashText.couldNotShow` names them. */
export const healthPartText = {
  pane: 'Health',
  allAlertRules: 'Alert rules of all endpoints',
  limitsAndActions: 'Limits and actions',
  alertRules: 'Alert rules',
  budget: 'Request budget',
  charts: 'The charts',
  costs: 'Costs',
  counters: 'Completed, failed and retried',
  diagnosis: 'The diagnosis',
  endpoints: 'The endpoints',
  figures: 'The figures',
  purge: 'Purge queue',
  rates: 'The rates',
  timings: 'Delay and execution',
};

/** The head of the pane: the endpoint, and how its figures are read. */
export const healthHeadText = {
  allEndpoints: 'All endpoints',
  endpoint: (name: string): string => `Endpoint: ${name}`,
  copyId: 'Copy endpoint id',
  inQueue: (count: number): string => `${formatCount(count)} in queue`,
  isLive: 'Updates every 5 s, stored locally',
  noData: 'No data yet',
  /** `Offline, as of 14:32:07, 40 s ago`. */
  asOf: (atMs: number, nowMs: number, why: string | null): string =>
    `${why === null ? 'As' : `${why}, as`} of ${dayAndClock(atMs, nowMs)}, ${formatAge(nowMs - atMs)} ago`,
};

/** Why no figures are read now. */
export const notReadText = {
  offline: 'Offline',
  keyRefused: (httpStatus: number): string => `Key refused (${httpStatus})`,
  noKey: 'No key',
  sandboxStopped: 'Sandbox stopped',
  paused: 'Polling paused',
  healthRefused: (httpStatus: number): string => `Health refused (${httpStatus})`,
  unread: 'Could not read health',
};

/** What is shown before there are readings, and instead of them. */
export const healthStateText = {
  neverSampledTitle: 'No data yet',
  neverSampled:
    'Queue, workers and rates appear here once Jobdeck has read the endpoint’s health: every 5 s while this is open, ' +
    'and while it tracks jobs there. The data stays on this computer.',
  noneSampledTitle: 'No data yet',
  noneSampled:
    'Totals and charts for all endpoints appear here once Jobdeck has read their health: every 5 s while this is ' +
    'open, and while it tracks jobs there.',
  unreadTitle: 'Could not read health',
  unread: (why: string): string => `${why} Jobdeck tries again while this is open, at least once a minute.`,
  readNow: 'Read now',
  notResponding: 'The connection is not responding',
  isReading: 'Reading…',
  failedTitle: 'Could not read saved health data',
  failed: (why: string): string => `${why} New readings still arrive, and the saved data is unchanged.`,
  nothingRead: 'The service returned no health. Check the connection in Settings to see its answer.',
};

/** The time spans of the charts, for their buttons and in a sentence: "over the last hour". */
export const rangeText = {
  range: 'Range',
  longer: 'Longer ranges',
  '15m': { label: '15 min', phrase: 'the last 15 minutes' },
  '1h': { label: '1 h', phrase: 'the last hour' },
  '6h': { label: '6 h', phrase: 'the last 6 hours' },
  '24h': { label: '24 h', phrase: 'the last 24 hours' },
  '7d': { label: '7 d', phrase: 'the last 7 days' },
  '30d': { label: '30 d', phrase: 'the last 30 days' },
  '1y': { label: '1 y', phrase: 'the last year' },
};
