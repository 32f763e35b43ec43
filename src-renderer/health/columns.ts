import type { HealthPoint } from '../../src-preload/health.ts';
import { endOf, holdMs, isSilence, maxSilenceMs, runsOf, thin } from './runs.ts';

/** The values of a point that are drawn. Worker counts that the service does not report are null (ruling 27). */
const gauges = ['queued', 'inProgress', 'running', 'idle', 'initializing', 'ready', 'throttled', 'unhealthy'] as const;
export type Gauge = (typeof gauges)[number];

/** A period without readings. Epoch milliseconds. */
interface Gap {
  fromMs: number;
  toMs: number;
}

/** Points in the form a chart needs: one row for each time, null for unknown values. */
export interface Columns {
  atMs: number[];
  values: Record<Gauge, (number | null)[]>;
  gaps: Gap[];
}

/** The value of a gauge at a point. For a point that stands for several readings, `queued` is the highest of them. */
function gaugeOf(point: HealthPoint, gauge: Gauge): number | null {
  switch (gauge) {
    case 'queued':
      return point.maxInQueue;
    case 'inProgress':
      return point.inProgress;
    case 'running':
      return point.running;
    case 'idle':
      return point.idle;
    case 'initializing':
      return point.initializing;
    case 'ready':
      return point.ready;
    case 'throttled':
      return point.throttled;
    case 'unhealthy':
      return point.unhealthy;
  }
}

/**
 * The points between `fromMs` and `toMs` (now) in columns of `columnMs`. A value is valid until the next one, the last
 * one until now. After a period without readings nothing is joined: a row of nulls ends the line, and the period is a
 * gap.
 */
export function chartColumns(points: readonly HealthPoint[], fromMs: number, toMs: number, columnMs: number): Columns {
  const columns: Columns = {
    atMs: [],
    values: {
      queued: [],
      inProgress: [],
      running: [],
      idle: [],
      initializing: [],
      ready: [],
      throttled: [],
      unhealthy: [],
    },
    gaps: [],
  };
  const add = (atMs: number, point: HealthPoint | null): void => {
    // A chart needs ascending times to find a position.
    if (atMs <= (columns.atMs.at(-1) ?? -1)) return;
    columns.atMs.push(atMs);
    for (const gauge of gauges) columns.values[gauge].push(point === null ? null : gaugeOf(point, gauge));
  };
  const addGap = (gapFromMs: number, gapToMs: number): void => {
    const gap = { fromMs: Math.max(fromMs, gapFromMs), toMs: Math.min(toMs, gapToMs) };
    if (gap.toMs > gap.fromMs) columns.gaps.push(gap);
  };

  const runs = runsOf(points.filter((point) => point.atMs <= toMs));
  const [first] = runs[0] ?? [];
  if (first === undefined) addGap(fromMs, toMs);
  else if (first.atMs - fromMs >= maxSilenceMs) addGap(fromMs, first.atMs);

  runs.forEach((run, index) => {
    const last = run.at(-1);
    if (last === undefined) return;
    const nextMs = runs[index + 1]?.[0]?.atMs ?? toMs;
    const isEnded = isSilence(last, nextMs);
    const endMs = isEnded ? endOf(last) + (last.spanMs === 0 ? holdMs : 0) : nextMs;
    if (isEnded) addGap(endMs, nextMs);
    if (endMs < fromMs) return;
    for (const point of thin(inView(run, fromMs), columnMs)) add(point.atMs, point);
    add(endMs, last);
    if (isEnded) add(endMs + 1, null);
  });
  return columns;
}

/** A run, starting with the point that is valid at `fromMs`. */
function inView(run: readonly HealthPoint[], fromMs: number): readonly HealthPoint[] {
  const after = run.findIndex((point) => point.atMs > fromMs);
  return after === -1 ? run.slice(-1) : run.slice(Math.max(0, after - 1));
}

/** Whether the service reported this gauge at any time of the chart. */
export function isReported(columns: Columns, gauge: Gauge): boolean {
  return columns.values[gauge].some((value) => value !== null);
}

/** The index of the row that is valid at `atMs`. Before the first row it is 0; without rows it is -1. */
export function rowAt(columns: Columns, atMs: number): number {
  const after = columns.atMs.findIndex((time) => time > atMs);
  return after === -1 ? columns.atMs.length - 1 : Math.max(0, after - 1);
}
