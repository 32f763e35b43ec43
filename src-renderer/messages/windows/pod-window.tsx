import type { ReactNode } from 'react';
import { formatClock, formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** The window of a pod. */
export const podWindowText = {
  name: (pod: string): string => `${pod}, pod`,
  kind: 'Pod',
  part: 'This pod',
  pin: 'Pin',
  unpin: 'Unpin',
  refresh: 'Refresh',
  noRestUrl: 'This connection has no REST URL',
  notAnIdTitle: 'This is not a pod id',
  notAnIdHint: (problem: string): string => `${problem} Nothing was sent.`,
  identity: 'Identity',
  unread: 'Jobdeck has no data about this pod yet. It saves a pod as soon as it has read it.',
  stillStartingTitle: 'Still starting after ten minutes',
  stillStartingHint: 'The pod has no public address yet. Jobdeck stopped refreshing it.',
  keepRefreshing: 'Keep refreshing',
};

/** The status bar of a pod's window. */
export const podStatusText = {
  request: 'GET pods',
  answer: (httpStatus: number, tookMs: number): string => `${httpStatus} in ${formatCount(Math.round(tookMs))} ms`,
  fields: (count: number): string => formatCountOf(count, 'field'),
  changed: (fields: ReactNode, sinceMs: number): ReactNode => (
    <>
      {fields} changed since {formatClock(sinceMs)}
    </>
  ),
  nothingChanged: (sinceMs: number): string => `Nothing changed since ${formatClock(sinceMs)}`,
  reading: 'Reading',
  onRequest: 'Read on request, not polled',
  nextIn: (seconds: number): string => `Starting: next read in ${seconds} s`,
  noLongerRefreshed: 'Still starting, no longer refreshed',
  copyField: 'copy field',
  find: 'find',
};
