import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput, UnsavedResult } from './input.ts';
import { min } from './readings.ts';
import { commonConditions } from '../../messages/health/common.ts';
import { resultsExpiringText } from '../../messages/health/limits.ts';

/**
 * How much is left of a retention of 30 minutes or of one. Jobdeck reads each job three times in it, so this is late.
 */
const limits = {
  run: { warnMs: 600_000, criticalMs: 120_000 },
  runsync: { warnMs: 25_000, criticalMs: 12_000 },
} as const;

/** When an unread result becomes a finding, and when a critical one. Epoch milliseconds. */
export function findingTimesMs({ operation, leavesAtMs }: UnsavedResult): readonly number[] {
  const { warnMs, criticalMs } = limits[operation];
  return [leavesAtMs - warnMs, leavesAtMs - criticalMs];
}

/**
 * Results and streams that only the service has and that expire soon, because they could not be read for long. Null if
 * there are none. The end of an unread job is not known, so its result expires at this time at the earliest, and is
 * still read afterwards.
 */
export function resultsExpiring({ unsavedResults, nowMs }: DiagnosisInput): Diagnosis | null {
  const leftMs = ({ leavesAtMs }: UnsavedResult): number => leavesAtMs - nowMs;
  const due = unsavedResults.filter(
    (result) => leftMs(result) <= limits[result.operation].warnMs && (result.part === 'result' || leftMs(result) >= 0),
  );
  if (due.length === 0) return null;
  const isCritical = due.some((result) => leftMs(result) <= limits[result.operation].criticalMs);
  const nextMs = min(due.map(leftMs));
  const results = due.filter(({ part }) => part === 'result');
  const syncCount = results.filter(({ operation }) => operation === 'runsync').length;
  return {
    kind: 'results-expiring',
    severity: isCritical ? 'critical' : 'warning',
    headline: resultsExpiringText.headline(due.length, results.length, nextMs),
    explanation: resultsExpiringText.explanation(due.length, results.length),
    condition: commonConditions.resultMissing,
    evidence: [
      ...(syncCount > 0 ? [resultsExpiringText.ofRunsync(syncCount)] : []),
      ...(results.length > syncCount ? [resultsExpiringText.ofRun(results.length - syncCount)] : []),
      ...(due.length > results.length ? [resultsExpiringText.streams(due.length - results.length)] : []),
      resultsExpiringText.checked(nowMs - min(due.map(({ knownAtMs }) => knownAtMs))),
      resultsExpiringText.first(nextMs),
    ],
    tryNext: resultsExpiringText.tryNext,
    sinceMs: null,
  };
}
