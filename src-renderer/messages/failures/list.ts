import type { FailureCause, FailuresByWorker, Mute } from '../../../src-preload/failure-cause.ts';
import { formatAge, formatCount, formatCountOf, formatDay, formatDate } from '../../../src-preload/format.ts';

/** How failures are grouped by cause (src-main/history/failures/signature.ts). */
export const groupingRulesText = {
  open: 'Grouping rules',
  title: 'How failures are grouped',
  intro:
    'Jobs have the same cause if they failed at the same endpoint, at the same place in your code, and with the ' +
    'same message. These parts of a message are replaced by … before messages are compared:',
  kept: 'These parts stay, because they say what happened:',
  limits: 'All jobs that reached their execution timeout at an endpoint are one cause, whatever they reported.',
  fixed: 'The rules are the same for all endpoints and cannot be changed.',
};

/** The ignored parts of a message, with an example before and after. */
export const ignoredParts: readonly { part: string; message: string; becomes: string }[] = [
  { part: 'Addresses', message: 'Could not fetch https://files.example/a1.wav', becomes: 'Could not fetch …' },
  { part: 'Paths', message: 'No such file: /data/in/a1.wav', becomes: 'No such file: …' },
  { part: 'Ids', message: 'Worker uhbbfre73gqjwh stopped', becomes: 'Worker … stopped' },
  { part: 'Dates', message: 'Expired on 2026-11-03 09:12', becomes: 'Expired on …' },
  { part: 'Numbers', message: 'Tried to allocate 9.88 GiB', becomes: 'Tried to allocate … GiB' },
];

/** The parts that stay, with an example. */
export const keptParts: readonly { part: string; message: string }[] = [
  { part: 'Exit codes', message: 'Worker exited with code 137' },
  { part: 'Statuses', message: '503 Service Unavailable' },
];

/** The question how long a cause is muted, and why. */
export const muteDialogText = {
  title: 'Mute this cause',
  reason: 'Reason',
  reasonExample: 'Known, fixed in the next image',
  reasonHint: 'Shown with the cause while it is muted.',
  until: 'Until',
  untilRise: 'Until it rises again',
  untilRiseHint: 'More failures within 24 hours than in the 24 hours before now',
  untilDay: 'Until a date',
  untilUnmuted: 'Until I unmute it',
  day: 'Until the day begins',
  dayProblem: 'Enter a later day, such as 2026-12-31',
  mute: 'Mute',
};

/** How long a cause is muted, and why: `muted until 2026-12-01: known`. */
export function muteText({ untilMs, risesAbove, reason }: Mute): string {
  const until =
    untilMs !== null
      ? ` until ${formatDate(untilMs)}`
      : risesAbove === null
        ? ''
        : ` until more than ${formatCountOf(risesAbove, 'job')} fail within 24 hours`;
  return `muted${until}${reason === '' ? '' : `: ${reason}`}`;
}

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
