import { dayMs, hourMs, minuteMs } from '../../../src-preload/durations.ts';
import type { HealthPoint, HealthSeries } from '../../../src-preload/health.ts';

/**
 * Points as plain numbers, one after another: a year of them crosses to another thread, or lies in the database, as
 * one piece of memory. A point is `columns.length` numbers; NaN stands for null (ruling 27: the service does not tell).
 */
export type PackedPoints = Float64Array;

/** An endpoint's points, packed, oldest first. */
export interface PackedSeries {
  connectionId: string;
  endpointId: string;
  points: PackedPoints;
}

/** The order of a point's numbers. It is in files: append only. */
const columns = [
  'atMs',
  'spanMs',
  'inQueue',
  'mostInQueue',
  'inProgress',
  'running',
  'idle',
  'initializing',
  'ready',
  'throttled',
  'unhealthy',
  'completed',
  'failed',
  'retried',
] as const satisfies readonly (keyof HealthPoint)[];
const width = columns.length;

/** Packs points in their order. */
export function packPoints(points: readonly HealthPoint[]): PackedPoints {
  const packed = new Float64Array(points.length * width);
  let at = 0;
  for (const point of points) {
    for (const column of columns) {
      packed[at] = point[column] ?? Number.NaN;
      at += 1;
    }
  }
  return packed;
}

/** The points of `packed`, in their order. */
export function unpackPoints(packed: PackedPoints): HealthPoint[] {
  const points: HealthPoint[] = [];
  const cell = (at: number): number => packed[at] ?? 0;
  const known = (at: number): number | null => (Number.isNaN(packed[at]) ? null : cell(at));
  for (let at = 0; at + width <= packed.length; at += width) {
    points.push({
      atMs: cell(at),
      spanMs: cell(at + 1),
      inQueue: cell(at + 2),
      mostInQueue: cell(at + 3),
      inProgress: cell(at + 4),
      running: cell(at + 5),
      idle: cell(at + 6),
      initializing: known(at + 7),
      ready: known(at + 8),
      throttled: known(at + 9),
      unhealthy: known(at + 10),
      completed: cell(at + 11),
      failed: cell(at + 12),
      retried: cell(at + 13),
    });
  }
  return points;
}

/** As windows know it. */
export function unpackSeries({ connectionId, endpointId, points }: PackedSeries): HealthSeries {
  return { connectionId, endpointId, points: unpackPoints(points) };
}

/** What of `packed`, oldest first, reaches into the time from `sinceMs` on. The memory is shared, not copied. */
export function pointsSince(packed: PackedPoints, sinceMs: number): PackedPoints {
  let at = 0;
  while (at < packed.length && (packed[at] ?? 0) < sinceMs && (packed[at] ?? 0) + (packed[at + 1] ?? 0) <= sinceMs)
    at += width;
  return packed.subarray(at);
}

/** Several stretches as one. */
export function joinPoints(stretches: readonly PackedPoints[]): PackedPoints {
  const joined = new Float64Array(stretches.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const stretch of stretches) {
    joined.set(stretch, at);
    at += stretch.length;
  }
  return joined;
}

/** As the database keeps it. */
export function pointsToBytes(packed: PackedPoints): Uint8Array {
  return new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
}

/** What `pointsToBytes` gave. A copy: bytes from the database do not lie at a number's boundary. */
export function pointsFromBytes(bytes: Uint8Array): PackedPoints {
  const packed = new Float64Array(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT);
  new Uint8Array(packed.buffer).set(bytes);
  return packed;
}

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
