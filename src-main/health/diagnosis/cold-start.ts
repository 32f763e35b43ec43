import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import { commonConditions, ageEvidence, waitingWords, spanWords } from './messages.ts';
import type { DiagnosisInput } from './input.ts';
import type { Readings } from './readings.ts';
import type { Starting } from './starting.ts';

/** Shorter ones are not worth a word: a worker that wakes in seconds is as it should be. */
const toldFromMs = 5_000;
const warnFromMs = 60_000;
/** Longer than twice what it took before is worth a warning sooner. */
const slower = { times: 2, leastMs: 20_000 } as const;

/** Jobs wait while the first workers start. Passes by itself, as a rule. */
export function coldStart(input: DiagnosisInput, readings: Readings, starting: Starting): Diagnosis | null {
  const { sinceMs, lastsMs, initializing, earlierMs } = starting;
  // Where nothing is said to start there is no start to report.
  if (lastsMs < toldFromMs || (initializing === 0 && starting.attempts === 0)) return null;
  const isSlower = earlierMs !== null && lastsMs >= slower.leastMs && lastsMs >= earlierMs * slower.times;
  const isLong = lastsMs >= warnFromMs;
  const started =
    initializing === null || initializing === 0
      ? 'no worker is up yet'
      : `${formatCountOf(initializing, 'worker')} starting`;
  const before = earlierMs === null ? '' : ` It took ${spanWords(earlierMs)} before.`;
  return {
    kind: 'cold-start',
    severity: isLong || isSlower ? 'warning' : 'notice',
    headline: `${waitingWords(input, readings)}, and ${started}`,
    explanation:
      initializing !== null && initializing > 0
        ? `The service says that ${formatCountOf(initializing, 'worker is', 'workers are')} starting.${before} Most ` +
          'likely jobs run as soon as the first is ready.'
        : `No worker is seen.${before} Most likely the first one is still starting` +
          `${initializing === null ? '; this service does not tell' : ''}.`,
    condition: commonConditions.staysInQueue,
    evidence: [
      `No worker for ${spanWords(lastsMs)}`,
      initializing === null ? 'Starting workers are not told' : `${initializing} starting`,
      earlierMs === null ? 'No earlier start was seen' : `Earlier start: ${spanWords(earlierMs)}`,
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      earlierMs === null
        ? 'Wait for the start; a large image or model takes minutes the first time.'
        : `Wait: it took ${spanWords(earlierMs)} before.`,
      ...(isLong || isSlower
        ? [
            "Look at the starting worker's log in the service's console: it may still load its image or model.",
            'If no worker comes, look up max workers there: with 0 none ever does.',
          ]
        : []),
      "To spare the next jobs this wait, keep a worker up: raise the endpoint's minimum of workers in the " +
        "service's console.",
    ],
    sinceMs,
  };
}
