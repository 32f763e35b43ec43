/** Run times with a log-normal distribution. */
export interface LogNormal {
  medianMs: number;
  sigma: number;
}

/** The goal of a way of polling: at most `lateShare` of the ends are seen later than `withinMs` after them. */
export interface Promptness {
  withinMs: number;
  lateShare: number;
}

const stepMs = 50;

/**
 * The minimum of status reads per job with which any way of polling can be this prompt, if only a job's start and the
 * distribution of all run times are known, and a read takes no time. It is a lower bound, found by dynamic programming
 * over when to read next. For each price of a late end, the cheapest plan is computed. Its cost for reads and late
 * ends, minus the price of the allowed late ends, is a lower bound for every plan within `lateShare` (Lagrangian
 * duality), except for the error of the 50 ms grid on which it reads (some hundredths of a read).
 */
export function minReads({ medianMs, sigma }: LogNormal, promptness: Promptness): number {
  const longestMs = medianMs * Math.exp(4 * sigma);
  const ended = Array.from({ length: Math.ceil(longestMs / stepMs) + 1 }, (_, step) =>
    normal(Math.log((step * stepMs) / medianMs) / sigma),
  );
  let min = 1;
  for (let price = 1; price <= 256; price *= 1.25)
    min = Math.max(min, cheapest(ended, price, promptness.withinMs / stepMs) - price * promptness.lateShare);
  return min;
}

/**
 * The cost of the cheapest plan from the start on: its reads, and late ends at `price`. `ended`: the probability per
 * step.
 */
function cheapest(ended: readonly number[], price: number, withinSteps: number): number {
  const from: number[] = Array.from(ended, () => 0);
  for (let at = ended.length - 2; at >= 0; at -= 1) {
    const endedThen = ended[at] ?? 1;
    let best = Infinity;
    for (let next = at + 1; next < ended.length; next += 1) {
      const late = Math.max(0, (ended[next - withinSteps] ?? 0) - endedThen);
      best = Math.min(best, 1 - endedThen + price * late + (from[next] ?? 0));
    }
    from[at] = best;
  }
  return from[0] ?? 0;
}

/** The probability that a standard normal number is below `x` (Abramowitz and Stegun 7.1.26, to 1.5e-7). */
function normal(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-z * z);
  return x >= 0 ? 1 - tail / 2 : tail / 2;
}
