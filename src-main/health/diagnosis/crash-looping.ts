import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { ageEvidence, waitingHeadline, whatWaits } from './waiting.ts';
import { type DiagnosisInput, hasTimedOut } from './input.ts';
import { heldSinceMs, counterIncreases, since, upWorkers, type Readings, type CounterIncrease } from './readings.ts';
import type { Starting } from './starting.ts';
import { commonConditions, evidenceText } from '../../messages/health/common.ts';
import { failingText, neverReadyText, notStartedText } from '../../messages/health/workers.ts';

const criticalFromMs = { failing: 60_000, notStarting: 300_000 } as const;
/** A worker may count as unhealthy while it starts. */
const unhealthyFromMs = 15_000;
/** This many failed starts are not a coincidence. */
const failedStarts = 3;
/** If workers leave jobs in the queue for this long, they probably do not start them. */
const notStartedFromMs = 60_000;

/** Failures and retries rise while nothing completes, or workers never become ready. */
export function crashLooping(input: DiagnosisInput, readings: Readings, starting: Starting | null): Diagnosis | null {
  const streak = failingStreak(input, readings);
  if (streak !== null) return ofStreak(input, readings, streak);
  return ofStarts(input, readings, starting) ?? ofJobsNotStarted(input, readings);
}

function ofStreak(input: DiagnosisInput, readings: Readings, streak: FailingStreak): Diagnosis {
  const { failed, retried, sinceMs, lastsMs, vanished, isSteady } = streak;
  const { latest } = readings;
  const unhealthy = latest.unhealthy ?? 0;
  return {
    kind: 'crash-looping',
    severity: lastsMs >= criticalFromMs.failing ? 'critical' : 'warning',
    headline: failingText.headline(failed, retried, lastsMs),
    explanation: isSteady ? failingText.workersStay : failingText.workersCrash,
    condition: failed > 0 ? commonConditions.endsFailed : commonConditions.staysInQueue,
    evidence: [
      failingText.counts(failed, retried, lastsMs),
      vanished > 0 ? failingText.vanished(vanished) : evidenceText.idleAndRunning(latest.idle, latest.running),
      ...(unhealthy > 0 ? [evidenceText.unhealthy(unhealthy)] : []),
      ...(latest.inQueue > 0 ? [whatWaits(input, readings)] : []),
      ...ageEvidence(input, readings),
    ],
    tryNext: isSteady ? failingText.tryIfWorkersStay : failingText.tryIfWorkersCrash,
    sinceMs,
  };
}

/** Workers start again and again but never become ready (ruling 27: only if the service reports it). */
function ofStarts(input: DiagnosisInput, readings: Readings, starting: Starting | null): Diagnosis | null {
  if (starting === null) return null;
  const { attempts, sinceMs, lastsMs } = starting;
  const { latest, stretch } = readings;
  const unhealthySinceMs = heldSinceMs(stretch, ({ unhealthy, inQueue }) => (unhealthy ?? 0) > 0 && inQueue > 0);
  const isUnhealthy = unhealthySinceMs !== null && latest.atMs - unhealthySinceMs >= unhealthyFromMs;
  if (!isUnhealthy && attempts < failedStarts) return null;
  const unhealthy = isUnhealthy ? (latest.unhealthy ?? 0) : null;
  return {
    kind: 'crash-looping',
    severity: lastsMs >= criticalFromMs.notStarting ? 'critical' : 'warning',
    ...waitingHeadline(input, readings, neverReadyText.headlineEnd({ unhealthy, starts: attempts, lastsMs })),
    explanation: neverReadyText.explanation({ unhealthy, starts: attempts }),
    condition: commonConditions.staysInQueue,
    evidence: [
      neverReadyText.workers(latest.initializing ?? 0),
      ...(unhealthy === null ? [] : [evidenceText.unhealthy(unhealthy)]),
      ...(attempts > 0 ? [neverReadyText.starts(attempts)] : []),
      ...ageEvidence(input, readings),
    ],
    tryNext: neverReadyText.tryNext,
    sinceMs,
  };
}

/**
 * Workers are up, but jobs stay in the queue. A service may count an idle worker as running, so only the jobs show what
 * runs.
 */
function ofJobsNotStarted(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest, stretch } = readings;
  const heldMs = heldSinceMs(
    stretch,
    (reading) => reading.inQueue > 0 && reading.inProgress === 0 && upWorkers(reading) > 0,
  );
  if (heldMs === null) return null;
  const sinceMs =
    counterIncreases(since(stretch, heldMs)).findLast(({ completed, failed }) => completed + failed > 0)?.atMs ??
    heldMs;
  const lastsMs = latest.atMs - sinceMs;
  if (lastsMs < notStartedFromMs) return null;
  return {
    kind: 'crash-looping',
    severity: 'warning',
    ...waitingHeadline(input, readings, notStartedText.headlineEnd(lastsMs)),
    explanation: notStartedText.explanation,
    condition: commonConditions.staysInQueue,
    evidence: [
      notStartedText.noneInProgress(lastsMs),
      evidenceText.idleAndRunning(latest.idle, latest.running),
      notStartedText.nothingEnded,
      ...ageEvidence(input, readings),
    ],
    tryNext: notStartedText.tryNext,
    sinceMs,
  };
}

/** A streak whose last failure is older than this is over. */
const freshMs = 180_000;
/**
 * This many failures in a row are not a coincidence. Fewer are enough if no job ever completed, or if workers
 * disappear.
 */
const enough = { alone: 5, supported: 3 } as const;
/**
 * Failures all at the same time are a bulk retry or one bad batch. There must be at least two readings and this time.
 */
const minSpanMs = 4_000;
/** That no job ever completed counts after this time of observation. */
const observedForMs = 30_000;

/** Failures and retries in a row, with no completed job in between. */
interface FailingStreak {
  failed: number;
  retried: number;
  sinceMs: number;
  lastsMs: number;
  /** How often the number of workers fell while jobs waited or failed. */
  vanished: number;
  /** There was at least one worker in every reading. */
  isSteady: boolean;
}

/** The failures since the last completed job, if they are too many for a coincidence. Otherwise null. */
function failingStreak(input: DiagnosisInput, { stretch, latest, all }: Readings): FailingStreak | null {
  const increases = counterIncreases(stretch);
  const lastDone = increases.findLastIndex(({ completed }) => completed > 0);
  const bad = increases.slice(lastDone + 1).filter(({ failed, retried }) => failed + retried > 0);
  const [first, last] = [bad[0], bad.at(-1)];
  if (first === undefined || last === undefined || latest.atMs - last.atMs > freshMs) return null;
  const [failed, retried] = [sum(bad, 'failed'), sum(bad, 'retried')];
  // Between the readings that showed the first and the last.
  if (bad.length < 2 || last.atMs - first.atMs < minSpanMs) return null;
  if (failed > 0 && timedOutSince(input, first.fromMs) * 2 >= failed) return null;

  const readings = since(stretch, first.fromMs);
  const vanished = readings.filter(
    (reading, index) => upWorkers(reading) < upWorkers(readings[index - 1] ?? reading),
  ).length;
  const isWithoutAny = readings.some((reading) => upWorkers(reading) === 0);
  const isObservedLong = latest.atMs - (stretch[0]?.atMs ?? latest.atMs) >= observedForMs;
  const isSupported =
    (isObservedLong && counterIncreases(all).every(({ completed }) => completed === 0)) ||
    vanished > 1 ||
    isWithoutAny ||
    (latest.unhealthy ?? 0) > 0;
  // Retries alone may come from the user. A worker that disappeared does not.
  if (failed === 0 && !isWithoutAny && vanished === 0) return null;
  if (failed + retried < (isSupported ? enough.supported : enough.alone)) return null;
  return {
    failed,
    retried,
    sinceMs: first.fromMs,
    lastsMs: latest.atMs - first.fromMs,
    vanished,
    isSteady: !isWithoutAny && vanished === 0 && retried === 0,
  };
}

function sum(increases: readonly CounterIncrease[], field: 'failed' | 'retried'): number {
  return increases.reduce((total, rise) => total + rise[field], 0);
}

function timedOutSince({ recentEnds }: DiagnosisInput, sinceMs: number): number {
  return recentEnds.filter((end) => hasTimedOut(end) && end.endedAtMs >= sinceMs).length;
}
