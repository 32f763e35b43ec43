import type { HealthPoint } from '../../../src-preload/health.ts';
import { heldSinceMs, isWithoutWorker, counterIncreases, since, upWorkers, type Readings } from './readings.ts';

/** The worker counts may omit a worker that is between two states. */
const quietMs = 10_000;
/** How long this counts as a start if no earlier one is known, and the bounds if one is. */
const startsWithinMs = { unknown: 120_000, min: 45_000, max: 600_000 } as const;
/** If it takes more than this many times as long as an earlier start, it is no longer a start. */
const startsWithinTimes = 3;

/** Jobs wait and there is no worker: what is known of workers that may be starting. */
export interface Starting {
  sinceMs: number;
  lastsMs: number;
  /** Workers that are starting now. Null if the service does not report them (ruling 27). */
  initializing: number | null;
  /** True if the service reports that no worker is starting. */
  isNothingStarting: boolean;
  /** How many workers began to start in that time. 0 if that is not known. */
  attempts: number;
  /** The duration of the longest earlier start. Null if none was seen. */
  earlierMs: number | null;
  /** How long this may count as a start. */
  withinMs: number;
}

/** Null while there is a worker, or the queue is empty. */
export function startingOf({ stretch, latest, all }: Readings): Starting | null {
  const heldMs = heldSinceMs(stretch, isWithoutWorker);
  if (heldMs === null) return null;
  // A completed job in between proves a worker, even if no reading showed one.
  const seenAtWork = counterIncreases(since(stretch, heldMs)).findLast(({ completed }) => completed > 0);
  const sinceMs = seenAtWork?.atMs ?? heldMs;
  const readings = since(stretch, sinceMs);
  const { initializing } = latest;
  const lastsMs = latest.atMs - sinceMs;
  const earlierMs = longestStart(all, sinceMs);
  return {
    sinceMs,
    lastsMs,
    initializing,
    isNothingStarting:
      lastsMs >= quietMs && since(readings, latest.atMs - quietMs).every((reading) => reading.initializing === 0),
    attempts: readings.filter(
      (reading, index) => (reading.initializing ?? 0) > 0 && (index === 0 || readings[index - 1]?.initializing === 0),
    ).length,
    earlierMs,
    withinMs: withinOf(earlierMs, initializing),
  };
}

function withinOf(earlierMs: number | null, initializing: number | null): number {
  // If the service reports a start, it may take longer.
  if (initializing !== null && initializing > 0) return startsWithinMs.max;
  if (earlierMs === null) return startsWithinMs.unknown;
  return Math.min(startsWithinMs.max, Math.max(startsWithinMs.min, earlierMs * startsWithinTimes));
}

/** The longest that jobs waited for a first worker, before `beforeMs`. */
function longestStart(all: readonly HealthPoint[], beforeMs: number): number | null {
  let longestMs: number | null = null;
  let sinceMs: number | null = null;
  for (const reading of all) {
    if (reading.atMs >= beforeMs) break;
    if (isWithoutWorker(reading)) sinceMs ??= reading.atMs;
    else {
      if (sinceMs !== null && upWorkers(reading) > 0) longestMs = Math.max(longestMs ?? 0, reading.atMs - sinceMs);
      sinceMs = null;
    }
  }
  return longestMs;
}
