import {
  formatAge,
  formatBytes,
  formatClock,
  formatCountOf,
  formatCountdown,
  formatDuration,
  formatTimes,
} from '../../../src-preload/format.ts';
import type { StatusKind } from '../../../src-preload/job.ts';
import { formatLimit } from './formats.ts';

/** The words of both forms of the timeline. */
export const timelineText = {
  timeline: 'Timeline',
  queued: 'Queued',
  running: 'Running',
  ended: 'Ended',
  notSavedYet: 'Not saved yet',
};

/** The timeline above a job's output: captions below the lane, and what is saved. */
export const stripText = {
  done: 'Done',
  ofTimeout: (limitMs: number): string => `of ${formatLimit(limitMs)} execution timeout`,
  ofLimit: (limitMs: number): string => `of ${formatLimit(limitMs)}`,
  atMost: (limitMs: number): string => `at most ${formatLimit(limitMs)}`,
  expiresAfter: (retentionMs: number): string => `expires on server after ${formatCountdown(retentionMs)}`,
  ttl: 'ttl',
  ttlNotKnown: 'not known',
  left: (ms: number): string => `${formatCountdown(ms)} left`,
  chunksSaved: (chunks: number): string => `${formatCountOf(chunks, 'chunk')} saved locally`,
  asTheyArrive: 'as they arrive',
  inputSaved: 'Input saved locally',
  nothingSaved: 'Nothing saved yet',
  statusAsOf: (ageMs: number): string => `last known ${formatAge(Math.max(1_000, ageMs))} ago`,
  /** Before how long it ran. */
  endedAfter: 'Ended after',
  neverRan: 'Cancelled before it ran',
  canRetry: 'Can be retried until the result expires on the server',
  canRetryShort: 'Can be retried',
  thenResubmit: 'then resubmit the saved input as a new job',
  cannotRetry: 'Can no longer be retried',
  resubmit: 'resubmit the saved input as a new job',
  resubmitShort: 'resubmit instead',
  expiresIn: 'Result expires on server in',
  expiresInShort: 'Expires in',
  ofRetention: (retentionMs: number): string => `of ${formatCountdown(retentionMs)}`,
  expired: 'Result expired on server',
  outputDeleted: 'Output deleted',
  savedInPart: 'Saved in part',
  savedSoFar: 'Saved so far',
  saved: 'Saved locally',
  savedOutput: (chunks: number, bytes: number): string =>
    [...(chunks > 0 ? [formatCountOf(chunks, 'chunk')] : []), ...(bytes > 0 ? [formatBytes(bytes)] : [])].join(', '),
  savedInputAndError: 'input and error',
  savedError: 'error',
  savedInput: 'input',
  savedStatus: 'its status',
};

/** How a job ended, before how long it ran. */
export const endedAfterTexts: Readonly<Partial<Record<StatusKind, string>>> = {
  done: 'Done in',
  fail: 'Failed after',
  timeout: 'Timed out after',
  cancel: 'Cancelled after',
};

/** `Was running at 14:02:11, returned to the queue`, with the number of times if there were several. */
export function formerStartsText(times: number, lastAtMs: number): string {
  if (times === 1) return `Was running at ${formatClock(lastAtMs)}, returned to the queue`;
  const last = formatClock(lastAtMs);
  return `Was running ${formatTimes(times)} before, most recently at ${last}, and returned to the queue`;
}

/** How a job ended, as a step of the timeline in its own window. */
export const endTitles: Readonly<Partial<Record<StatusKind, string>>> = {
  done: 'Completed',
  fail: 'Failed',
  timeout: 'Timed out',
  cancel: 'Cancelled',
};

/** The timeline in a job's own window, a step per line. */
export const stepText = {
  waitingToSend: 'Waiting to send',
  wasRunning: 'Was running',
  returned: 'returned to the queue',
  ofTimeout: (ranMs: number, limitMs: number): string =>
    `${formatDuration(ranMs)} of ${formatCountdown(limitMs)} execution timeout`,
  ttlEnds: 'ttl ends',
  in: (ms: number): string => `in ${formatCountdown(ms)}`,
  thenDeleted: ', then the service deletes the job',
  ran: 'Ran',
  outputDeleted: 'Its output was deleted by your retention rule',
  saved: (bytes: number): string => `Saved here${bytes > 0 ? `, ${formatBytes(bytes)}` : ''}`,
  savedSoFar: (bytes: number): string => `${stepText.saved(bytes)}, the rest of its stream is still being fetched`,
  replyTooLarge: 'The reply is too large to read',
  expires: 'Expires on server',
  withStream: ', with the rest of its stream',
  alreadySaved: '; already saved here',
  expired: 'Expired on server',
  copyStays: 'The copy saved here stays',
  statusAsOf: (ageMs: number): string => `Last known ${formatAge(Math.max(1_000, ageMs))} ago`,
};
