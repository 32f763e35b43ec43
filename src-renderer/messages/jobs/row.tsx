import type { ReactNode } from 'react';
import { endpointName, type Endpoint } from '../../../src-preload/connection.ts';
import { formatClock, formatCountOf, formatIn, formatMinute } from '../../../src-preload/format.ts';
import { statusWord, type Job, type NotKnown, type PendingStream } from '../../../src-preload/job.ts';
import { markWord, type Mark } from '../../../src-preload/judgement.ts';

/** What the user said of a job, as its row and its header show it. */
export const judgementText = {
  marked: (mark: Mark): string => `Marked ${markWord(mark)}`,
  label: (label: string): string => `Label: ${label}`,
};

/**
 * The remark in the row of a job that the service does not know at the moment (ruling 34). `later`: what the next check
 * waits for, or null if it waits for its time alone.
 */
export function notKnownNote({ nextTryMs }: NotKnown, nowMs: number, later: string | null): string {
  return `not known right now, next check ${later ?? formatIn(nextTryMs - nowMs)}`;
}

/** The remark in the row of a job whose stream could not be read to its end yet (ruling 36). */
export function pendingStreamNote({ untilMs }: PendingStream): string {
  return `stream still being fetched, until ${formatMinute(untilMs)}`;
}

/** The pod on which a job ran. */
export const workerText = {
  open: 'Open worker',
};

/**
 * What is read aloud of a row. `unsettled`: what is still open about the job, or null. `asOfMs`: until when its state
 * is certain, or null.
 */
export function spokenRow(job: Job, endpoint: Endpoint, unsettled: string | null, asOfMs: number | null): string {
  const facts = [
    statusWord(job),
    unsettled,
    endpointName(endpoint),
    job.mark === undefined ? null : `marked ${markWord(job.mark)}`,
    job.label === undefined ? null : `label ${job.label}`,
    job.noteLine === undefined ? null : 'with a note',
    asOfMs === null ? null : `as of ${formatClock(asOfMs)}`,
  ];
  const row = job.batchRow === null ? '' : `Row ${job.batchRow}, `;
  return `${row}${job.title}, ${facts.filter((fact) => fact !== null).join(', ')}`;
}

/** The words in the columns of figures. */
export const figureWords = {
  waiting: 'waiting',
  sending: 'sending',
  'to-send': 'not sent',
  'too-large': 'too large',
  gone: 'gone',
};

/** The signs and short remarks of a row. */
export const rowText = {
  withNote: 'With a note',
  starred: 'Starred',
  lowPriority: 'low priority',
  /** In the place of the id that the service gives, as wide as its first eight characters. */
  noIdYet: '–',
  /** In the column of the time to live. */
  ttlOver: 'over',
  /** Nothing is known of the job since. */
  asOf: (age: ReactNode): ReactNode => <>as of {age} ago</>,
  cancelling: 'cancelling',
  willBeRetried: 'will be retried',
  notKnown: 'not known to the service right now',
  failed: 'failed',
  timedOut: 'execution limit',
  cancelled: 'cancelled',
  cancelledWhileQueued: 'cancelled while queued',
  purged: 'purged from the queue',
  gone: 'no longer on the server',
  probablyArrived: 'It probably arrived',
  sending: 'sending…',
  waitingToBeSent: 'waiting to be sent',
  chunks: (count: number): string => formatCountOf(count, 'chunk'),
  replyTooLarge: 'reply too large to read',
  noOutput: 'no output returned',
  outputDeleted: 'output deleted',
  saved: 'saved',
  onServer: (left: ReactNode): ReactNode => <>on server {left}</>,
};
