import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, waitingHeadline } from './waiting.ts';
import type { Readings } from './readings.ts';
import type { Starting } from './starting.ts';
import { commonConditions, evidenceText } from '../../messages/health/common.ts';
import { coldStartText } from '../../messages/health/workers.ts';

/** A shorter start is not reported: it is normal. */
const reportedFromMs = 5_000;
const warnFromMs = 60_000;
/** More than twice as long as before is reported as a warning sooner. */
const slower = { times: 2, minMs: 20_000 } as const;

/** Jobs wait while the first workers start. Usually nothing needs to be done. */
export function coldStart(input: DiagnosisInput, readings: Readings, starting: Starting): Diagnosis | null {
  const { sinceMs, lastsMs, initializing, earlierMs } = starting;
  // If no worker is starting, there is no start to report.
  if (lastsMs < reportedFromMs || (initializing === 0 && starting.attempts === 0)) return null;
  const isSlower = earlierMs !== null && lastsMs >= slower.minMs && lastsMs >= earlierMs * slower.times;
  const isLong = lastsMs >= warnFromMs;
  return {
    kind: 'cold-start',
    severity: isLong || isSlower ? 'warning' : 'notice',
    ...waitingHeadline(input, readings, coldStartText.headlineEnd(initializing)),
    explanation: coldStartText.explanation(initializing, earlierMs),
    condition: commonConditions.staysInQueue,
    evidence: [
      coldStartText.noWorker(lastsMs),
      evidenceText.starting(initializing),
      coldStartText.earlierStart(earlierMs),
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      coldStartText.wait(earlierMs),
      ...(isLong || isSlower ? coldStartText.tryIfLong : []),
      coldStartText.avoid,
    ],
    sinceMs,
  };
}
