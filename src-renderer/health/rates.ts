import type { HealthPoint } from '../../src-preload/health.ts';
import { endOf, isSilence } from './runs.ts';

export const counters = ['completed', 'failed', 'retried'] as const;
export type Counter = (typeof counters)[number];

/** By how much a counter rose. If it fell, the service restarted it, and everything it counts now is new. */
export function counterIncrease(before: number, after: number): number {
  return after >= before ? after - before : after;
}

/** One bar: the rate per minute. Null if nothing is known of that time. */
export interface RateBar {
  fromMs: number;
  toMs: number;
  perMinute: number | null;
}

/**
 * An unfinished bar is measured by the time passed, but by at least this part of its width: a single job is no rate.
 */
const minPart = 1 / 3;

/**
 * Bars of `barMs` up to `toMs`, oldest first. The last one may extend beyond `nowMs`. An increase counts for the bar in
 * which it was read. An increase after a gap counts for none, because its time is not known.
 */
export function rateBars(
  points: readonly HealthPoint[],
  counter: Counter,
  { fromMs, toMs, barMs, nowMs }: Readonly<Record<'fromMs' | 'toMs' | 'barMs' | 'nowMs', number>>,
): RateBar[] {
  const count = Math.max(1, Math.round((toMs - fromMs) / barMs));
  const risen = Array.from<number | null>({ length: count }).fill(null);
  for (const [before, after] of pairs(points)) {
    if (isSilence(before, after.atMs)) continue;
    const index = count - 1 - Math.floor((toMs - endOf(after)) / barMs);
    const clipped = Math.min(index, count - 1);
    if (clipped >= 0) risen[clipped] = (risen[clipped] ?? 0) + counterIncrease(before[counter], after[counter]);
  }
  return risen.map((value, index) => {
    const barFromMs = toMs - (count - index) * barMs;
    const hadMs = Math.max(barMs * minPart, Math.min(barFromMs + barMs, nowMs) - barFromMs);
    return { fromMs: barFromMs, toMs: barFromMs + barMs, perMinute: value === null ? null : value / (hadMs / 60_000) };
  });
}

/**
 * How much a counter rose since `sinceMs`, as far as the points show. Null if fewer than two points are in that time.
 */
export function counterIncreaseSince(points: readonly HealthPoint[], counter: Counter, sinceMs: number): number | null {
  let sum: number | null = null;
  for (const [before, after] of pairs(points))
    if (endOf(before) >= sinceMs) sum = (sum ?? 0) + counterIncrease(before[counter], after[counter]);
  return sum;
}

/** Each point with the next one. */
export function pairs(points: readonly HealthPoint[]): [HealthPoint, HealthPoint][] {
  return points.slice(1).flatMap((after, index) => {
    const before = points[index];
    return before === undefined ? [] : [[before, after]];
  });
}
