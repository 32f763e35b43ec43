import type { ReactNode } from 'react';
import type { Failure } from '../../../src-preload/failure.ts';
import { formatBytes, formatClock, formatCount, formatCountdown, formatCountOf } from '../../../src-preload/format.ts';

/** The title of a failed read. */
export function failureTitle(failure: Failure): string {
  switch (failure.kind) {
    case 'unauthorized':
      return failure.httpStatus === undefined
        ? 'Jobdeck did not ask for the pod'
        : `The service refused the key (${failure.httpStatus})`;
    case 'not-found':
      return `No such pod (${failure.httpStatus ?? 404})`;
    case 'rate-limited':
      return failure.httpStatus === undefined
        ? 'Waiting before the next read'
        : `Too many requests (${failure.httpStatus})`;
    case 'server':
      return `The service answered with an error (${failure.httpStatus ?? 500})`;
    case 'network':
      return 'Could not reach the service';
    case 'timeout':
      return 'The service did not answer in time';
    case 'malformed':
      return 'Could not read the reply';
    case 'invalid':
    case 'too-large':
      return 'The service rejected the request';
    case 'cancelled':
      return 'The read was stopped';
    case 'no-key':
      return 'No usable key for this connection';
    case 'refused':
    case 'absent':
      return 'Jobdeck did not ask for the pod';
    case 'storage':
      return 'Could not read the saved pods';
    case 'defect':
      return 'Something went wrong in Jobdeck';
  }
}

/** What can be done after a failed read, and what is still shown. */
export const readProblemText = {
  settings: 'Connection settings',
  notBefore: (waitMs: number): string => `Next read possible in ${formatCountdown(waitMs)}`,
  reading: 'Reading',
  readAgain: 'Read again',
  readAgainIn: (waitMs: number): ReactNode => (
    <>
      Read again in <span className="num">{formatCountdown(waitMs)}</span>
    </>
  ),
  showReply: 'Show the reply',
  hideReply: 'Hide the reply',
  serviceSaid: (text: string): string => `The service said: ${text}`,
  shownBelow: (readAtMs: number): string => `What was read at ${formatClock(readAtMs)} stays below.`,
};

/** Shown for a connection without a REST URL. */
export const noRestUrlText = {
  add: 'Add the REST URL',
  hint: 'Pods and templates are read from the management interface, which has its own address. Nothing was sent.',
};

export const requestText = {
  panel: 'Request and reply',
  title: 'Request',
  copyCurl: 'Copy as cURL',
  curlCopied: 'cURL copied without the key',
  line: 'Request line',
  none: 'none',
  fields: (count: number): string => formatCountOf(count, 'field'),
  plans: (count: number): string => formatCountOf(count, 'plan'),
  workers: (count: number): string => formatCountOf(count, 'worker'),
};

export const replyText = {
  title: 'Reply',
  none: 'no reply yet',
  figures: (tookMs: number, bytes: number): string => `${formatCount(Math.round(tookMs))} ms, ${formatBytes(bytes)}`,
  search: 'Search the reply',
  searchField: 'Search in the reply',
  copy: 'Copy the reply, env values hidden',
  json: 'Reply JSON, env values hidden',
  matches: (count: number): string => formatCountOf(count, 'match', 'matches'),
};
