import { hourMs, minuteMs } from '../../../src-preload/durations.ts';
import { formatAge, formatClock } from '../../../src-preload/format.ts';

/** The desired status as a word. A status that the specification does not list stays as it came. */
export function podStatusWord(status: string | null | undefined, isStarting: boolean): string {
  switch (status) {
    case 'RUNNING':
      return isStarting ? 'Starting' : 'Running';
    case 'EXITED':
      return 'Exited';
    case 'TERMINATED':
      return 'Terminated';
    case null:
    case undefined:
    case '':
      return 'Status not reported';
    default:
      return status;
  }
}

/** A reading older than this is shown with its age, not its time. */
const freshMs = hourMs;

/** `Read 14:31:58`, or `as of 3 h ago` for an old reading. */
export function readAgo(readAtMs: number, nowMs: number): string {
  return nowMs - readAtMs < freshMs ? `Read ${formatClock(readAtMs)}` : asOf(nowMs - readAtMs);
}

/** How old a reading in the list is. */
export function readAge(ageMs: number): string {
  return ageMs < 60_000 ? 'read just now' : asOf(ageMs);
}

/** `, as of 3 h ago`, after what is known of the reading and not of now. Nothing if the reading is new. */
export function ofReading(ageMs: number): string {
  return ageMs < minuteMs ? '' : `, ${asOf(ageMs)}`;
}

/** `as of 3 h ago`. */
export function asOf(ageMs: number): string {
  return `as of ${formatAge(ageMs)} ago`;
}
