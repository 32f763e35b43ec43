import type { Closure } from '../../src-preload/app.ts';
import { closedMeaning, closedOperations, closedStatuses } from '../../src-preload/messages/closure.ts';
import type { EndpointNameOf } from '../../src-preload/messages/closure.ts';
import { retentionMs, type Job } from '../../src-preload/job.ts';
import { formatCount, formatIn, formatMinute } from '../design/format.ts';

/** Losses further away than this are not worth a word. */
const nearMs = 60 * 60_000;

/** What the banner says of refused operations: which, since when, what that means, and when they are tried again. */
export interface ClosureText {
  title: string;
  text: string;
}

/**
 * The words of a banner about `closures`, of which there is one at least. `lossMs`: when a result may be lost at the
 * earliest; null where none is at stake. `later`: what the next try waits for, null where it only waits for its time.
 */
export function closureText(
  closures: readonly Closure[],
  nameOf: EndpointNameOf,
  nowMs: number,
  lossMs: number | null,
  later: string | null,
): ClosureText {
  const many =
    closures.length === 1 ? 'One operation is refused' : `${formatCount(closures.length)} operations are refused`;
  const sinceMs = Math.min(...closures.map((closure) => closure.sinceMs));
  return {
    title: `${many}: ${closedOperations(closures, nameOf)} (${closedStatuses(closures)})`,
    text: [
      `Since ${formatMinute(sinceMs)}.`,
      closedMeaning(closures),
      lossText(lossMs, nowMs),
      triedText(nextTryOf(closures), nowMs, later),
    ]
      .filter((part) => part !== '')
      .join(' '),
  };
}

/** The nearest try of several; null while one is under way. */
export function nextTryOf(closures: readonly Pick<Closure, 'nextTryMs'>[]): number | null {
  return closures.reduce<number | null>(
    (nearest, { nextTryMs }) => (nearest === null || nextTryMs === null ? null : Math.min(nearest, nextTryMs)),
    Number.POSITIVE_INFINITY,
  );
}

/**
 * `Tried again in 2:10.`: when what is refused is tried again by itself. `nextTryMs` is null while that is under way.
 */
export function triedText(nextTryMs: number | null, nowMs: number, later: string | null): string {
  if (later !== null) return `Next try ${later}.`;
  return nextTryMs === null || nextTryMs <= nowMs ? 'Trying now.' : `Next try ${formatIn(nextTryMs - nowMs)}.`;
}

/** What is at stake meanwhile; empty where nothing is soon. */
export function lossText(lossMs: number | null, nowMs: number): string {
  if (lossMs === null || lossMs - nowMs > nearMs) return '';
  return lossMs > nowMs
    ? `A result may expire on the service from ${formatMinute(lossMs)}.`
    : `Results may have expired on the service since ${formatMinute(lossMs)}.`;
}

/**
 * When something of a job may be lost at the earliest while these operations are refused; null where nothing can be.
 */
export function lossAtMs(job: Job, closed: ReadonlySet<string>): number | null {
  if (job.phase !== 'active') return null;
  if (job.pendingStream !== undefined) return closed.has('stream') ? job.pendingStream.untilMs : null;
  if (!closed.has('status')) return null;
  // It may have ended right after it was last seen.
  const leavesMs = (job.lastCheckedAtMs ?? job.acceptedAtMs ?? job.createdAtMs) + retentionMs[job.operation];
  return job.ttlEndsAtMs === null ? leavesMs : Math.min(leavesMs, job.ttlEndsAtMs);
}
