import { minuteMs } from '../../../src-preload/durations.ts';
import {
  paceSince,
  queueTrend,
  type Pace,
  heldSinceMs,
  since,
  upWorkers,
  type Reading,
  type Readings,
  counterIncreases,
} from './readings.ts';
import { rate, durationText, commonConditions, ageEvidence, waitingText } from './messages.ts';
import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput } from './input.ts';

/** A queue that will be empty this soon is not reported: short waits are normal. */
const soonClearMs = { growing: 15_000, steady: 30_000, falling: 120_000 } as const;
/** The number of workers must have been stable for this long before the pace is measured for it. */
const measuredForMs = 20_000;
/** A change of less than this share of the queue per minute counts as none. */
const steadyShare = 0.1;

/** Jobs wait and no worker is idle: since when, and how the queue develops. */
interface Busy {
  sinceMs: number;
  lastsMs: number;
  /** Since when the number of workers has not risen. */
  flatSinceMs: number;
  /** The most workers that were up at the same time. */
  mostUp: number;
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
function busyOf({ stretch, latest }: Readings, holds: (reading: Reading) => boolean): Busy | null {
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

/** How the queue develops, in a few words. */
function trendEvidence({ trendPerMinute, isFalling, isGrowing, pace }: Busy): string[] {
  const evidence: string[] = [];
  if (trendPerMinute !== null && isGrowing) evidence.push(`Queue grows by ${rate(trendPerMinute)} jobs a minute`);
  else if (trendPerMinute !== null && isFalling)
    evidence.push(`Queue shrinks by ${rate(-trendPerMinute)} jobs a minute`);
  else if (trendPerMinute !== null) evidence.push('Queue is steady');
  // Only the pace. When the queue will be empty is a figure of the pane, which is computed over a longer time.
  evidence.push(
    pace === null || pace.perMinute === 0
      ? 'No job ended in this time'
      : `About ${rate(pace.perMinute)} jobs end a minute`,
  );
  return evidence;
}

/** More workers may be starting. If the service does not report that, wait longer. */
const flatFromMs = { known: 30_000, unknown: 45_000 } as const;
const warnFromMs = 120_000;

/** Every worker is busy and no more are starting. Null for a queue that will be empty soon, and while workers start. */
export function allBusy(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest } = readings;
  const busy = busyOf(readings, (reading) => reading.inProgress > 0);
  if (busy === null || busy.isSoonClear || (latest.initializing ?? 0) > 0) return null;
  const flatMs = latest.atMs - busy.flatSinceMs;
  if (flatMs < (latest.initializing === null ? flatFromMs.unknown : flatFromMs.known)) return null;
  const isWarning = !busy.isFalling && (busy.isGrowing || busy.lastsMs >= warnFromMs);
  const { running, inProgress } = latest;
  // A service may count a job before it counts its worker.
  const busyWorkers = Math.max(running, 1);
  return {
    kind: 'all-busy',
    severity: isWarning ? 'warning' : 'notice',
    headline: `${waitingText(input, readings)}, and no idle worker for ${durationText(busy.lastsMs)}`,
    explanation:
      `${holdText(busyWorkers, inProgress)}, and the worker count has not risen for ${durationText(flatMs)}. ` +
      inference(busy, latest.initializing),
    condition: commonConditions.staysInQueue,
    evidence: [
      `${busyWorkers} of ${formatCountOf(Math.max(busy.mostUp, busyWorkers), 'worker')} busy for ` +
        durationText(busy.lastsMs),
      ...trendEvidence(busy),
      failuresText(readings, busy.sinceMs),
      ...ageEvidence(input, readings),
    ],
    tryNext: busy.isFalling
      ? [
          // When the queue will be empty is a figure of the pane. A second estimate here could contradict it.
          'Wait: the queue is getting shorter.',
          "Raise max workers in the service's console if that is too long.",
        ]
      : [
          "Raise the endpoint's max workers in the service's console.",
          'Submit fewer jobs at once, or purge the waiting jobs that are no longer needed.',
          'Extend the lifetime of jobs whose ttl would end before their turn.',
        ],
    sinceMs: busy.sinceMs,
  };
}

/** "Every running worker holds a job", if the counts show that. */
function holdText(workers: number, inProgress: number): string {
  if (inProgress < workers)
    return `${formatCountOf(inProgress, 'job is', 'jobs are')} in progress on ${workers} workers, none of them idle`;
  return workers === 1 ? 'The one running worker holds a job' : 'Every running worker holds a job';
}

function inference({ isFalling }: Busy, initializing: number | null): string {
  if (isFalling)
    return 'The queue is getting shorter: most likely this clears up on its own, at the pace max workers allows.';
  const more = initializing === null ? ' Workers that are still starting do not show up here.' : '';
  return `Most likely the endpoint has reached its maximum number of workers.${more}`;
}

function failuresText({ stretch }: Readings, sinceMs: number): string {
  const failed = counterIncreases(since(stretch, sinceMs)).reduce((sum, rise) => sum + rise.failed, 0);
  return failed === 0 ? 'No rise in failures' : `${formatCountOf(failed, 'job')} failed in this time`;
}

const fromMs = { notice: 10_000, warning: 30_000, critical: 300_000 } as const;

/**
 * Jobs wait and workers are throttled (ruling 27: only if the service reports it). Null if jobs wait for another
 * reason.
 */
export function throttled(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest } = readings;
  const busy = busyOf(readings, (reading) => (reading.throttled ?? 0) > 0);
  const isNoneUp = upWorkers(latest) === 0;
  if (busy === null || busy.lastsMs < (isNoneUp ? fromMs.notice : fromMs.warning) || (busy.isSoonClear && !isNoneUp))
    return null;
  const count = latest.throttled ?? 0;
  const heldBack = `${formatCountOf(count, 'worker')} throttled for ${durationText(busy.lastsMs)}`;
  return {
    kind: 'throttled',
    severity:
      isNoneUp && busy.lastsMs >= fromMs.critical ? 'critical' : busy.lastsMs >= fromMs.warning ? 'warning' : 'notice',
    headline: `${waitingText(input, readings)}, and ${heldBack}`,
    explanation:
      `${isNoneUp ? 'No worker runs' : formatCountOf(latest.running, 'worker runs', 'workers run')}; ` +
      'the service holds ' +
      `back ${count}. Most likely no host has a free machine of the kind this endpoint requires.`,
    condition: commonConditions.staysInQueue,
    evidence: [
      `${count} throttled, ${latest.running} running, ${latest.initializing ?? 0} starting`,
      ...trendEvidence(busy),
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      "Allow more kinds of machine or more regions for the endpoint in the service's console.",
      'Wait: throttled workers start when a machine becomes free.',
      'Extend the lifetime of jobs that must not be lost meanwhile, or purge the queue.',
    ],
    sinceMs: busy.sinceMs,
  };
}
