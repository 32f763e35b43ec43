import type { HealthPoint } from '../../src-preload/health.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** Every reading is kept this long, */
const readingsKeptMs = hourMs;
/** then minutes, */
const minutesKeptMs = dayMs;
/** then hours; after that nothing. */
const hoursKeptMs = 365 * dayMs;

/** Where one kind of point ends and the coarser one begins, in epoch milliseconds. */
export interface Ages {
  /** Readings before this are taken together to minutes. */
  readingsFromMs: number;
  /** Minutes before this are taken together to hours. */
  minutesFromMs: number;
  /** Hours before this are gone. */
  hoursFromMs: number;
}

/**
 * The ages at `nowMs`. Each lies on a boundary of what the older points come to, so that a minute or an hour is made
 * once and whole, and no two points ever stand for the same time.
 */
export function agesAt(nowMs: number): Ages {
  return {
    readingsFromMs: beginOf(nowMs - readingsKeptMs, minuteMs),
    minutesFromMs: beginOf(nowMs - minutesKeptMs, hourMs),
    hoursFromMs: beginOf(nowMs - hoursKeptMs, dayMs),
  };
}

/** The begin of the span of `spanMs` that `atMs` falls in. */
export function beginOf(atMs: number, spanMs: number): number {
  return Math.floor(atMs / spanMs) * spanMs;
}

/**
 * Points, oldest first, as one for each span of `spanMs` that has any: gauges and counters as they stood last, and the
 * most jobs that waited in any of them.
 */
export function takenTogether(points: readonly HealthPoint[], spanMs: number): HealthPoint[] {
  const spans: HealthPoint[] = [];
  for (const point of points) {
    const atMs = beginOf(point.atMs, spanMs);
    const open = spans.at(-1);
    const mostInQueue = open?.atMs === atMs ? Math.max(open.mostInQueue, point.mostInQueue) : point.mostInQueue;
    if (open?.atMs === atMs) spans.pop();
    spans.push({ ...point, atMs, spanMs, mostInQueue });
  }
  return spans;
}
