import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { busyOf, trendEvidence } from './busy.ts';
import { commonConditions, ageEvidence, waitingWords, spanWords } from './messages.ts';
import type { DiagnosisInput } from './input.ts';
import { upWorkers } from './readings.ts';
import type { Readings } from './readings.ts';

const fromMs = { notice: 10_000, warning: 30_000, critical: 300_000 } as const;

/**
 * Jobs wait and workers are throttled (ruling 27: only where the service says so). Null where jobs wait for something
 * else.
 */
export function throttled(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest } = readings;
  const busy = busyOf(readings, (reading) => (reading.throttled ?? 0) > 0);
  const isNoneUp = upWorkers(latest) === 0;
  if (busy === null || busy.lastsMs < (isNoneUp ? fromMs.notice : fromMs.warning) || (busy.isSoonClear && !isNoneUp))
    return null;
  const count = latest.throttled ?? 0;
  const heldBack = `${formatCountOf(count, 'worker')} throttled for ${spanWords(busy.lastsMs)}`;
  return {
    kind: 'throttled',
    severity:
      isNoneUp && busy.lastsMs >= fromMs.critical ? 'critical' : busy.lastsMs >= fromMs.warning ? 'warning' : 'notice',
    headline: `${waitingWords(input, readings)}, and ${heldBack}`,
    explanation:
      `${isNoneUp ? 'No worker runs' : formatCountOf(latest.running, 'worker runs', 'workers run')}; ` +
      'the service holds ' +
      `back ${count}. Most likely the hosts have no free machine of the kind this endpoint asks for.`,
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
