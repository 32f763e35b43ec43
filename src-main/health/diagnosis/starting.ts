import {
  heldSinceMs,
  isWithoutWorker,
  counterIncreases,
  since,
  upWorkers,
  type Reading,
  type Readings,
} from './readings.ts';
import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { commonConditions, ageEvidence, waitingText, durationText } from './messages.ts';
import type { DiagnosisInput } from './input.ts';

/** The worker counts may omit a worker that is between two states. */
const quietMs = 10_000;
/** How long this counts as a start if no earlier one is known, and the bounds if one is. */
const startsWithinMs = { unknown: 120_000, least: 45_000, most: 600_000 } as const;
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
  if (initializing !== null && initializing > 0) return startsWithinMs.most;
  if (earlierMs === null) return startsWithinMs.unknown;
  return Math.min(startsWithinMs.most, Math.max(startsWithinMs.least, earlierMs * startsWithinTimes));
}

/** The longest time before `beforeMs` that jobs waited without a worker until there was one. */
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

/** A shorter start is not reported: it is normal. */
const reportedFromMs = 5_000;
const warnFromMs = 60_000;
/** More than twice as long as before is reported as a warning sooner. */
const slower = { times: 2, leastMs: 20_000 } as const;

/** Jobs wait while the first workers start. Usually nothing needs to be done. */
export function coldStart(input: DiagnosisInput, readings: Readings, starting: Starting): Diagnosis | null {
  const { sinceMs, lastsMs, initializing, earlierMs } = starting;
  // If no worker is starting, there is no start to report.
  if (lastsMs < reportedFromMs || (initializing === 0 && starting.attempts === 0)) return null;
  const isSlower = earlierMs !== null && lastsMs >= slower.leastMs && lastsMs >= earlierMs * slower.times;
  const isLong = lastsMs >= warnFromMs;
  const started =
    initializing === null || initializing === 0
      ? 'no worker is up yet'
      : `${formatCountOf(initializing, 'worker')} starting`;
  const before = earlierMs === null ? '' : ` It took ${durationText(earlierMs)} before.`;
  return {
    kind: 'cold-start',
    severity: isLong || isSlower ? 'warning' : 'notice',
    headline: `${waitingText(input, readings)}, and ${started}`,
    explanation:
      initializing !== null && initializing > 0
        ? `The service says that ${formatCountOf(initializing, 'worker is', 'workers are')} starting.${before} Most ` +
          'likely jobs run as soon as the first is ready.'
        : `No workers yet.${before} The first is probably still starting` +
          `${initializing === null ? '; this service does not report it' : ''}.`,
    condition: commonConditions.staysInQueue,
    evidence: [
      `No worker for ${durationText(lastsMs)}`,
      initializing === null ? 'The service does not report starting workers' : `${initializing} starting`,
      earlierMs === null ? 'No earlier start was seen' : `Earlier start: ${durationText(earlierMs)}`,
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      earlierMs === null
        ? 'Wait for the start; a large image or model takes minutes the first time.'
        : `Wait: it took ${durationText(earlierMs)} before.`,
      ...(isLong || isSlower
        ? [
            "Check the starting worker's log in the service's console: it may still load its image or model.",
            'If no worker comes, check max workers there: with 0, none ever will.',
          ]
        : []),
      "To avoid this wait next time, keep a worker running: raise the endpoint's minimum workers in the " +
        "service's console.",
    ],
    sinceMs,
  };
}

const criticalFromMs = 300_000;
/** If a service reports that no worker is starting, that counts after this time. */
const nothingStartsFromMs = 15_000;

/** True if this is no longer a cold start: no worker is starting, or it takes longer than a start can. */
export function isLeftWithoutWorkers({ isNothingStarting, lastsMs, withinMs }: Starting): boolean {
  return (isNothingStarting && lastsMs >= nothingStartsFromMs) || lastsMs >= withinMs;
}

/** Jobs wait, there is no worker, and none is starting. */
export function noWorkers(input: DiagnosisInput, readings: Readings, starting: Starting): Diagnosis {
  const { sinceMs, lastsMs, initializing, isNothingStarting, earlierMs } = starting;
  const inferred = isNothingStarting
    ? 'The service reports no worker, running or starting. Most likely max workers is 0, or these jobs never ' +
      'scale up (lowPriority), or the account is not allowed to start any.'
    : `No worker was seen for ${durationText(lastsMs)}, longer than a start ` +
      `${earlierMs === null ? 'usually takes' : `took before (${durationText(earlierMs)})`}. Most likely max workers ` +
      'is 0, or workers crash while starting.';
  return {
    kind: 'no-workers',
    severity: lastsMs >= criticalFromMs ? 'critical' : 'warning',
    headline: `${waitingText(input, readings)}, and no worker for ${durationText(lastsMs)}`,
    explanation: inferred,
    condition: commonConditions.staysInQueue,
    evidence: [
      `0 idle, 0 running for ${durationText(lastsMs)}`,
      initializing === null ? 'The service does not report starting workers' : `${initializing} starting`,
      'Nothing completed',
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      "Check the endpoint's max workers in the service's console, and raise it if it is 0.",
      'Check the log of the last worker there: one that crashes while starting is not counted here.',
      'Submit one job without lowPriority: jobs with it never start a worker.',
      'Purge the queue if these jobs are no longer needed, or extend the lifetime of those that are.',
    ],
    sinceMs,
  };
}
