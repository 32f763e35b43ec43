import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { commonConditions, ageEvidence, waitingWords, spanWords } from './messages.ts';
import type { DiagnosisInput } from './input.ts';
import type { Readings } from './readings.ts';
import type { Starting } from './starting.ts';

const criticalFromMs = 300_000;
/** A service that reports no start is believed after this time. */
const nothingStartsFromMs = 15_000;

/** True when this is no cold start any more: nothing is being started, or it takes longer than a start can. */
export function isLeftWithoutWorkers({ isNothingStarting, lastsMs, withinMs }: Starting): boolean {
  return (isNothingStarting && lastsMs >= nothingStartsFromMs) || lastsMs >= withinMs;
}

/** Jobs wait, and there is no worker and none is coming. */
export function noWorkers(input: DiagnosisInput, readings: Readings, starting: Starting): Diagnosis {
  const { sinceMs, lastsMs, initializing, isNothingStarting, earlierMs } = starting;
  const inferred = isNothingStarting
    ? 'The service tells of no worker and of none that starts. Most likely max workers is 0, or these jobs bring ' +
      'up none (lowPriority), or the account may not start any.'
    : `No worker was seen for ${spanWords(lastsMs)}, longer than a start ` +
      `${earlierMs === null ? 'usually takes' : `took before (${spanWords(earlierMs)})`}. Most likely max workers ` +
      'is 0, or workers fall over while they start.';
  return {
    kind: 'no-workers',
    severity: lastsMs >= criticalFromMs ? 'critical' : 'warning',
    headline: `${waitingWords(input, readings)}, and no worker for ${spanWords(lastsMs)}`,
    explanation: inferred,
    condition: commonConditions.staysInQueue,
    evidence: [
      `0 idle, 0 running for ${spanWords(lastsMs)}`,
      initializing === null ? 'Starting workers are not told' : `${initializing} starting`,
      'Nothing completed',
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      "Look up the endpoint's max workers in the service's console, and raise it if it is 0.",
      'Look at the log of the last worker there: one that falls over while it starts is not counted here.',
      'Submit one job without lowPriority: jobs with it bring up no worker.',
      'Purge the queue if these jobs are not wanted any more, or extend the lifetime of those that are.',
    ],
    sinceMs,
  };
}
