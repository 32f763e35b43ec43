import { rangeText } from '../messages/health/pane.ts';
import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../src-preload/durations.ts';
import type { HealthPoint } from '../../src-preload/health.ts';

/** The time span of the charts. */
export type RangeId = '15m' | '1h' | '6h' | '24h' | '7d' | '30d' | '1y';

export interface HealthRange {
  id: RangeId;
  label: string;
  /** As part of a sentence: "over the last hour". */
  phrase: string;
  spanMs: number;
  /** The time of one column of a chart. Readings closer together are drawn as one. */
  columnMs: number;
  /** The time of one bar of the rates. */
  barMs: number;
}

/** Ranges up to a week are shown side by side, longer ones in a menu. */
export const ranges: readonly HealthRange[] = [
  { id: '15m', ...rangeText['15m'], spanMs: 15 * minute, columnMs: 1_000, barMs: minute },
  { id: '1h', ...rangeText['1h'], spanMs: hour, columnMs: 5_000, barMs: 3 * minute },
  { id: '6h', ...rangeText['6h'], spanMs: 6 * hour, columnMs: 30_000, barMs: 15 * minute },
  { id: '24h', ...rangeText['24h'], spanMs: day, columnMs: 2 * minute, barMs: hour },
  { id: '7d', ...rangeText['7d'], spanMs: 7 * day, columnMs: 15 * minute, barMs: 6 * hour },
  { id: '30d', ...rangeText['30d'], spanMs: 30 * day, columnMs: hour, barMs: day },
  { id: '1y', ...rangeText['1y'], spanMs: 365 * day, columnMs: 12 * hour, barMs: 14 * day },
];

/** Points are loaded for at least this time, because the figures report on the last hour. */
const figuresSpanMs = hour + 10 * minute;

/** The range of an id. */
export function rangeOf(id: RangeId): HealthRange {
  const found = ranges.find((range) => range.id === id);
  if (found === undefined) throw new Error(`There is no range ${id}.`);
  return found;
}

/**
 * The first range: a quarter of an hour if there is less than an hour of readings, so that the chart is not nearly
 * empty.
 */
export function firstRange(points: readonly (readonly HealthPoint[])[], nowMs: number): RangeId {
  const oldestMs = Math.min(...points.flatMap(([first]) => (first === undefined ? [] : [first.atMs])));
  return oldestMs <= nowMs - hour ? '1h' : '15m';
}

/** The least that a chart shows. */
const minShownMs = minute;

/**
 * From when a chart of the range shows the points: on the first day there is nothing before the first reading, and that
 * is not a gap. Epoch milliseconds.
 */
export function chartFromMs(points: readonly HealthPoint[], { spanMs }: HealthRange, nowMs: number): number {
  const firstMs = Math.min(points[0]?.atMs ?? -Infinity, nowMs - minShownMs);
  return Math.max(nowMs - spanMs, firstMs);
}

/**
 * From when points are needed: a little more than the charts show, and never less than the figures need. Epoch
 * milliseconds.
 */
export function neededSinceMs(range: HealthRange, nowMs: number): number {
  return Math.max(0, nowMs - Math.max(figuresSpanMs, range.spanMs + 2 * range.columnMs));
}
