import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { commonConditions } from './conditions.ts';
import type { DiagnosisInput, UnsavedResult } from './input.ts';
import { least } from './least.ts';
import { countOf, spanWords } from './words.ts';

/** What is left of their retention, of 30 minutes and of one. Jobdeck reads a result within seconds, so that later is late. */
const limits = {
  run: { warnMs: 600_000, criticalMs: 120_000 },
  runsync: { warnMs: 45_000, criticalMs: 25_000 },
} as const;
/** A runsync result may be kept up to five minutes (spec: rule 3): until then it is not given up. */
const mayBeThereMs = { run: 0, runsync: 240_000 } as const;

/** Results that are not saved here and leave the service soon. Null when there are none. */
export function resultsExpiring({ unsavedResults, nowMs }: DiagnosisInput): Diagnosis | null {
  const leftMs = ({ retentionEndsAtMs }: UnsavedResult): number => retentionEndsAtMs - nowMs;
  const due = unsavedResults.filter((result) => leftMs(result) <= limits[result.operation].warnMs && leftMs(result) >= -mayBeThereMs[result.operation]);
  if (due.length === 0) return null;
  const isCritical = due.some((result) => leftMs(result) <= limits[result.operation].criticalMs);
  const nextMs = least(due.map(leftMs));
  const isOver = nextMs <= 0;
  const syncCount = due.filter(({ operation }) => operation === 'runsync').length;
  return {
    kind: 'results-expiring',
    severity: isCritical ? 'critical' : 'warning',
    headline: isOver ? `${countOf(due.length, 'result')} not saved here, and the time to read ${due.length === 1 ? 'it' : 'the first'} is over` : `${countOf(due.length, 'result')} not saved here${due.length === 1 ? '' : ', the first'} leaves the service in ${spanWords(nextMs)}`,
    explanation: `${due.length === 1 ? 'The job is' : 'These jobs are'} finished and the result is only on the service. Most likely it could not be read so far: the connection was down, or Jobdeck was closed.`,
    condition: commonConditions.resultMissing,
    evidence: [
      ...(syncCount > 0 ? [`${syncCount} of runsync, kept for 1 minute (5 at most)`] : []),
      ...(due.length > syncCount ? [`${due.length - syncCount} of run, kept for 30 minutes`] : []),
      isOver ? `The first was due ${spanWords(-nextMs)} ago` : `The first leaves in ${spanWords(nextMs)}`,
    ],
    tryNext: ['Keep Jobdeck open and online: it reads these results first.', 'Check the connection and its key if it is not online.', 'Submit with run instead of runsync, or with a webhook, where results are read late.'],
    sinceMs: null,
  };
}
