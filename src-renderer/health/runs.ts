import type { HealthPoint } from '../../src-preload/health.ts';

/** Readings further apart are not joined: what happened in between is not known. */
export const maxSilenceMs = 90_000;
/** How long the last reading before a gap is still shown. */
export const holdMs = 5_000;

/** Until when a point is valid. Epoch milliseconds. */
export function endOf(point: HealthPoint): number {
  return point.atMs + point.spanMs;
}

/** Whether there is a gap between a point and one at `nextMs`. A missing minute is not a gap, a missing hour is. */
export function isSilence(point: HealthPoint, nextMs: number): boolean {
  return nextMs - endOf(point) >= Math.max(maxSilenceMs, point.spanMs);
}

/** The points in runs without gaps, oldest first. */
export function runsOf(points: readonly HealthPoint[]): HealthPoint[][] {
  const runs: HealthPoint[][] = [];
  let before: HealthPoint | null = null;
  for (const point of points) {
    if (before === null || isSilence(before, point.atMs)) runs.push([point]);
    else runs.at(-1)?.push(point);
    before = point;
  }
  return runs;
}

/**
 * A run with at most one point per `columnMs`: the last gauges and counters, and the highest number of waiting jobs. A
 * point that is valid for longer than a column stays as it is.
 */
export function thin(run: readonly HealthPoint[], columnMs: number): HealthPoint[] {
  const thinned: HealthPoint[] = [];
  let cell = Number.NaN;
  for (const point of run) {
    const own = Math.floor(point.atMs / columnMs);
    const last = thinned.at(-1);
    if (last === undefined || own !== cell || point.spanMs > columnMs) {
      thinned.push(point);
      cell = own;
      continue;
    }
    thinned[thinned.length - 1] = {
      ...point,
      atMs: last.atMs,
      spanMs: endOf(point) - last.atMs,
      maxInQueue: Math.max(last.maxInQueue, point.maxInQueue),
    };
  }
  return thinned;
}

/** The points with newer ones added and those before `sinceMs` dropped. Late and duplicate ones are left out. */
export function withPoints(
  points: readonly HealthPoint[],
  added: readonly HealthPoint[],
  sinceMs: number,
): HealthPoint[] {
  const all = points.filter((point) => endOf(point) >= sinceMs);
  for (const point of added) if (point.atMs > (all.at(-1)?.atMs ?? -1)) all.push(point);
  return all;
}
