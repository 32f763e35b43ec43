/** The longest wait after any number of 429s, unless the service names a time (ruling 10). */
const longestMs = 30_000;

/** The longest wait before try `step` + 1: 500 ms, doubled with each step, at most 30 s (ruling 10). */
export function maxBackoffMs(step: number): number {
  return Math.min(longestMs, 500 * 2 ** Math.min(step, 16));
}

/** The wait before try `step` + 1: anything from nothing up to the longest (full jitter). */
export function backoffMs(step: number, random: () => number): number {
  return Math.floor(random() * maxBackoffMs(step));
}
