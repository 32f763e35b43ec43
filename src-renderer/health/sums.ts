import type { HealthPoint } from '../../src-preload/health.ts';
import { counters, counterIncrease, type Counter } from './rates.ts';
import { endOf, holdMs, isSilence } from './runs.ts';

/** The position in one endpoint's points while the sum moves through time. */
interface Reader {
  points: readonly HealthPoint[];
  /** Index of the last point at or before the current time of the sum. -1 before the first. */
  at: number;
  /** The increase of each counter since its first point. A counter that restarts does not reduce the sum. */
  risen: Record<Counter, number>;
}

/**
 * Several endpoints' points as one series: the sum of their gauges at every time at which any of them was read, in
 * steps of `stepMs`. Each endpoint counts with its last reading, or not at all during a gap. Counters are the increase
 * since the first points. Pure.
 */
export function sumPoints(series: readonly (readonly HealthPoint[])[], stepMs: number): HealthPoint[] {
  const readers: Reader[] = series.map((points) => ({
    points,
    at: -1,
    risen: { completed: 0, failed: 0, retried: 0 },
  }));
  const cells = new Set<number>();
  for (const points of series) for (const point of points) cells.add(Math.floor(point.atMs / stepMs));
  const sums: HealthPoint[] = [];
  for (const cell of [...cells].sort((one, other) => one - other)) {
    const untilMs = (cell + 1) * stepMs;
    for (const reader of readers) read(reader, untilMs);
    const known = readers.flatMap((reader) => holding(reader, cell * stepMs));
    const [first] = known;
    if (first === undefined) continue;
    sums.push({
      ...added(known),
      atMs: Math.max(cell * stepMs, newest(known)),
      spanMs: Math.max(...known.map((point) => point.spanMs)),
      ...countedBy(readers),
    });
  }
  return sums;
}

/** Moves a reader to the last point before `untilMs`. */
function read(reader: Reader, untilMs: number): void {
  for (;;) {
    const next = reader.points[reader.at + 1];
    if (next === undefined || next.atMs >= untilMs) return;
    const before = reader.points[reader.at];
    if (before !== undefined)
      for (const counter of counters) reader.risen[counter] += counterIncrease(before[counter], next[counter]);
    reader.at += 1;
  }
}

/** The point that is valid at `atMs`, if any. */
function holding({ points, at }: Reader, atMs: number): HealthPoint[] {
  const point = points[at];
  if (point === undefined) return [];
  const next = points[at + 1];
  const isHeld = next !== undefined && !isSilence(point, next.atMs);
  return isHeld || endOf(point) + holdMs >= atMs || (next === undefined && !isSilence(point, atMs)) ? [point] : [];
}

function newest(points: readonly HealthPoint[]): number {
  return Math.max(...points.map((point) => point.atMs));
}

function added(points: readonly HealthPoint[]): Omit<HealthPoint, 'atMs' | 'spanMs' | Counter> {
  const sum = (of: (point: HealthPoint) => number): number => points.reduce((all, point) => all + of(point), 0);
  const sumReported = (of: (point: HealthPoint) => number | null): number | null =>
    points.every((point) => of(point) === null) ? null : sum((point) => of(point) ?? 0);
  return {
    inQueue: sum((point) => point.inQueue),
    maxInQueue: sum((point) => point.maxInQueue),
    inProgress: sum((point) => point.inProgress),
    running: sum((point) => point.running),
    idle: sum((point) => point.idle),
    initializing: sumReported((point) => point.initializing),
    ready: sumReported((point) => point.ready),
    throttled: sumReported((point) => point.throttled),
    unhealthy: sumReported((point) => point.unhealthy),
  };
}

function countedBy(readers: readonly Reader[]): Record<Counter, number> {
  const sum = (counter: Counter): number => readers.reduce((all, reader) => all + reader.risen[counter], 0);
  return { completed: sum('completed'), failed: sum('failed'), retried: sum('retried') };
}
