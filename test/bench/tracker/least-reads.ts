/** Run times with a log-normal distribution. */
export interface LogNormal {
  medianMs: number;
  sigma: number;
}

/** What a way of polling is to reach: at most `lateShare` of the ends seen later than `withinMs` after them. */
export interface Promptness {
  withinMs: number;
  lateShare: number;
}

const stepMs = 50;

/**
 * The fewest status reads a job that any way of polling can do with and be so prompt, where of a job nothing is known
 * but its start and how the run times of all are distributed, and a read takes no time: a lower bound, by dynamic
 * programming over when to read next. For each price of a late end the cheapest plan is found; what its reads and late
 * ends cost, less what the allowed late ends would, no plan within `lateShare` can undercut (Lagrangian duality), but
 * for the grid of 50 ms on which it reads (some hundredths of a read).
 */
export function leastReads({ medianMs, sigma }: LogNormal, promptness: Promptness): number {
  const longestMs = medianMs * Math.exp(4 * sigma);
  const ended = Array.from({ length: Math.ceil(longestMs / stepMs) + 1 }, (_, step) =>
    normal(Math.log((step * stepMs) / medianMs) / sigma),
  );
  let least = 1;
  for (let price = 1; price <= 256; price *= 1.25)
    least = Math.max(least, cheapest(ended, price, promptness.withinMs / stepMs) - price * promptness.lateShare);
  return least;
}

/** What reads cost, and late ends at `price`, from the start on, by the cheapest plan. `ended`: the odds by step. */
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

/** The odds that a standard normal number is below `x` (Abramowitz and Stegun 7.1.26, to 1.5e-7). */
function normal(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-z * z);
  return x >= 0 ? 1 - tail / 2 : tail / 2;
}
