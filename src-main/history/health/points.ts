import { dayMs, hourMs, minuteMs } from '../../../src-preload/durations.ts';
import type { HealthPoint, HealthSeries } from '../../../src-preload/health.ts';

/**
 * Points as plain numbers, one after another, so that a year of them can be sent to another thread or saved as one
 * piece of memory. A point is `columns.length` numbers; NaN stands for null (ruling 27: not reported by the service).
 */
export type PackedPoints = Float64Array;

/** An endpoint's points, packed, oldest first. */
export interface PackedSeries {
  connectionId: string;
  endpointId: string;
  points: PackedPoints;
}

/** The order of a point's numbers. It is saved in files: append only. */
const columns = [
  'atMs',
  'spanMs',
  'inQueue',
  'maxInQueue',
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
      maxInQueue: cell(at + 3),
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

/** The series in the form of the windows. */
export function unpackSeries({ connectionId, endpointId, points }: PackedSeries): HealthSeries {
  return { connectionId, endpointId, points: unpackPoints(points) };
}

/** The part of `packed`, oldest first, since `sinceMs`. The memory is shared, not copied. */
export function pointsSince(packed: PackedPoints, sinceMs: number): PackedPoints {
  let at = 0;
  while (at < packed.length && (packed[at] ?? 0) < sinceMs && (packed[at] ?? 0) + (packed[at + 1] ?? 0) <= sinceMs)
    at += width;
  return packed.subarray(at);
}

/** Joins several stretches. */
export function joinPoints(stretches: readonly PackedPoints[]): PackedPoints {
  const joined = new Float64Array(stretches.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const stretch of stretches) {
    joined.set(stretch, at);
    at += stretch.length;
  }
  return joined;
}

/** The form of the database. */
export function pointsToBytes(packed: PackedPoints): Uint8Array {
  return new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
}

/** The inverse of `pointsToBytes`. Copied, because bytes from the database are not aligned for numbers. */
export function pointsFromBytes(bytes: Uint8Array): PackedPoints {
  const packed = new Float64Array(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT);
  new Uint8Array(packed.buffer).set(bytes);
  return packed;
}

/** Every reading is kept this long, */
const readingsKeptMs = hourMs;
/** then minutes, */
const minutesKeptMs = dayMs;
/** then hours, and nothing after that. */
const hoursKeptMs = 365 * dayMs;

/** Where one kind of point ends and the coarser one begins, in epoch milliseconds. */
export interface Ages {
  /** Readings before this are combined to minutes. */
  readingsFromMs: number;
  /** Minutes before this are combined to hours. */
  minutesFromMs: number;
  /** Hours before this are deleted. */
  hoursFromMs: number;
}

/**
 * The limits at `nowMs`. Each is a boundary of the coarser points, so that a minute or an hour is made once and
 * completely, and no two points cover the same time.
 */
export function agesAt(nowMs: number): Ages {
  return {
    readingsFromMs: beginOf(nowMs - readingsKeptMs, minuteMs),
    minutesFromMs: beginOf(nowMs - minutesKeptMs, hourMs),
    hoursFromMs: beginOf(nowMs - hoursKeptMs, dayMs),
  };
}

/** The beginning of the span of `spanMs` that contains `atMs`. */
export function beginOf(atMs: number, spanMs: number): number {
  return Math.floor(atMs / spanMs) * spanMs;
}

/**
 * Combines points, oldest first, into one for each span of `spanMs` that has any: the last gauges and counters, and the
 * highest number of waiting jobs.
 */
export function combinedBySpan(points: readonly HealthPoint[], spanMs: number): HealthPoint[] {
  const spans: HealthPoint[] = [];
  for (const point of points) {
    const atMs = beginOf(point.atMs, spanMs);
    const open = spans.at(-1);
    const maxInQueue = open?.atMs === atMs ? Math.max(open.maxInQueue, point.maxInQueue) : point.maxInQueue;
    if (open?.atMs === atMs) spans.pop();
    spans.push({ ...point, atMs, spanMs, maxInQueue });
  }
  return spans;
}
