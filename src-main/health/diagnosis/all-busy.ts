import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { trendEvidence, backlogOf } from './backlog.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, waitingHeadline } from './waiting.ts';
import { counterIncreases, since, type Readings } from './readings.ts';
import { commonConditions } from '../../messages/health/common.ts';
import { allBusyText } from '../../messages/health/queue.ts';

/** More workers may be starting. If the service does not report that, wait longer. */
const flatFromMs = { known: 30_000, unknown: 45_000 } as const;
const warnFromMs = 120_000;

/** Every worker is busy and no more are starting. Null for a queue that will be empty soon, and while workers start. */
export function allBusy(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest } = readings;
  const backlog = backlogOf(readings, (reading) => reading.inProgress > 0);
  if (backlog === null || backlog.isSoonClear || (latest.initializing ?? 0) > 0) return null;
  const flatMs = latest.atMs - backlog.flatSinceMs;
  if (flatMs < (latest.initializing === null ? flatFromMs.unknown : flatFromMs.known)) return null;
  const isWarning = !backlog.isFalling && (backlog.isGrowing || backlog.lastsMs >= warnFromMs);
  const { running, inProgress } = latest;
  // A service may count a job before it counts its worker.
  const busyWorkers = Math.max(running, 1);
  return {
    kind: 'all-busy',
    severity: isWarning ? 'warning' : 'notice',
    ...waitingHeadline(input, readings, allBusyText.headlineEnd(backlog.lastsMs)),
    explanation: allBusyText.explanation({
      workers: busyWorkers,
      inProgress,
      flatMs,
      isFalling: backlog.isFalling,
      reportsStarts: latest.initializing !== null,
    }),
    condition: commonConditions.staysInQueue,
    evidence: [
      allBusyText.busy(busyWorkers, Math.max(backlog.maxUp, busyWorkers), backlog.lastsMs),
      ...trendEvidence(backlog),
      allBusyText.failed(failuresSince(readings, backlog.sinceMs)),
      ...ageEvidence(input, readings),
    ],
    tryNext: backlog.isFalling ? allBusyText.tryWhileFalling : allBusyText.tryNext,
    sinceMs: backlog.sinceMs,
  };
}

function failuresSince({ stretch }: Readings, sinceMs: number): number {
  return counterIncreases(since(stretch, sinceMs)).reduce((sum, rise) => sum + rise.failed, 0);
}
