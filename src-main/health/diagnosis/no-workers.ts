import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, waitingHeadline } from './waiting.ts';
import type { Readings } from './readings.ts';
import type { Starting } from './starting.ts';
import { commonConditions, evidenceText } from '../../messages/health/common.ts';
import { noWorkersText } from '../../messages/health/workers.ts';

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
  return {
    kind: 'no-workers',
    severity: lastsMs >= criticalFromMs ? 'critical' : 'warning',
    ...waitingHeadline(input, readings, noWorkersText.headlineEnd(lastsMs)),
    explanation: isNothingStarting ? noWorkersText.nothingStarts : noWorkersText.longerThanStart(lastsMs, earlierMs),
    condition: commonConditions.staysInQueue,
    evidence: [
      noWorkersText.none(lastsMs),
      evidenceText.starting(initializing),
      noWorkersText.nothingCompleted,
      ...ageEvidence(input, readings),
    ],
    tryNext: noWorkersText.tryNext,
    sinceMs,
  };
}
