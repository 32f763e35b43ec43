import type { HealthPoint } from '../../../src-preload/health.ts';
import { minuteMs } from '../../../src-preload/durations.ts';
import { paceSince, queueTrend, type Pace, heldSinceMs, since, upWorkers, type Readings } from './readings.ts';
import { trendText } from '../../messages/health/queue.ts';

/** A queue that will be empty this soon is not reported: short waits are normal. */
const soonClearMs = { growing: 15_000, steady: 30_000, falling: 120_000 } as const;
/** The number of workers must have been stable for this long before the pace is measured for it. */
const measuredForMs = 20_000;
/** A change of less than this share of the queue per minute counts as none. */
const steadyShare = 0.1;

/** Jobs wait and no worker is idle: since when, and how the queue develops. */
export interface Backlog {
  sinceMs: number;
  lastsMs: number;
  /** Since when the number of workers has not risen. */
  flatSinceMs: number;
  /** The most workers that were up at the same time. */
  maxUp: number;
  pace: Pace | null;
  /** The time until the queue is empty at this pace if no more jobs arrive. Null while none end. */
  clearsInMs: number | null;
  /** Jobs per minute. Null if it is too early to say. */
  trendPerMinute: number | null;
  isFalling: boolean;
  isGrowing: boolean;
  /** The queue will be empty before the user could do anything about it. */
  isSoonClear: boolean;
}

/** Null if no jobs wait or a worker is idle. Whether any worker is up is not checked. */
export function backlogOf({ stretch, latest }: Readings, holds: (reading: HealthPoint) => boolean): Backlog | null {
  const sinceMs = heldSinceMs(stretch, (reading) => reading.inQueue > 0 && reading.idle === 0 && holds(reading));
  if (sinceMs === null) return null;
  const readings = since(stretch, sinceMs);
  const flatSinceMs = lastRiseMs(readings) ?? sinceMs;
  // An earlier, smaller number of workers says little about the present pace.
  const measuredFromMs = latest.atMs - flatSinceMs >= measuredForMs ? flatSinceMs : sinceMs;
  const pace = paceSince(stretch, measuredFromMs);
  const clearsInMs = pace === null || pace.perMinute === 0 ? null : (latest.inQueue / pace.perMinute) * minuteMs;
  const trendPerMinute = queueTrend(stretch, measuredFromMs);
  const steady = Math.max(1, latest.inQueue * steadyShare);
  const isFalling = trendPerMinute !== null && trendPerMinute < -steady;
  const isGrowing = trendPerMinute !== null && trendPerMinute > steady;
  return {
    sinceMs,
    lastsMs: latest.atMs - sinceMs,
    flatSinceMs,
    maxUp: readings.reduce((max, reading) => Math.max(max, upWorkers(reading)), 0),
    pace,
    clearsInMs,
    trendPerMinute,
    isFalling,
    isGrowing,
    isSoonClear:
      clearsInMs !== null && clearsInMs < soonClearMs[isFalling ? 'falling' : isGrowing ? 'growing' : 'steady'],
  };
}

function lastRiseMs(readings: readonly HealthPoint[]): number | null {
  let max = Infinity;
  let roseAtMs: number | null = null;
  for (const reading of readings) {
    if (upWorkers(reading) > max) roseAtMs = reading.atMs;
    max = max === Infinity ? upWorkers(reading) : Math.max(max, upWorkers(reading));
  }
  return roseAtMs;
}

/** How the queue develops, in a few words. */
export function trendEvidence({ trendPerMinute, isFalling, isGrowing, pace }: Backlog): string[] {
  const evidence: string[] = [];
  if (trendPerMinute !== null && isGrowing) evidence.push(trendText.grows(trendPerMinute));
  else if (trendPerMinute !== null && isFalling) evidence.push(trendText.shrinks(-trendPerMinute));
  else if (trendPerMinute !== null) evidence.push(trendText.steady);
  // Only the pace. The pane itself shows when the queue will be empty, by a longer time.
  evidence.push(pace === null || pace.perMinute === 0 ? trendText.noneEnds : trendText.pace(pace.perMinute));
  return evidence;
}
