import type { Failure } from '../../src-preload/failure.ts';
import type { PodReading } from '../../src-preload/pod-reading.ts';
import { isPodStarting } from '../../src-preload/pod-ports.ts';

/** How long a starting pod is read again before the user is asked whether to continue. */
const followLimitMs = 600_000;
const firstPauseMs = 2_000;
const maxPauseMs = 15_000;
const growth = 1.5;

/** The progress of reading a starting pod again and again. */
export interface Following {
  /** When it began, or when the user last chose to continue. */
  sinceMs: number;
  /** Reads since then, and when the last one ended. */
  reads: number;
  lastReadAtMs: number;
  /** A 429 asked for a pause until then. */
  heldUntilMs: number;
}

/**
 * When the next read is due, or null when the limit has passed. The pauses grow from 2 s to 15 s, which is far below
 * sixty requests a minute (ruling 20). Pure.
 */
export function nextFollowMs({ sinceMs, reads, lastReadAtMs, heldUntilMs }: Following): number | null {
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * growth ** Math.min(reads, 20));
  const atMs = Math.max(lastReadAtMs + pauseMs, heldUntilMs);
  return atMs - sinceMs > followLimitMs ? null : atMs;
}

/** Failures that another request would only repeat. */
const final: ReadonlySet<string> = new Set(['unauthorized', 'not-found', 'no-key', 'refused', 'absent', 'invalid']);

/** The progress after a read. Null if the pod is not starting or cannot be read. Pure. */
export function followAfter(
  before: Following | null,
  reading: Pick<PodReading, 'reply'> | null,
  failure: Failure | null,
  nowMs: number,
): Following | null {
  if (reading === null || !isPodStarting(reading.reply.pod) || (failure !== null && final.has(failure.kind)))
    return null;
  const heldUntilMs = nowMs + (failure?.kind === 'rate-limited' ? (failure.retryAfterMs ?? 0) : 0);
  return before === null
    ? { sinceMs: nowMs, reads: 0, lastReadAtMs: nowMs, heldUntilMs }
    : { ...before, reads: before.reads + 1, lastReadAtMs: nowMs, heldUntilMs };
}

/** Starts again at the user's request: the next read is due now. */
export function restartFollowing(nowMs: number): Following {
  return { sinceMs: nowMs, reads: 0, lastReadAtMs: nowMs - 60_000, heldUntilMs: 0 };
}
