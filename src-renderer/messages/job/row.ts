import { formatIn, formatMinute } from '../../../src-preload/format.ts';
import type { NotKnown, PendingStream } from '../../../src-preload/job.ts';
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
