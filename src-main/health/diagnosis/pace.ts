import { risesOf, since } from './readings.ts';
import type { Reading } from './readings.ts';

/** The pace follows workers that come and go, as soon as enough has ended in a short time for a fair mean. */
const windows = { short: 120_000, long: 300_000, endsEnough: 5 } as const;
const leastSpanMs = 15_000;
const minuteMs = 60_000;

/** How fast jobs end, whatever their end is: each makes room for one that waits. */
export interface Pace {
  /** Jobs that ended in the window. */
  ends: number;
  spanMs: number;
  perMinute: number;
  /** So fast at most: the mean plus two deviations of so few ends (they come as they like). */
  mostPerMinute: number;
}

/**
 * The pace since `sinceMs`, of the last two minutes, or five where little ends; null when that is too short a time to
 * tell.
 */
export function paceSince(stretch: readonly Reading[], sinceMs: number): Pace | null {
  const short = paceWithin(stretch, sinceMs, windows.short);
  return short !== null && short.ends >= windows.endsEnough ? short : paceWithin(stretch, sinceMs, windows.long);
}

function paceWithin(stretch: readonly Reading[], sinceMs: number, windowMs: number): Pace | null {
  const latestMs = stretch.at(-1)?.atMs ?? 0;
  const readings = since(stretch, Math.max(sinceMs, latestMs - windowMs));
  const spanMs = latestMs - (readings[0]?.atMs ?? latestMs);
  if (spanMs < leastSpanMs) return null;
  const ends = risesOf(readings).reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const minutes = spanMs / minuteMs;
  return { ends, spanMs, perMinute: ends / minutes, mostPerMinute: (ends + 1 + 2 * Math.sqrt(ends + 1)) / minutes };
}

/**
 * How the queue changed in the last two minutes, since `sinceMs` at most, in jobs a minute: between the means of the
 * first and the last third. Null when that is too short to say.
 */
export function queueTrend(stretch: readonly Reading[], sinceMs: number): number | null {
  const latestMs = stretch.at(-1)?.atMs ?? 0;
  const readings = since(stretch, Math.max(sinceMs, latestMs - windows.short));
  const third = Math.floor(readings.length / 3);
  const [first, last] = [readings.slice(0, third), readings.slice(-third)];
  if (third === 0) return null;
  const minutes = (meanOf(last, 'atMs') - meanOf(first, 'atMs')) / minuteMs;
  return minutes * minuteMs < leastSpanMs / 2 ? null : (meanOf(last, 'inQueue') - meanOf(first, 'inQueue')) / minutes;
}

function meanOf(readings: readonly Reading[], field: 'atMs' | 'inQueue'): number {
  return readings.reduce((sum, reading) => sum + reading[field], 0) / readings.length;
}
