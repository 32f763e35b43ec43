import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { trendEvidence, backlogOf } from './backlog.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, commonConditions, durationText, waitingText } from './messages.ts';
import { upWorkers, type Readings } from './readings.ts';

const fromMs = { notice: 10_000, warning: 30_000, critical: 300_000 } as const;

/**
 * Jobs wait and workers are throttled (ruling 27: only if the service reports it). Null if jobs wait for another
 * reason.
 */
export function throttled(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const { latest } = readings;
  const backlog = backlogOf(readings, (reading) => (reading.throttled ?? 0) > 0);
  const isNoneUp = upWorkers(latest) === 0;
  if (
    backlog === null ||
    backlog.lastsMs < (isNoneUp ? fromMs.notice : fromMs.warning) ||
    (backlog.isSoonClear && !isNoneUp)
  )
    return null;
  const count = latest.throttled ?? 0;
  const heldBack = `${formatCountOf(count, 'worker')} throttled for ${durationText(backlog.lastsMs)}`;
  return {
    kind: 'throttled',
    severity:
      isNoneUp && backlog.lastsMs >= fromMs.critical
        ? 'critical'
        : backlog.lastsMs >= fromMs.warning
          ? 'warning'
          : 'notice',
    headline: `${waitingText(input, readings)}, and ${heldBack}`,
    explanation:
      `${isNoneUp ? 'No worker runs' : formatCountOf(latest.running, 'worker runs', 'workers run')}; ` +
      'the service holds ' +
      `back ${count}. Most likely no host has a free machine of the kind this endpoint requires.`,
    condition: commonConditions.staysInQueue,
    evidence: [
      `${count} throttled, ${latest.running} running, ${latest.initializing ?? 0} starting`,
      ...trendEvidence(backlog),
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      "Allow more kinds of machine or more regions for the endpoint in the service's console.",
      'Wait: throttled workers start when a machine becomes free.',
      'Extend the lifetime of jobs that must not be lost meanwhile, or purge the queue.',
    ],
    sinceMs: backlog.sinceMs,
  };
}
