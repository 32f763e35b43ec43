import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { commonConditions, durationText } from './messages.ts';
import type { DiagnosisInput, UnsavedResult } from './input.ts';
import { least } from './readings.ts';

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
  const nextMs = least(due.map(leftMs));
  const results = due.filter(({ part }) => part === 'result');
  const syncCount = results.filter(({ operation }) => operation === 'runsync').length;
  return {
    kind: 'results-expiring',
    severity: isCritical ? 'critical' : 'warning',
    headline: headlineOf(due.length, results.length, nextMs),
    explanation: explanationOf(due.length, results.length),
    condition: commonConditions.resultMissing,
    evidence: [
      ...(syncCount > 0 ? [`${syncCount} of runsync, kept for 1 minute (5 at most)`] : []),
      ...(results.length > syncCount ? [`${results.length - syncCount} of run, kept for 30 minutes`] : []),
      ...(due.length > results.length
        ? [`${formatCountOf(due.length - results.length, 'stream')} not read to the end`]
        : []),
      `Last checked ${durationText(nowMs - least(due.map(({ knownAtMs }) => knownAtMs)))} ago`,
      nextMs <= 0
        ? `The first may have expired ${durationText(-nextMs)} ago`
        : `The first may expire in ${durationText(nextMs)}`,
    ],
    tryNext: [
      'Keep Jobdeck open and online, and polling resumed: it reads these first.',
      'Check the connection and its key if it is not online.',
      'Submit with run instead of runsync, or with a webhook, where results are read late.',
    ],
    sinceMs: null,
  };
}

function headlineOf(count: number, results: number, nextMs: number): string {
  const what = formatCountOf(count, results === 0 ? 'stream' : 'result');
  if (nextMs <= 0) return `${what} not read, and the time to read ${count === 1 ? 'it' : 'the first'} may be over`;
  return `${what} may expire on the service unread${count === 1 ? '' : ', the first'} in ${durationText(nextMs)}`;
}

function explanationOf(count: number, results: number): string {
  if (results === 0)
    return (
      'The result is saved, but the rest of the stream is only on the service. Most likely the service answers ' +
      'its reads with errors, or cannot be reached.'
    );
  return (
    `Jobdeck could not check ${count === 1 ? 'this job' : 'these jobs'} for long. If one has ended since, ` +
    'its result is only on the service. Most likely the connection was down or its key refused, polling ' +
    'was paused, or ' +
    'Jobdeck was closed.'
  );
}
