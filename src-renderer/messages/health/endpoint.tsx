import type { ReactNode } from 'react';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { formatAge, formatClock, formatCount, formatCountOf } from '../../../src-preload/format.ts';
import { dayAndClock, dayAndTime } from './figures.ts';

/** How serious a finding is. */
export const severityNames: Readonly<Record<Diagnosis['severity'], string>> = {
  critical: 'Critical',
  warning: 'Warning',
  notice: 'Notice',
};

/** What may be wrong with an endpoint. */
export const diagnosisText = {
  diagnosis: 'Diagnosis',
  mutedUntil: (untilMs: number, nowMs: number): string => `Findings are muted until ${dayAndTime(untilMs, nowMs)}`,
  mute: 'Mute for 1 h',
  unmute: 'Unmute',
  /** While alerts fire it does not say that all is well. */
  nothingFound: (firingAlerts: number): string =>
    firingAlerts === 0 ? 'No issues found' : `${formatCountOf(firingAlerts, 'alert')} firing; nothing else found`,
  judgedAt: (atMs: number): string => `as of ${formatClock(atMs)}`,
  since: (atMs: number, nowMs: number): string => `Since ${dayAndTime(atMs, nowMs)}.`,
  asOf: (atMs: number, nowMs: number): string => `As of ${dayAndClock(atMs, nowMs)}.`,
  evidence: 'Evidence',
  /** `Common cause: no worker available, or max workers reached.` */
  commonCause: (cause: string): string => `Common cause: ${cause.charAt(0).toLowerCase()}${cause.slice(1)}`,
  tryNext: 'What to try',
  showJobs: (count: number): string => `Show ${formatCountOf(count, 'tracked job')}`,
  waits: 'waits',
  runs: 'runs',
};

/** The endpoints of a connection, one per row. */
export const endpointRowsText = {
  endpoints: 'Endpoints',
  endpoint: 'Endpoint',
  queueAndWork: 'Queue and work',
  inQueue: 'In queue',
  inProgress: 'In progress',
  workers: 'Workers',
  p95Run: 'p95 run',
  finding: 'Finding',
  empty: 'This connection has no endpoints yet. Add one by its id in the sidebar.',
  noData: 'no data yet',
  /** `workers` counts the others: "0 idle, 2 throttled". */
  summary: (inQueue: number, inProgress: number, running: number, workers: string): string =>
    `${formatCount(inQueue)} in queue, ${formatCount(inProgress)} in progress, ${formatCount(running)} running, ` +
    workers,
  running: (count: number): string => `${formatCount(count)} running`,
  /** After the figures of an endpoint that was last read long before the others. */
  asOf: (ageMs: number): string => `, as of ${formatAge(ageMs)} ago`,
  mutedUntil: (untilMs: number, nowMs: number): string => `muted until ${dayAndTime(untilMs, nowMs)}`,
};

/** Where no finding is shown. While alerts fire it does not say that all is well. */
export function noFindingText(firingAlerts: number): string {
  return firingAlerts === 0 ? 'no issues found' : `${formatCountOf(firingAlerts, 'alert')} firing`;
}

/** How much of the rate limits is used. */
export const budgetText = {
  title: 'Request budget',
  meter: (operation: string, used: number, allowed: number, limit: number): string =>
    `${operation}: ${used} of ${allowed} used per 10 s, ${limit} allowed by the service`,
  figures: (used: number, allowed: number, limit: number): ReactNode => (
    <>
      <b>{formatCount(used)}</b> / {formatCount(allowed)} of {formatCount(limit)}
    </>
  ),
  nextIn: (seconds: number): string => `next in ${seconds} s`,
  /** `share` is our part of the limit, from 0 to 1. */
  note: (share: number): string =>
    `Used / our share of the limit per 10 s. Our share is ${Math.round(share * 100)}\u00a0% (1 purge). ` +
    'A 429 halves what Jobdeck sends; several in a row double the longest wait.',
};
