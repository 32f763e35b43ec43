import type { Closure } from '../../src-preload/app.ts';
import { closedMeaning } from '../../src-preload/messages/closure.ts';
import type { EndpointNameOf } from '../../src-preload/messages/closure.ts';
import { lastKnownAtMs, type Job } from '../../src-preload/job.ts';
import { mayExpireAtMs } from '../../src-preload/service-retention.ts';
import { closuresText, lossText, triedText } from '../messages/data/closures.ts';
import { setAheadMs } from './engine-time.ts';
import { ttlEndOf } from './service-deadlines.ts';

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
  { nowMs, lossMs, later }: { nowMs: number; lossMs: number | null; later: string | null },
): ClosureText {
  const sinceMs = Math.min(...closures.map((closure) => closure.sinceMs));
  return {
    title: closuresText.title(closures, nameOf),
    text: [
      closuresText.since(sinceMs),
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

/**
 * The earliest time at which something of a job may be lost while these operations are refused, by the present clock.
 * Null if nothing can be.
 */
export function lossAtMs(job: Job, closed: ReadonlySet<string>): number | null {
  if (job.phase !== 'active') return null;
  if (job.pendingStream !== undefined) {
    const { sinceMs, untilMs } = job.pendingStream;
    return closed.has('stream') ? untilMs + setAheadMs(job.finishedSeenAtMs ?? sinceMs) : null;
  }
  if (!closed.has('status')) return null;
  // The job may have ended right after it was last seen.
  const seenAtMs = lastKnownAtMs(job);
  const leavesMs = mayExpireAtMs(job.operation, seenAtMs) + setAheadMs(seenAtMs);
  return Math.min(leavesMs, ttlEndOf(job) ?? Infinity);
}
