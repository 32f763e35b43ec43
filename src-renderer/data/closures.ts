import type { Closure } from '../../src-preload/app.ts';
import { closedMeaning, closedOperations, closedStatuses } from '../../src-preload/messages/closure.ts';
import type { EndpointNameOf } from '../../src-preload/messages/closure.ts';
import type { Job } from '../../src-preload/job.ts';
import { mayExpireAtMs } from '../../src-preload/service-retention.ts';
import { formatCount, formatIn, formatMinute } from '../../src-preload/format.ts';

/** A loss further away than this is not mentioned. */
const nearMs = 60 * 60_000;

/** The banner about refused operations: which they are, since when, what that means, and when they are tried again. */
export interface ClosureText {
  title: string;
  text: string;
}

/**
 * The text of a banner about `closures`, which must not be empty. `lossMs`: the earliest time at which a result may be
 * lost, or null. `later`: what the next try waits for, or null if it waits for its time alone.
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

/** The earliest next try. Null while one is in progress. */
export function nextTryOf(closures: readonly Pick<Closure, 'nextTryMs'>[]): number | null {
  return closures.reduce<number | null>(
    (nearest, { nextTryMs }) => (nearest === null || nextTryMs === null ? null : Math.min(nearest, nextTryMs)),
    Number.POSITIVE_INFINITY,
  );
}

/** `Tried again in 2:10.` `nextTryMs` is null while a try is in progress. */
export function triedText(nextTryMs: number | null, nowMs: number, later: string | null): string {
  if (later !== null) return `Next try ${later}.`;
  return nextTryMs === null || nextTryMs <= nowMs ? 'Trying now.' : `Next try ${formatIn(nextTryMs - nowMs)}.`;
}

/** What may be lost meanwhile. Empty if nothing may be lost soon. */
export function lossText(lossMs: number | null, nowMs: number): string {
  if (lossMs === null || lossMs - nowMs > nearMs) return '';
  return lossMs > nowMs
    ? `A result may expire on the service from ${formatMinute(lossMs)}.`
    : `Results may have expired on the service since ${formatMinute(lossMs)}.`;
}

/**
 * The earliest time at which something of a job may be lost while these operations are refused. Null if nothing can be.
 */
export function lossAtMs(job: Job, closed: ReadonlySet<string>): number | null {
  if (job.phase !== 'active') return null;
  if (job.pendingStream !== undefined) return closed.has('stream') ? job.pendingStream.untilMs : null;
  if (!closed.has('status')) return null;
  // The job may have ended right after it was last seen.
  const leavesMs = mayExpireAtMs(job.operation, job.lastCheckedAtMs ?? job.acceptedAtMs ?? job.createdAtMs);
  return job.ttlEndsAtMs === null ? leavesMs : Math.min(leavesMs, job.ttlEndsAtMs);
}
