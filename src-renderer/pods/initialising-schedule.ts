import type { Failure } from '../../src-preload/failure.ts';
import type { PodReading } from '../../src-preload/pod-reading.ts';
import { isInitialising } from '../../src-preload/pod-ports.ts';

/** How long a pod that starts is followed before the user is asked whether to go on. */
const followLimitMs = 600_000;
const firstPauseMs = 2_000;
const longestPauseMs = 15_000;
const growth = 1.5;

/** What the follow-up of a starting pod has done. */
export interface Following {
  /** When it began, or when the user said to go on. */
  sinceMs: number;
  /** Reads since then, and when the last one ended. */
  reads: number;
  lastReadAtMs: number;
  /** Not before: a 429 asked for a pause. */
  heldUntilMs: number;
}

/**
 * When the next read is due; null once the limit is over. Pauses of 2 s growing to 15 s: far below sixty a minute
 * (ruling 20). Pure.
 */
export function nextFollowMs({ sinceMs, reads, lastReadAtMs, heldUntilMs }: Following): number | null {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * growth ** Math.min(reads, 20));
  const atMs = Math.max(lastReadAtMs + pauseMs, heldUntilMs);
  return atMs - sinceMs > followLimitMs ? null : atMs;
}

/** Failures after which asking again by itself helps nobody. */
const final: ReadonlySet<string> = new Set(['unauthorized', 'not-found', 'no-key', 'refused', 'absent', 'invalid']);

/**
 * What the follow-up is after one more read, or the first look; null where the pod does not start, or cannot be asked.
 * Pure.
 */
export function followAfter(
  before: Following | null,
  look: Pick<PodReading, 'reply'> | null,
  failure: Failure | null,
  nowMs: number,
): Following | null {
  if (look === null || !isInitialising(look.reply.pod) || (failure !== null && final.has(failure.kind))) return null;
  const heldUntilMs = nowMs + (failure?.kind === 'rate-limited' ? (failure.retryAfterMs ?? 0) : 0);
  return before === null
    ? { sinceMs: nowMs, reads: 0, lastReadAtMs: nowMs, heldUntilMs }
    : { ...before, reads: before.reads + 1, lastReadAtMs: nowMs, heldUntilMs };
}

/** The follow-up begun anew by the user: the next read is due now. */
export function followAnew(nowMs: number): Following {
  return { sinceMs: nowMs, reads: 0, lastReadAtMs: nowMs - 60_000, heldUntilMs: 0 };
}
