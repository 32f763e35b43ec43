import { readingValidMs } from '../../src-preload/alert.ts';
import type { HealthPoint } from '../../src-preload/health.ts';
import type { Counter } from './rates.ts';
import { endOf } from './runs.ts';

/** The newest readings of several endpoints. */
export interface NewestReadings {
  /** Those that still say something beside the newest of them, and so may be added up. */
  together: readonly HealthPoint[];
  /** How many endpoints were read too long before that. */
  tooOld: number;
}

/**
 * The newest reading of each endpoint, as far as they describe the same time: an endpoint that stopped answering hours
 * ago says nothing about a total of now. If nothing is read at all, they are still of one time. Pure.
 */
export function newestTogether(series: readonly (readonly HealthPoint[])[]): NewestReadings {
  const newest = series.flatMap((points) => points.slice(-1));
  const newestMs = newestOf(series);
  const together = newest.filter((point) => isBeside(point, newestMs));
  return { together, tooOld: newest.length - together.length };
}

/** When the last of several endpoints was read. Epoch milliseconds; 0 if none was. Pure. */
export function newestOf(series: readonly (readonly HealthPoint[])[]): number {
  return series.reduce((newestMs, points) => Math.max(newestMs, ...points.slice(-1).map(endOf)), 0);
}

/** Whether a reading still said something at `newestMs`, when the last endpoint was read. Pure. */
export function isBeside(point: HealthPoint, newestMs: number): boolean {
  return newestMs - endOf(point) <= readingValidMs;
}

/** The counters of these readings, added up. Pure. */
export function countersOf(together: readonly HealthPoint[]): Record<Counter, number> {
  const sum = (counter: Counter): number => together.reduce((all, point) => all + point[counter], 0);
  return { completed: sum('completed'), failed: sum('failed'), retried: sum('retried') };
}
