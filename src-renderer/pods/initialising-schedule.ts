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
