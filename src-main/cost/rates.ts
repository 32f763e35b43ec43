import { rateAt } from '../../src-preload/cost.ts';
import type { CostRate, RateSource } from '../../src-preload/cost.ts';

export interface RateChange {
  /** Null takes the rate away from now on. */
  creditsPerHour: number | null;
  source: RateSource;
  isForEarlier?: boolean | undefined;
}

/**
 * The rates after a change at `nowMs`, oldest first. What ended before keeps its price, unless the new rate is to hold
 * for it too: then the former rates are forgotten. The first rate there is holds for everything before. Pure.
 */
export function withRate(
  rates: readonly CostRate[],
  { creditsPerHour, source, isForEarlier }: RateChange,
  nowMs: number,
): CostRate[] {
  const hasRate = rates.some((rate) => rate.creditsPerHour !== null);
  if (isForEarlier ?? !hasRate) return creditsPerHour === null ? [] : [{ creditsPerHour, sinceMs: 0, source }];
  const before = rates.filter((rate) => rate.sinceMs < nowMs);
  // Only where it came from differs: that is kept with the rate that holds.
  const last = before.at(-1);
  if (last !== undefined && rateAt(before, nowMs) === creditsPerHour)
    return [...before.slice(0, -1), { ...last, source }];
  return [...before, { creditsPerHour, sinceMs: nowMs, source }];
}
