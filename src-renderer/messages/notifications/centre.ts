import { commonText } from '../common.ts';
import { formatCount, formatCountOf, formatDay } from '../../../src-preload/format.ts';
import type { StatusKind } from '../../../src-preload/job.ts';

export const centreText = {
  title: 'Notifications',
  list: 'All notifications',
  couldNotRead: (message: string): string => `Could not read the notifications: ${message}`,
  emptyTitle: 'Nothing to report yet',
  emptyHint: 'Jobs that end, alerts and refusals are listed here, even when your system shows no notification.',
  doNotDisturb: 'Do not disturb',
  markAllSeen: 'Mark all seen',
  allSeen: 'Everything has been seen',
  /** `jobs`: how many jobs, and rows of batches, were unseen. */
  allMarkedSeen: (jobs: number): string =>
    `All notifications marked as seen${jobs === 0 ? '' : `, with ${formatCountOf(jobs, 'job')}`}`,
  show: 'Show',
  unseenOnly: 'Unseen',
  noneOfKind: 'Nothing here passes the filter',
  showAll: 'Show all',
  settings: 'Notification settings',
  choose: 'Choose what to report',
  showOlder: 'Show older',
  limit: (max: number): string => `The newest ${formatCount(max)} are listed`,
  /** Before a title, for screen readers. */
  notSeen: 'Not seen: ',
};

/** The sections of the centre. */
export const sectionText = {
  ongoing: 'Still going on',
  day: (atMs: number, nowMs: number): string => {
    const day = formatDay(atMs, nowMs);
    return day === 'today' ? 'Earlier today' : `${day.charAt(0).toUpperCase()}${day.slice(1)}`;
  },
};

/** What the centre can be filtered by. */
export const centreKindNames = {
  all: 'All',
  failed: 'Failed',
  finished: 'Finished',
  alerts: 'Alerts',
  other: 'Other',
};

/** `4 failed within 5 min, when it fired.` Several alerts have a line each, with its time. */
export function whenFiredText(body: string): string {
  return body.includes('\n') ? body : `${body.replace(/\.$/, '')}, when it fired.`;
}

/** Several notifications that were shown as one. */
export const togetherText = {
  jobs: (count: number): string => `${formatCountOf(count, 'job')} ended`,
  notifications: (count: number): string => formatCountOf(count, 'notification'),
  digest: (what: string): string => `Digest: ${what}`,
  counts: (counts: readonly { count: number; word: string }[]): string =>
    counts.map(({ count, word }) => `${count} ${word}`).join(', '),
  showAll: (count: number): string => `Show all ${formatCount(count)}`,
};

/** How jobs of a status are counted: `3 failed`. */
export function endWord(kind: StatusKind): string {
  return endWords[kind] ?? 'ended';
}

const endWords: Readonly<Partial<Record<StatusKind, string>>> = {
  done: 'completed',
  fail: 'failed',
  timeout: 'timed out',
  cancel: 'cancelled',
  gone: 'gone',
  unknown: 'unknown',
};

/** What can be done about a notification. */
export const actionText = {
  showHealth: 'Show health',
  edit: commonText.resubmitWithEdits,
  mute: 'Mute this cause',
  check: 'Check now',
  open: 'Open job',
  stopWaiting: 'Stop waiting',
};
