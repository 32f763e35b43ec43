import type { Failure } from '../../src-preload/failure.ts';
import { formatAge, formatClock } from '../design/format.ts';

/** Older than this a look says its age before its time. */
const freshMs = 3_600_000;

/** `Read 14:31:58`, or `as of 3 h ago` for an older look. */
export function readAgo(readAtMs: number, nowMs: number): string {
  return nowMs - readAtMs < freshMs ? `Read ${formatClock(readAtMs)}` : `as of ${formatAge(nowMs - readAtMs)} ago`;
}

export interface StatusText {
  word: string;
  tone: 'done' | 'run' | 'cancel';
}

/** The desired status in a word; one that nobody listed stays as it came. */
export function statusText(status: string | null | undefined, isStarting: boolean): StatusText {
  switch (status) {
    case 'RUNNING':
      return isStarting ? { word: 'Starting', tone: 'run' } : { word: 'Running', tone: 'done' };
    case 'EXITED':
      return { word: 'Exited', tone: 'cancel' };
    case 'TERMINATED':
      return { word: 'Terminated', tone: 'cancel' };
    case null:
    case undefined:
    case '':
      return { word: 'Status not told', tone: 'cancel' };
    default:
      return { word: status, tone: 'cancel' };
  }
}

/** What a read that failed is called. */
export function failureTitle(failure: Failure): string {
  switch (failure.kind) {
    case 'unauthorized':
      return failure.httpStatus === undefined
        ? 'The pod was not asked for'
        : `The key was refused (${failure.httpStatus})`;
    case 'not-found':
      return `There is no such pod (${failure.httpStatus ?? 404})`;
    case 'rate-limited':
      return failure.httpStatus === undefined
        ? 'A pause before the next read'
        : `The service asks for a pause (${failure.httpStatus})`;
    case 'server':
      return `The service answered with an error (${failure.httpStatus ?? 500})`;
    case 'network':
      return 'The service cannot be reached';
    case 'timeout':
      return 'The service did not answer in time';
    case 'malformed':
      return 'The reply cannot be read';
    case 'invalid':
    case 'too-large':
      return 'The service did not take the request';
    case 'cancelled':
      return 'The read was stopped';
    case 'no-key':
      return 'No usable key for this connection';
    case 'refused':
    case 'absent':
      return 'The pod was not asked for';
    case 'storage':
      return 'The saved pods cannot be read';
    case 'defect':
      return 'Jobdeck could not do this';
  }
}
