import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, commonConditions, durationText, waitingText } from './messages.ts';
import type { Readings } from './readings.ts';
import type { Starting } from './starting.ts';

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
