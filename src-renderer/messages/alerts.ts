import type { AlertKind, AlertRecord } from '../../src-preload/alert.ts';
import { formatCount, formatCountdown, formatDay, formatMinute } from '../../src-preload/format.ts';
import { alertNames, alertSpan } from '../../src-preload/messages/alert.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { minuteText } from '../../src-preload/time-of-day.ts';
import { formatWhen } from './job/formats.ts';

/** The card with the alert rules of an endpoint, or of all. */
export const alertRulesText = {
  title: 'Alert rules',
  addRule: 'Add rule',
  addRuleShort: 'Rule',
  couldNotRead: (message: string): string => `Could not read the alert rules: ${message} ${stillWatching}`,
  history: 'History',
  none: 'No alert rules for this endpoint. Add one to be notified when its queue is stuck or its jobs fail.',
  conditionAt: (condition: string, endpoint: string): string => `${condition}, on ${endpoint}`,
  edit: (kind: AlertKind): string => `Edit ${alertNames[kind]}`,
};

const stillWatching = 'The rules keep watching.';

/** The state of a rule in its row, and its whole meaning in the tooltip. */
export const ruleStateText = {
  asOf: (readAtMs: number, nowMs: number) => ({
    text: `as of ${shortTime(readAtMs, nowMs)}`,
    meaning: 'It fired then; no reading since',
  }),
  /** `endpoints`: at how many it fires. */
  firing: (ms: number, endpoints: number) => ({
    text: `firing ${formatCountdown(ms)}${endpoints > 1 ? `, ${endpoints}x` : ''}`,
    meaning: 'How long it has been firing',
  }),
  off: { text: 'off', meaning: 'Switched off' },
  offHere: { text: 'off', meaning: 'Switched off here' },
  pending: (ms: number) => ({
    text: `since ${formatCountdown(ms)}`,
    meaning: 'The condition is met, but not for long enough yet',
  }),
  quiet: { text: 'quiet', meaning: 'It has not fired yet' },
  lastFired: (atMs: number, nowMs: number) => ({ text: shortTime(atMs, nowMs), meaning: 'Last fired then' }),
};

/** The dialog in which a rule is created or changed. */
export const ruleDialogText = {
  newTitle: 'New alert rule',
  form: 'Alert rule',
  deleted: (kind: AlertKind): string => `${alertNames[kind]} deleted`,
  couldNotRestore: (kind: AlertKind, message: string): string => `Could not restore ${alertNames[kind]}: ${message}`,
  allEndpointsOf: (connection: string): string => `All endpoints of ${connection}`,
  allEndpointsOfConnection: 'All endpoints of the connection',
  deleteRule: 'Delete rule',
  saveRule: 'Save rule',
  kind: 'Kind',
  watches: 'Watches',
  allEndpoints: 'All endpoints',
  onlyNoneIdle: 'Only while no worker is idle',
};

/** The fields of a rule, and what is wrong with their values. */
export const ruleFieldText = {
  jobsWaiting: 'Jobs waiting, more than',
  failedJobs: 'Failed jobs, more than',
  jobs: 'jobs',
  forSpan: 'For',
  within: 'Within',
  executionOver: 'Execution over',
  timesP95: 'times p95',
  noWorkerFor: 'No worker while jobs wait for',
  jobWaitsOver: 'A job waits longer than',
  needsCount: (min: number, max: number): string => `A whole number from ${min} to ${formatCount(max)}`,
  needsDuration: 'A duration, such as 90 s or 2 min',
  needsSpan: (minMs: number, maxMs: number): string => `From ${alertSpan(minMs)} to ${alertSpan(maxMs)}`,
  needsNumber: (min: number, max: number): string => `A number from ${min} to ${max}`,
};

/** What each kind of rule is for. */
export const kindHints: Readonly<Record<AlertKind, string>> = {
  'stuck-queue': 'Counts all jobs on the endpoint.',
  'failure-burst': 'Failed and timed-out jobs, by the endpoint’s counter and by the jobs tracked here.',
  'slow-runs': 'Runs tracked here, against the p95 of the newest 500. Needs 20 completed runs.',
  'no-worker': 'No worker is idle, running or starting.',
  'long-wait': 'Jobs tracked here, from the moment the service accepted them.',
};

const byHealth = (isWatched: boolean): string =>
  isWatched
    ? 'Checked about once a minute, whoever sent the jobs.'
    : `Checked only while your jobs run there or its health is open, because ${watchingIsOff}`;
const watchingIsOff = '“Watch all endpoints” is off in Settings.';
const byJobs = 'Based on jobs Jobdeck tracks. Jobs sent from elsewhere do not count unless you track them.';

/**
 * Which data each kind needs, so that the user does not rely on a rule at an endpoint whose data are not read.
 * `isWatched`: all endpoints are read, as the user chose.
 */
export function judgedBy(kind: AlertKind, isWatched: boolean): string {
  switch (kind) {
    case 'stuck-queue':
    case 'no-worker':
      return byHealth(isWatched);
    case 'failure-burst':
      return isWatched
        ? 'The counter is read about once a minute.'
        : `The counter is read only while your jobs run there or its health is open, because ${watchingIsOff}`;
    case 'slow-runs':
    case 'long-wait':
      return byJobs;
  }
}

/** The list of alerts that fired. */
export const alertHistoryText = {
  title: 'Alerts',
  titleOf: (endpoint: string): string => `Alerts of ${endpoint}`,
  couldNotRead: (message: string): string => `${message} ${stillWatching}`,
  empty: 'No alerts yet. Alerts are kept for a year.',
  firing: 'firing',
  showOlder: 'Show older ones',
};

/** `14:32` for today, otherwise the day. */
function shortTime(atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' ? formatMinute(atMs) : day;
}

/** When an alert fired and ended, and whether the end is exact. */
export function recordSpan({ firedAtMs, endedAtMs, isEndExact, lastSeenAtMs }: AlertRecord, nowMs: number): string {
  const from = formatWhen(firedAtMs, nowMs);
  if (endedAtMs === null) return `${from}, still firing`;
  if (!isEndExact)
    return `${from}, ended between ${formatWhen(lastSeenAtMs, nowMs)} and ${formatWhen(endedAtMs, nowMs)}`;
  return `${from} to ${formatWhen(endedAtMs, nowMs)}`;
}

/** What was seen, with the figures of the moment in which it fired. */
export function firedThenText({ text }: Pick<AlertRecord, 'text'>): string {
  return `${text}, when it fired`;
}

/** How the user was notified of an alert, or why not. */
export function deliveryText(
  { delivery, deliveredAtMs }: Pick<AlertRecord, 'delivery' | 'deliveredAtMs'>,
  nowMs: number,
): string {
  const at = deliveredAtMs === null ? '' : ` ${formatWhen(deliveredAtMs, nowMs)}`;
  switch (delivery) {
    case 'due':
      return 'sent within a minute';
    case 'held':
      return 'held during quiet hours';
    case 'gathered':
      return 'waits for the digest';
    case 'notified':
      return `notified${at}`;
    case 'in-digest':
      return `sent in a digest${at}`;
    case 'after-quiet-hours':
      return `held by quiet hours, sent${at}`;
    case 'muted':
      return 'not sent (muted)';
    case 'undisturbed':
      return 'not shown on the desktop (do not disturb)';
    case 'off':
      return 'not sent (notifications off)';
  }
}

/** The card's line about notifications. `isOff`: none of these rules notifies. */
export function notifyText({ quietHours, digest }: Pick<Settings, 'quietHours' | 'digest'>, isOff: boolean): string {
  if (isOff) return 'Notifications are off';
  const how = digest.isOn ? `Digest every ${digest.everyMinutes} min` : 'Notifies at most once a minute';
  return quietHours.isOn
    ? `${how}, quiet ${minuteText(quietHours.fromMinute)} to ${minuteText(quietHours.toMinute)}`
    : how;
}
