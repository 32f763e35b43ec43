import { hourMs, minuteMs } from '../../../src-preload/durations.ts';
import type { HealthPoint } from '../../../src-preload/health.ts';
import type { DiagnosisInput } from './input.ts';

const lookBackMs = hourMs;
/** With a longer time between two readings there is a gap. */
const gapMs = 60_000;
/** An older reading says nothing about now. */
const staleAfterMs = 120_000;
/** Clocks may have been set in between: a reading may be this far in the future. */
const aheadMs = 5_000;
/** A state continues if a single reading interrupts it for no longer than this. */
const blipMs = 12_000;

/** The present state of the endpoint, as known from its health. */
export interface Readings {
  /** The newest readings without a gap, oldest first. Never empty. */
  stretch: readonly HealthPoint[];
  latest: HealthPoint;
  /** All readings of the last hour, oldest first, including those before a gap. */
  all: readonly HealthPoint[];
}

/** The increase of the counters between two adjacent readings. Nothing if the service restarted in between. */
export interface CounterIncrease {
  fromMs: number;
  atMs: number;
  completed: number;
  failed: number;
  retried: number;
}

/** The readings that an endpoint is judged by. Null if there are none, or the newest is too old. */
export function readingsOf({ points, nowMs }: Pick<DiagnosisInput, 'points' | 'nowMs'>): Readings | null {
  const all = points
    .filter(isWhole)
    // Most points are single readings, and there are thousands, so those are not copied.
    .map((point) => (point.spanMs === 0 ? point : { ...point, atMs: point.atMs + point.spanMs }))
    .filter(({ atMs }) => atMs <= nowMs + aheadMs && atMs >= nowMs - lookBackMs)
    .sort((a, b) => a.atMs - b.atMs);
  const latest = all.at(-1);
  if (latest === undefined || nowMs - latest.atMs > staleAfterMs) return null;
  return { stretch: newestStretch(all), latest, all };
}

function newestStretch(all: readonly HealthPoint[]): readonly HealthPoint[] {
  for (let index = all.length - 1; index > 0; index -= 1) {
    const [before, after] = [all[index - 1], all[index]];
    if (before === undefined || after === undefined || after.atMs - before.atMs > gapMs + after.spanMs)
      return all.slice(index);
  }
  return all;
}

/** Counts come from the network through a database. A point with an invalid count is not used. */
function isWhole(point: HealthPoint): boolean {
  return (
    Number.isFinite(point.atMs) &&
    isCount(point.spanMs) &&
    isCount(point.inQueue) &&
    isCount(point.inProgress) &&
    isCount(point.running) &&
    isCount(point.idle) &&
    isCount(point.completed) &&
    isCount(point.failed) &&
    isCount(point.retried) &&
    isCount(point.initializing ?? 0) &&
    isCount(point.throttled ?? 0) &&
    isCount(point.unhealthy ?? 0)
  );
}

function isCount(value: number): boolean {
  return value >= 0 && value < Infinity;
}

/** Workers that take jobs, or could. */
export function upWorkers({ idle, running }: HealthPoint): number {
  return idle + running;
}

/** Jobs wait and no worker is seen. Jobs in progress prove a worker, whatever the worker counts say. */
export function isWithoutWorker(reading: HealthPoint): boolean {
  return reading.inQueue > 0 && upWorkers(reading) === 0 && reading.inProgress === 0;
}

/**
 * Since when a condition has been true without interruption in the newest stretch. Null if it is not true now. A single
 * reading in between does not interrupt it, if jobs waited then too.
 */
export function heldSinceMs(stretch: readonly HealthPoint[], holds: (reading: HealthPoint) => boolean): number | null {
  let sinceMs: number | null = null;
  for (const reading of stretch.toReversed()) {
    if (holds(reading)) {
      if (sinceMs !== null && sinceMs - reading.atMs > gapMs) return sinceMs;
      sinceMs = reading.atMs;
    } else if (sinceMs === null || reading.inQueue === 0 || sinceMs - reading.atMs > blipMs / 2) {
      return sinceMs;
    }
  }
  return sinceMs;
}

/** The increases of the counters between adjacent readings, oldest first. */
export function counterIncreases(stretch: readonly HealthPoint[]): CounterIncrease[] {
  const increases: CounterIncrease[] = [];
  let before = stretch[0];
  for (const after of stretch) {
    if (before === undefined || before === after) continue;
    const completed = after.completed - before.completed;
    const failed = after.failed - before.failed;
    const retried = after.retried - before.retried;
    const isAnew = completed < 0 || failed < 0 || retried < 0;
    increases.push(
      isAnew
        ? { fromMs: before.atMs, atMs: after.atMs, completed: 0, failed: 0, retried: 0 }
        : { fromMs: before.atMs, atMs: after.atMs, completed, failed, retried },
    );
    before = after;
  }
  return increases;
}

/** The readings of the stretch since `sinceMs`. */
export function since(stretch: readonly HealthPoint[], sinceMs: number): readonly HealthPoint[] {
  return stretch.filter(({ atMs }) => atMs >= sinceMs);
}

/** The least value, or Infinity if there is none. There may be more values than an argument list can have. */
export function min(values: readonly number[]): number {
  return values.reduce((min, value) => Math.min(min, value), Infinity);
}

/** The short window is used if enough jobs ended in it for a fair mean: it follows changes in the number of workers. */
const windows = { short: 120_000, long: 300_000, endsEnough: 5 } as const;
const minSpanMs = 15_000;

/** How fast jobs end, in whatever way: each end makes room for a waiting job. */
export interface Pace {
  /** Jobs that ended in the window. */
  ends: number;
  spanMs: number;
  perMinute: number;
  /** The upper bound: the mean plus two standard deviations of so few random ends. */
  maxPerMinute: number;
}

/** The pace since `sinceMs`, of the last two minutes, or of five if few jobs end. Null if that is too short a time. */
export function paceSince(stretch: readonly HealthPoint[], sinceMs: number): Pace | null {
  const short = paceWithin(stretch, sinceMs, windows.short);
  return short !== null && short.ends >= windows.endsEnough ? short : paceWithin(stretch, sinceMs, windows.long);
}

function paceWithin(stretch: readonly HealthPoint[], sinceMs: number, windowMs: number): Pace | null {
  const latestMs = stretch.at(-1)?.atMs ?? 0;
  const readings = since(stretch, Math.max(sinceMs, latestMs - windowMs));
  const spanMs = latestMs - (readings[0]?.atMs ?? latestMs);
  if (spanMs < minSpanMs) return null;
  const ends = counterIncreases(readings).reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const minutes = spanMs / minuteMs;
  return { ends, spanMs, perMinute: ends / minutes, maxPerMinute: (ends + 1 + 2 * Math.sqrt(ends + 1)) / minutes };
}

/**
 * The change of the queue in jobs per minute, over the last two minutes but not before `sinceMs`: between the means of
 * the first and the last third. Null if that is too short a time.
 */
export function queueTrend(stretch: readonly HealthPoint[], sinceMs: number): number | null {
  const latestMs = stretch.at(-1)?.atMs ?? 0;
  const readings = since(stretch, Math.max(sinceMs, latestMs - windows.short));
  const third = Math.floor(readings.length / 3);
  const [first, last] = [readings.slice(0, third), readings.slice(-third)];
  if (third === 0) return null;
  const minutes = (meanOf(last, 'atMs') - meanOf(first, 'atMs')) / minuteMs;
  return minutes * minuteMs < minSpanMs / 2 ? null : (meanOf(last, 'inQueue') - meanOf(first, 'inQueue')) / minutes;
}

function meanOf(readings: readonly HealthPoint[], field: 'atMs' | 'inQueue'): number {
  return readings.reduce((sum, reading) => sum + reading[field], 0) / readings.length;
}
