import { heldSinceMs, isWithoutWorker, risesOf, since, upWorkers } from './readings.ts';
import type { Reading, Readings } from './readings.ts';

/** The worker counts may leave out a worker that is just between two states. */
const quietMs = 10_000;
/** How long it is taken for a start when nothing is known of earlier ones, and in which bounds when there is. */
const startsWithinMs = { unknown: 120_000, least: 45_000, most: 600_000 } as const;
/** Of an earlier start: much more than this many times as long is no start any more. */
const startsWithinTimes = 3;

/** Jobs wait and no worker is there: what is known of workers that may be starting. */
export interface Starting {
  sinceMs: number;
  lastsMs: number;
  /** Workers that are starting now; null where the service does not say (ruling 27). */
  initializing: number | null;
  /** True when the service says that nothing is being started. */
  isNothingStarting: boolean;
  /** How often a worker began to start in that time; 0 where that is not known. */
  attempts: number;
  /** How long the longest earlier start took; null when none was seen. */
  earlierMs: number | null;
  /** How long it may be taken for a start. */
  withinMs: number;
}

/** Null while a worker is there or nothing waits. */
export function startingOf({ stretch, latest, all }: Readings): Starting | null {
  const heldMs = heldSinceMs(stretch, isWithoutWorker);
  if (heldMs === null) return null;
  // Who completed a job in between was there, if never when anyone looked.
  const seenAtWork = risesOf(since(stretch, heldMs)).findLast(({ completed }) => completed > 0);
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
  // Somebody who says that it starts is believed longer.
  if (initializing !== null && initializing > 0) return startsWithinMs.most;
  if (earlierMs === null) return startsWithinMs.unknown;
  return Math.min(startsWithinMs.most, Math.max(startsWithinMs.least, earlierMs * startsWithinTimes));
}

/** From when jobs waited without a worker until one was there: the longest of those before `beforeMs`. */
function longestStart(all: readonly Reading[], beforeMs: number): number | null {
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
