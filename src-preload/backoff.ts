/** The longest wait after a failed or rate-limited request, unless the service names a time (ruling 10). */
const longestMs = 30_000;

/**
 * The longest wait before a request is sent again after `failures` others, not counting the first: 500 ms, doubled with
 * each, at most 30 s (ruling 10).
 */
export function maxBackoffMs(failures: number): number {
  return Math.min(longestMs, 500 * 2 ** Math.min(failures, 16));
}

/** The wait after `failures` further failures: anything from nothing up to the longest (full jitter). */
export function backoffMs(failures: number, random: () => number): number {
  return Math.floor(random() * maxBackoffMs(failures));
}
