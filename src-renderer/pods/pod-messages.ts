import type { Failure } from '../../src-preload/failure.ts';
import { formatAge, formatClock } from '../../src-preload/format.ts';

/** A reading older than this is shown with its age, not its time. */
const freshMs = 3_600_000;

/** `Read 14:31:58`, or `as of 3 h ago` for an old reading. */
export function readAgo(readAtMs: number, nowMs: number): string {
  return nowMs - readAtMs < freshMs ? `Read ${formatClock(readAtMs)}` : `as of ${formatAge(nowMs - readAtMs)} ago`;
}

export interface StatusText {
  word: string;
  tone: 'done' | 'run' | 'cancel';
}

/** The desired status as a word. A status that the specification does not list stays as it came. */
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
      return { word: 'Status not reported', tone: 'cancel' };
    default:
      return { word: status, tone: 'cancel' };
  }
}

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
