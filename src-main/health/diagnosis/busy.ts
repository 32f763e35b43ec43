import { paceSince, queueTrend } from './pace.ts';
import type { Pace } from './pace.ts';
import { heldSinceMs, since, upWorkers } from './readings.ts';
import type { Reading, Readings } from './readings.ts';
import { rate, spanWords } from './messages.ts';

/** A queue that is empty again so soon is none: short waits are what a queue is for. */
const soonClearMs = { growing: 15_000, steady: 30_000, falling: 120_000 } as const;
/** So long the number of workers must have stood for a pace of its own. */
const measuredForMs = 20_000;
/** Slower changes than a tenth of the queue a minute are none. */
const steadyShare = 0.1;
const minuteMs = 60_000;

/** Jobs wait and no worker is idle: since when, and what becomes of the queue. */
export interface Busy {
  sinceMs: number;
  lastsMs: number;
  /** Since when the number of workers has not risen. */
  flatSinceMs: number;
  /** The most workers that were up at once. */
  mostUp: number;
  pace: Pace | null;
  /** How long until the queue is empty at this pace, if nothing else arrives; null while nothing ends. */
  clearsInMs: number | null;
  /** Jobs a minute; null when it is too early to say. */
  trendPerMinute: number | null;
  isFalling: boolean;
  isGrowing: boolean;
  /** The queue clears by itself before anyone has done anything about it. */
  isSoonClear: boolean;
}

/** Null when no jobs wait or a worker is idle. Whether any worker is up is not asked. */
export function busyOf({ stretch, latest }: Readings, holds: (reading: Reading) => boolean): Busy | null {
  const sinceMs = heldSinceMs(stretch, (reading) => reading.inQueue > 0 && reading.idle === 0 && holds(reading));
  if (sinceMs === null) return null;
  const readings = since(stretch, sinceMs);
  const flatSinceMs = lastRiseMs(readings) ?? sinceMs;
  // Fewer workers before say little of what becomes of the queue.
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
    mostUp: readings.reduce((most, reading) => Math.max(most, upWorkers(reading)), 0),
    pace,
    clearsInMs,
    trendPerMinute,
    isFalling,
    isGrowing,
    isSoonClear:
      clearsInMs !== null && clearsInMs < soonClearMs[isFalling ? 'falling' : isGrowing ? 'growing' : 'steady'],
  };
}

function lastRiseMs(readings: readonly Reading[]): number | null {
  let most = Infinity;
  let roseAtMs: number | null = null;
  for (const reading of readings) {
    if (upWorkers(reading) > most) roseAtMs = reading.atMs;
    most = most === Infinity ? upWorkers(reading) : Math.max(most, upWorkers(reading));
  }
  return roseAtMs;
}

/** What becomes of the queue, in a few words. */
export function trendEvidence({ trendPerMinute, isFalling, isGrowing, clearsInMs }: Busy): string[] {
  const evidence: string[] = [];
  if (trendPerMinute !== null && isGrowing) evidence.push(`Queue grows by ${rate(trendPerMinute)} jobs a minute`);
  else if (trendPerMinute !== null && isFalling)
    evidence.push(`Queue shrinks by ${rate(-trendPerMinute)} jobs a minute`);
  else if (trendPerMinute !== null) evidence.push('Queue neither grows nor shrinks');
  evidence.push(
    clearsInMs === null
      ? 'Nothing ended in this time'
      : `Clears in about ${spanWords(clearsInMs)} if nothing else arrives`,
  );
  return evidence;
}
