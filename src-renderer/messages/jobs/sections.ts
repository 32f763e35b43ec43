import { formatCount, formatCountdown, formatDuration } from '../../../src-preload/format.ts';
import type { StatusKind } from '../../../src-preload/job.ts';

type EndedKind = Exclude<StatusKind, 'queue' | 'run' | 'to-send'>;

const endedWords: Readonly<Record<EndedKind, string>> = {
  done: 'done',
  fail: 'failed',
  timeout: 'timed out',
  cancel: 'cancelled',
  gone: 'gone',
  unknown: 'unknown',
  orphaned: 'orphaned',
};

/**
 * Where the unfinished rows of a batch are, in its strip and in the head of its rows. "Active" is all of them, as
 * everywhere.
 */
export const batchRowWords = { atService: 'at the service', toSend: 'to send' };

/** The groups of the list, and what their heads say. */
export const sectionText = {
  active: 'Active',
  rows: 'Rows',
  lastHour: 'Last hour',
  today: 'Today',
  yesterday: 'Yesterday',
  lastWeek: 'Last week',
  ended: (kind: EndedKind, count: number): string => `${formatCount(count)} ${endedWords[kind]}`,
  justEnded: (count: number): string => `${formatCount(count)} just ended`,
  /** What the rows of a batch do, loaded or not: `237 at the service, 350 to send`. */
  unfinished: (atService: number, toSend: number): string =>
    [
      ...(atService === 0 ? [] : [`${formatCount(atService)} ${batchRowWords.atService}`]),
      ...(toSend === 0 ? [] : [`${formatCount(toSend)} ${batchRowWords.toSend}`]),
    ].join(', '),
  oldestWait: (ms: number): string => `oldest wait ${formatCountdown(ms)}`,
  /** On the line at the p95 of the times that the list is sorted by. */
  p95: ({ p95Ms, rows, areSlower }: { p95Ms: number; rows: number; areSlower: boolean }): string =>
    `p95 is ${formatDuration(p95Ms)}, ${areSlower ? `${formatCount(rows)} slower above` : 'slower below'}`,
  markSeen: (count: number): string => `Mark ${formatCount(count)} as seen`,
};

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long' });
const monthYearName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** `November`, or `November 2024` if that is not the year of `nowMs`. */
export function monthTitle(at: Date, nowMs: number): string {
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? monthName : monthYearName).format(at);
}
