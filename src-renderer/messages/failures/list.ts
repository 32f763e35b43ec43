import type { FailureCause, FailuresByWorker } from '../../../src-preload/failure-cause.ts';
import { formatAge, formatCount, formatCountOf, formatDay } from '../../../src-preload/format.ts';
import { muteText } from './mute.ts';

/** The pane: its filter, and what it shows instead of causes. */
export const failuresText = {
  causes: 'Causes',
  couldNotRead: 'Could not read the failures',
  filter: 'Filter causes',
  filterHint: 'Message or endpoint',
  groupBy: 'Group by',
  time: 'Time',
  noMatchTitle: 'No cause matches',
  noMatch: (typed: string, causes: number): string =>
    `“${typed}” is in no message, frame or endpoint of ${formatCountOf(causes, 'cause')}.`,
  clearFilter: 'Clear the filter',
  sortingTitle: 'Sorting failures by their cause',
  sorting: (jobs: number): string => `${formatCountOf(jobs, 'failed job')} left to sort.`,
  noneTitle: 'No failures in this period',
  none: 'Failed jobs are grouped here by what their errors have in common.',
};

/** The periods to choose from, by their days. */
export const spanNames: Readonly<Record<'1' | '7' | '30', string>> = { '1': 'Today', '7': '7 days', '30': '30 days' };

/** The same periods as the head of the trends. */
export const periodNames: Readonly<Record<'1' | '7' | '30', string>> = {
  '1': 'Today',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
};

export const groupingNames: Readonly<Record<'cause' | 'endpoint' | 'worker', string>> = {
  cause: 'Cause',
  endpoint: 'Endpoint',
  worker: 'Worker',
};

/** The list of the causes. */
export const causesText = {
  list: 'Causes of failures',
  cause: 'Cause',
  jobs: 'Jobs',
  last: 'Last',
  muted: 'Muted',
  mutedNote: 'still counted, never notify',
  mutedList: 'Muted causes',
  groupingNote: 'Numbers, ids, paths and addresses in a message are ignored when causes are grouped.',
  sortingNote: (jobs: number): string => `${formatCountOf(jobs, 'more job')} being sorted.`,
  countedNote: ({ counted, total }: FailuresByWorker): string =>
    `Workers are counted over the newest ${formatCount(counted)} of ${formatCountOf(total, 'failure')}.`,
  onWorker: (workerId: string | null, endpoint: string): string =>
    `${workerId ?? 'Worker not reported'} on ${endpoint}`,
  groupOf: (title: string, jobs: number): string => `${title}, ${formatCountOf(jobs, 'job')}`,
};

/** What stands out about a cause. */
export const signNames: Readonly<Record<'new' | 'rising', string>> = { new: 'new', rising: 'rising' };

/** A row's details: since when the cause is known, or how long it is muted. */
export function causeAbout({ firstAtMs, mute }: FailureCause, nowMs: number): string {
  return mute === null ? `first seen ${formatDay(firstAtMs, nowMs)}` : muteText(mute);
}

/** A row for screen readers. */
export function causeRowText(
  { message, jobs, lastAtMs, mute }: FailureCause,
  { endpoint, sign, nowMs }: { endpoint: string; sign: 'new' | 'rising' | null; nowMs: number },
): string {
  return [
    message,
    formatCountOf(jobs, 'job'),
    endpoint,
    `last ${formatAge(nowMs - lastAtMs)} ago`,
    ...(sign === null ? [] : [signNames[sign]]),
    ...(mute === null ? [] : [muteText(mute)]),
  ].join(', ');
}

/** The user's own stack frame closest to the error. */
export function frameText(frame: string): string {
  return `in ${frame}`;
}
