import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { trendEvidence, backlogOf } from './backlog.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, waitingHeadline } from './waiting.ts';
import { upWorkers, type Readings } from './readings.ts';
import { commonConditions } from '../../messages/health/common.ts';
import { throttledText } from '../../messages/health/queue.ts';

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
  return {
    kind: 'throttled',
    severity:
      isNoneUp && backlog.lastsMs >= fromMs.critical
        ? 'critical'
        : backlog.lastsMs >= fromMs.warning
          ? 'warning'
          : 'notice',
    ...waitingHeadline(input, readings, throttledText.headlineEnd(count, backlog.lastsMs)),
    explanation: throttledText.explanation(isNoneUp ? null : latest.running, count),
    condition: commonConditions.staysInQueue,
    evidence: [
      throttledText.workers(count, latest.running, latest.initializing ?? 0),
      ...trendEvidence(backlog),
      ...ageEvidence(input, readings),
    ],
    tryNext: throttledText.tryNext,
    sinceMs: backlog.sinceMs,
  };
}
