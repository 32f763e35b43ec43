import { isReadQuickly, statusIntervalMs, oldIntervalMs, intervalFactor, type Attention } from './cadence.ts';
import { plannedKnownAtMs } from './read-deadlines.ts';
import { minErrors, likelyEndedAtMs } from '../forecast/end-odds.ts';
import type { PlannedEndpoint, PlannedJob } from './plan.ts';

/**
 * For jobs that are polled individually: their endpoint's health is read after they waited this long, and at this
 * interval while they wait.
 */
const whyItWaits = { afterMs: 30_000, everyMs: 60_000 };
/** Ruling 20: at most once a second. */
const countersEvery = { minMs: 1_000, maxMs: 3_000 };
const brokenEveryMs = 30_000;
/** If this many of our ends are probably unnoticed, the counters are worth another request. */
const endsUnseen = 0.5;

/**
 * When a few long-waiting jobs are worth a health request, which shows the diagnosis why they wait. Never if none was
 * seen waiting.
 */
export function whyItWaitsDueAtMs(
  { countedEnds: { readAtMs } }: PlannedEndpoint,
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
    readAtMs === null ? 0 : readAtMs + whyItWaits.everyMs * intervalFactor(attention),
  );
}

/**
 * When the counters of an endpoint with `jobs` behind its health are read next. If ends are forecast: not before one of
 * our jobs has probably ended, but at least every 15 s (half as often without a visible window), and every 3 s while a
 * window is visible and queued jobs may have started. Otherwise as often as the youngest job would be read.
 */
export function countersDueAtMs(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  attention: Attention,
  nowMs: number,
): number {
  const {
    countedEnds: { readAtMs },
    errorsMs,
  } = endpoint;
  if (readAtMs === null) return nowMs;
  if (errorsMs.length < minErrors) return readAtMs + byYoungestMs(jobs, attention, nowMs);
  const soonestMs = readAtMs + (isReadQuickly(attention) ? countersEvery.minMs : countersEvery.maxMs);
  if (soonestMs > nowMs) return soonestMs;
  const isStartAwaited = isReadQuickly(attention) && jobs.some(({ startedSeenAtMs }) => startedSeenAtMs === null);
  let likelyAtMs = readAtMs + (isStartAwaited ? countersEvery.maxMs : oldIntervalMs * intervalFactor(attention));
  for (const job of jobs) {
    // If nothing is known about a job, it may end at any moment.
    if (job.endsAtMs === null) return soonestMs;
    likelyAtMs = Math.min(
      likelyAtMs,
      likelyEndedAtMs(errorsMs, job.endsAtMs, plannedKnownAtMs(job), endsUnseen / jobs.length),
    );
  }
  return Math.max(soonestMs, likelyAtMs);
}

/** When health that could not be read is tried again. As long as it fails, many jobs are polled individually. */
export function brokenDueAtMs(
  { countedEnds: { readAtMs } }: PlannedEndpoint,
  attention: Attention,
  nowMs: number,
): number {
  return readAtMs === null ? nowMs : readAtMs + brokenEveryMs * intervalFactor(attention);
}

function byYoungestMs(jobs: readonly PlannedJob[], attention: Attention, nowMs: number): number {
  let everyMs = countersEvery.maxMs * intervalFactor(attention);
  for (const job of jobs) {
    if (!job.isBusy)
      everyMs = Math.min(
        everyMs,
        Math.max(countersEvery.minMs, statusIntervalMs({ ...job, viewIntervalMs: null }, attention, null, nowMs)),
      );
  }
  return everyMs;
}
