import type { Diagnosis, DiagnosisKind } from '../../../src-preload/diagnosis.ts';
import { allBusy } from './all-busy.ts';
import { coldStart } from './cold-start.ts';
import { crashLooping } from './crash-looping.ts';
import { withoutInvalidNumbers, type DiagnosisInput } from './input.ts';
import { nearTimeout } from './near-timeout.ts';
import { isLeftWithoutWorkers, noWorkers } from './no-workers.ts';
import { outlivesTtl } from './outlives-ttl.ts';
import { readingsOf, type Readings } from './readings.ts';
import { resultsExpiring } from './results-expiring.ts';
import { startingOf } from './starting.ts';
import { throttled } from './throttled.ts';

export type { DiagnosisInput, LiveJob, RecentEnd, UnsavedResult } from './input.ts';
export { findingTimesMs } from './results-expiring.ts';

const severityRank: Record<Diagnosis['severity'], number> = { critical: 0, warning: 1, notice: 2 };
/** The order within a severity: what is lost soonest first, then causes before their effects. */
const kindRank: Record<DiagnosisKind, number> = {
  'results-expiring': 0,
  'outlives-ttl': 1,
  'crash-looping': 2,
  'no-workers': 3,
  throttled: 4,
  'near-timeout': 5,
  'all-busy': 6,
  'cold-start': 7,
};

/**
 * What is wrong with an endpoint, worst first. Empty if nothing is, or if too little is known. Each kind occurs at most
 * once, and of the reasons why jobs wait or fail (crash-looping, throttled, no workers, cold start, all busy) only the
 * one with the best evidence. Pure. Never throws.
 */
export function diagnose(given: DiagnosisInput): Diagnosis[] {
  const input = withoutInvalidNumbers(given);
  const readings = readingsOf(input);
  const found = [
    resultsExpiring(input),
    nearTimeout(input),
    ...(readings === null ? [] : [outlivesTtl(input, readings), holdUp(input, readings)]),
  ];
  return found
    .filter((finding) => finding !== null)
    .sort((a, b) => severityRank[a.severity] - severityRank[b.severity] || kindRank[a.kind] - kindRank[b.kind]);
}

/** What holds jobs up. A crashing worker looks like a missing one, so that is checked first. */
function holdUp(input: DiagnosisInput, readings: Readings): Diagnosis | null {
  const starting = startingOf(readings);
  const found = crashLooping(input, readings, starting) ?? throttled(input, readings);
  if (found !== null) return found;
  if (starting === null) return allBusy(input, readings);
  return isLeftWithoutWorkers(starting) ? noWorkers(input, readings, starting) : coldStart(input, readings, starting);
}
