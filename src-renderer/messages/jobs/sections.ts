import { formatCount, formatCountdown } from '../../../src-preload/format.ts';
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
  oldestWait: (ms: number): string => `oldest wait ${formatCountdown(ms)}`,
  markSeen: (count: number): string => `Mark ${formatCount(count)} as seen`,
};

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long' });
const monthYearName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

/** `November`, or `November 2024` if that is not the year of `nowMs`. */
export function monthTitle(at: Date, nowMs: number): string {
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? monthName : monthYearName).format(at);
}
