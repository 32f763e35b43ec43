import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { busyOf, trendEvidence } from './busy.ts';
import type { Busy } from './busy.ts';
import { commonConditions, ageEvidence, waitingWords, spanWords } from './messages.ts';
import type { DiagnosisInput } from './input.ts';
import { risesOf, since } from './readings.ts';
import type { Readings } from './readings.ts';

/** More workers may be starting. Where the service does not say, it is waited for longer. */
const flatFromMs = { known: 30_000, unknown: 45_000 } as const;
const warnFromMs = 120_000;

/**
 * Every worker is busy and no more come. Null for a queue that clears by itself soon, and while workers still start.
 */
export function allBusy(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest } = readings;
  const busy = busyOf(readings, (reading) => reading.inProgress > 0);
  if (busy === null || busy.isSoonClear || (latest.initializing ?? 0) > 0) return null;
  const flatMs = latest.atMs - busy.flatSinceMs;
  if (flatMs < (latest.initializing === null ? flatFromMs.unknown : flatFromMs.known)) return null;
  const isWarning = !busy.isFalling && (busy.isGrowing || busy.lastsMs >= warnFromMs);
  const { running, inProgress } = latest;
  // A service may be late to count a worker whose job it counts already.
  const busyWorkers = Math.max(running, 1);
  return {
    kind: 'all-busy',
    severity: isWarning ? 'warning' : 'notice',
    headline: `${waitingWords(input, readings)}, and no idle worker for ${spanWords(busy.lastsMs)}`,
    explanation:
      `${holdWords(busyWorkers, inProgress)}, and the worker count has not risen for ${spanWords(flatMs)}. ` +
      inference(busy, latest.initializing),
    condition: commonConditions.staysInQueue,
    evidence: [
      `${busyWorkers} of ${formatCountOf(Math.max(busy.mostUp, busyWorkers), 'worker')} busy for ` +
        spanWords(busy.lastsMs),
      ...trendEvidence(busy),
      failuresWords(readings, busy.sinceMs),
      ...ageEvidence(input, readings),
    ],
    tryNext: busy.isFalling
      ? [
          `Wait: the queue clears in about ${spanWords(busy.clearsInMs ?? 0)} if nothing else arrives.`,
          "Raise max workers in the service's console if that is too long.",
        ]
      : [
          "Raise the endpoint's max workers in the service's console.",
          'Submit less at once, or purge the waiting jobs that are not wanted any more.',
          'Extend the lifetime of jobs whose ttl would end before their turn.',
        ],
    sinceMs: busy.sinceMs,
  };
}

/** "Every running worker holds a job", where the counts say so. */
function holdWords(workers: number, inProgress: number): string {
  if (inProgress < workers)
    return `${formatCountOf(inProgress, 'job is', 'jobs are')} in progress on ${workers} workers, none of them idle`;
  return workers === 1 ? 'The one running worker holds a job' : 'Every running worker holds a job';
}

function inference({ isFalling }: Busy, initializing: number | null): string {
  if (isFalling)
    return 'The queue gets shorter: most likely this passes by itself, at the pace that max workers allows.';
  const more = initializing === null ? ' Workers that are still starting would not be seen here.' : '';
  return `Most likely the endpoint has reached its maximum number of workers.${more}`;
}

function failuresWords({ stretch }: Readings, sinceMs: number): string {
  const failed = risesOf(since(stretch, sinceMs)).reduce((sum, rise) => sum + rise.failed, 0);
  return failed === 0 ? 'No rise in failures' : `${formatCountOf(failed, 'job')} failed in this time`;
}
