import { formatCountOf } from '../../../src-preload/format.ts';
import type { Diagnosis } from '../../../src-preload/diagnosis.ts';
import type { DiagnosisInput } from './input.ts';
import { ageEvidence, commonConditions, durationText, waitingText } from './messages.ts';
import type { Readings } from './readings.ts';
import type { Starting } from './starting.ts';

/** A shorter start is not reported: it is normal. */
const reportedFromMs = 5_000;
const warnFromMs = 60_000;
/** More than twice as long as before is reported as a warning sooner. */
const slower = { times: 2, leastMs: 20_000 } as const;

/** Jobs wait while the first workers start. Usually nothing needs to be done. */
export function coldStart(input: DiagnosisInput, readings: Readings, starting: Starting): Diagnosis | null {
  const { sinceMs, lastsMs, initializing, earlierMs } = starting;
  // If no worker is starting, there is no start to report.
  if (lastsMs < reportedFromMs || (initializing === 0 && starting.attempts === 0)) return null;
  const isSlower = earlierMs !== null && lastsMs >= slower.leastMs && lastsMs >= earlierMs * slower.times;
  const isLong = lastsMs >= warnFromMs;
  const started =
    initializing === null || initializing === 0
      ? 'no worker is up yet'
      : `${formatCountOf(initializing, 'worker')} starting`;
  const before = earlierMs === null ? '' : ` It took ${durationText(earlierMs)} before.`;
  return {
    kind: 'cold-start',
    severity: isLong || isSlower ? 'warning' : 'notice',
    headline: `${waitingText(input, readings)}, and ${started}`,
    explanation:
      initializing !== null && initializing > 0
        ? `The service says that ${formatCountOf(initializing, 'worker is', 'workers are')} starting.${before} Most ` +
          'likely jobs run as soon as the first is ready.'
        : `No workers yet.${before} The first is probably still starting` +
          `${initializing === null ? '; this service does not report it' : ''}.`,
    condition: commonConditions.staysInQueue,
    evidence: [
      `No worker for ${durationText(lastsMs)}`,
      initializing === null ? 'The service does not report starting workers' : `${initializing} starting`,
      earlierMs === null ? 'No earlier start was seen' : `Earlier start: ${durationText(earlierMs)}`,
      ...ageEvidence(input, readings),
    ],
    tryNext: [
      earlierMs === null
        ? 'Wait for the start; a large image or model takes minutes the first time.'
        : `Wait: it took ${durationText(earlierMs)} before.`,
      ...(isLong || isSlower
        ? [
            "Check the starting worker's log in the service's console: it may still load its image or model.",
            'If no worker comes, check max workers there: with 0, none ever will.',
          ]
        : []),
      "To avoid this wait next time, keep a worker running: raise the endpoint's minimum workers in the " +
        "service's console.",
    ],
    sinceMs,
  };
}
