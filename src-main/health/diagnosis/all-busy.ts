import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { trendEvidence, backlogOf, type Backlog } from './backlog.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, commonConditions, durationText, waitingText } from './messages.ts';
import { counterIncreases, since, type Readings } from './readings.ts';

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
    headline: `${waitingText(input, readings)}, and no idle worker for ${durationText(backlog.lastsMs)}`,
    explanation:
      `${holdText(busyWorkers, inProgress)}, and the worker count has not risen for ${durationText(flatMs)}. ` +
      inference(backlog, latest.initializing),
    condition: commonConditions.staysInQueue,
    evidence: [
      `${busyWorkers} of ${formatCountOf(Math.max(backlog.mostUp, busyWorkers), 'worker')} busy for ` +
        durationText(backlog.lastsMs),
      ...trendEvidence(backlog),
      failuresText(readings, backlog.sinceMs),
      ...ageEvidence(input, readings),
    ],
    tryNext: backlog.isFalling
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
    sinceMs: backlog.sinceMs,
  };
}

/** "Every running worker holds a job", if the counts show that. */
function holdText(workers: number, inProgress: number): string {
  if (inProgress < workers)
    return `${formatCountOf(inProgress, 'job is', 'jobs are')} in progress on ${workers} workers, none of them idle`;
  return workers === 1 ? 'The one running worker holds a job' : 'Every running worker holds a job';
}

function inference({ isFalling }: Backlog, initializing: number | null): string {
  if (isFalling)
    return 'The queue is getting shorter: most likely this clears up on its own, at the pace max workers allows.';
  const more = initializing === null ? ' Workers that are still starting do not show up here.' : '';
  return `Most likely the endpoint has reached its maximum number of workers.${more}`;
}

function failuresText({ stretch }: Readings, sinceMs: number): string {
  const failed = counterIncreases(since(stretch, sinceMs)).reduce((sum, rise) => sum + rise.failed, 0);
  return failed === 0 ? 'No rise in failures' : `${formatCountOf(failed, 'job')} failed in this time`;
}
