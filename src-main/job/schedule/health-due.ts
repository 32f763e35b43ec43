import { isNear, statusIntervalMs, oldIntervalMs, unhurried, type Attention } from './cadence.ts';
import { lastStatusReadMs } from './deadlines.ts';
import { fewestErrors, likelyEndedAtMs } from '../forecast/end-odds.ts';
import type { PlannedEndpoint, PlannedJob } from './plan.ts';

/**
 * Jobs that are asked about one by one: their endpoint's health is read once they waited so long, and so often while
 * they do.
 */
const whyItWaits = { afterMs: 30_000, everyMs: 60_000 };
/** Ruling 20: one a second at most. */
const countersEvery = { leastMs: 1_000, mostMs: 3_000 };
const brokenEveryMs = 30_000;
/** So many of our ends may be waiting to be noticed before the counters are worth another call. */
const endsUnseen = 0.5;

/**
 * When a few jobs that wait long are worth a health call: it shows the diagnosis why they wait. Never where none was
 * seen waiting.
 */
export function whyItWaitsDueAtMs(
  { gate: { readAtMs } }: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  attention: Attention,
): number {
  let waitsSinceMs = Infinity;
  for (const { stage, startedSeenAtMs, statusReadAtMs, acceptedAtMs } of jobs) {
    if (stage === 'active' && startedSeenAtMs === null && statusReadAtMs !== null)
      waitsSinceMs = Math.min(waitsSinceMs, acceptedAtMs);
  }
  return Math.max(
    waitsSinceMs + whyItWaits.afterMs,
    readAtMs === null ? 0 : readAtMs + whyItWaits.everyMs * unhurried(attention),
  );
}

/**
 * When the counters of an endpoint are read next that `jobs` are behind: where ends are forecast, not before some job
 * of ours likely ended, but every 15 s all the same (half as often when there is no hurry), and every 3 s while
 * somebody may look and jobs are queued that may have started; else as often as the youngest of them would be read.
 */
export function countersDueAtMs(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  attention: Attention,
  nowMs: number,
): number {
  const {
    gate: { readAtMs },
    errorsMs,
  } = endpoint;
  if (readAtMs === null) return nowMs;
  if (errorsMs.length < fewestErrors) return readAtMs + byYoungestMs(jobs, attention, nowMs);
  const soonestMs = readAtMs + (isNear(attention) ? countersEvery.leastMs : countersEvery.mostMs);
  if (soonestMs > nowMs) return soonestMs;
  const isStartAwaited = isNear(attention) && jobs.some(({ startedSeenAtMs }) => startedSeenAtMs === null);
  let likelyAtMs = readAtMs + (isStartAwaited ? countersEvery.mostMs : oldIntervalMs * unhurried(attention));
  for (const job of jobs) {
    // Of one about which nothing is known, it can be any moment.
    if (job.endsAtMs === null) return soonestMs;
    likelyAtMs = Math.min(
      likelyAtMs,
      likelyEndedAtMs(errorsMs, job.endsAtMs, lastStatusReadMs(job), endsUnseen / jobs.length),
    );
  }
  return Math.max(soonestMs, likelyAtMs);
}

/** When health that could not be read is tried again: many jobs are polled one by one for as long as it fails. */
export function brokenDueAtMs({ gate: { readAtMs } }: PlannedEndpoint, attention: Attention, nowMs: number): number {
  return readAtMs === null ? nowMs : readAtMs + brokenEveryMs * unhurried(attention);
}

function byYoungestMs(jobs: readonly PlannedJob[], attention: Attention, nowMs: number): number {
  let everyMs = countersEvery.mostMs * unhurried(attention);
  for (const job of jobs) {
    if (!job.isBusy)
      everyMs = Math.min(
        everyMs,
        Math.max(countersEvery.leastMs, statusIntervalMs({ ...job, viewIntervalMs: null }, attention, null, nowMs)),
      );
  }
  return everyMs;
}
