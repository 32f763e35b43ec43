import { readingStandsMs } from '../../src-preload/alert.ts';
import type { AlertCondition } from '../../src-preload/alert.ts';
import { lookStandsMs, type EndpointFacts, type Failure, type QueuedJob, type Reading } from './facts.ts';

/** What a condition comes to at one moment. */
export interface Verdict {
  /** `met`: what the rule looks for is there; `clear`: it is not; `unknown`: nothing known is new enough. */
  sight: 'met' | 'clear' | 'unknown';
  /** Met for as long as the rule asks. */
  isFiring: boolean;
  /** Since when it is met, or clear, as far as facts without a gap reach back; null while unknown. */
  sinceMs: number | null;
  /** When this changes by time alone; null where only a new fact can change it. */
  nextChangeAtMs: number | null;
  /** The newest fact this rests on. */
  asOfMs: number | null;
}

export type Facts = Pick<EndpointFacts, 'readings' | 'failures' | 'longRuns'> & {
  queued: ReadonlyMap<string, QueuedJob>;
};

/** A slow run is an event: it is news for so long, so that several in a row are one alert. */
export const slowRunStandsMs = 300_000;

/**
 * Judges one condition by what is known of an endpoint at `nowMs`. Pure. Nothing is claimed about a time without
 * readings: neither that it held nor that it did not. A counter that fell was reset and says nothing about that step.
 */
export function evaluate(condition: AlertCondition, facts: Facts, nowMs: number): Verdict {
  switch (condition.kind) {
    case 'stuck-queue':
      return gauge(
        facts,
        nowMs,
        condition.forMs,
        ({ inQueue, idle }) => inQueue > condition.overJobs && (!condition.isNoneIdle || idle === 0),
      );
    case 'no-worker':
      return gauge(
        facts,
        nowMs,
        condition.forMs,
        ({ inQueue, idle, running, starting }) => inQueue > 0 && idle + running + starting === 0,
      );
    case 'failure-burst':
      return events(
        [failureTimes(facts.readings), facts.failures.map(ownFailure)],
        condition.overFailures,
        condition.withinMs,
        nowMs,
      );
    case 'slow-runs':
      return events(
        [
          facts.longRuns
            .filter((run) => run.executionMs > condition.timesP95 * run.p95Ms)
            .map(({ atMs }) => ({ fromMs: atMs, seenAtMs: atMs, count: 1 })),
        ],
        0,
        slowRunStandsMs,
        nowMs,
      );
    case 'long-wait':
      return longWait(facts.queued, condition.overMs, nowMs);
  }
}

const unknown: Verdict = { sight: 'unknown', isFiring: false, sinceMs: null, nextChangeAtMs: null, asOfMs: null };

/** What must be so for `forMs` without a break. */
function gauge(
  { readings, queued }: Facts,
  nowMs: number,
  forMs: number,
  isMet: (reading: Reading) => boolean,
): Verdict {
  const newest = readings.at(-1);
  if (newest === undefined) return unknown;
  const isNewestMet = isMet(newest);
  const standsUntilMs = isNewestMet
    ? Math.max(newest.untilMs, lastSeenWaitingSince(queued, newest.untilMs)) + readingStandsMs
    : newest.untilMs + readingStandsMs;
  if (nowMs > standsUntilMs) return { ...unknown, asOfMs: newest.untilMs };
  let first = newest;
  for (let index = readings.length - 2; index >= 0; index -= 1) {
    const before = readings[index];
    if (before === undefined || isMet(before) !== isNewestMet) break;
    const hasGap = first.atMs - before.untilMs > readingStandsMs;
    // Over a gap only a job that waited all the while shows that the queue did not empty.
    if (hasGap && !(isNewestMet && lastSeenWaitingSince(queued, before.untilMs) >= first.atMs)) break;
    first = before;
  }
  const asOfMs = newest.untilMs;
  const sinceMs = first.atMs;
  if (!isNewestMet) return { sight: 'clear', isFiring: false, sinceMs, nextChangeAtMs: null, asOfMs };
  const isFiring = nowMs - sinceMs >= forMs;
  return {
    sight: 'met',
    isFiring,
    sinceMs,
    nextChangeAtMs: isFiring ? null : Math.min(sinceMs + forMs, standsUntilMs + 1),
    asOfMs,
  };
}

/** The newest read of any job of ours that waits since `beforeMs` or longer; -Infinity where there is none. */
function lastSeenWaitingSince(queued: ReadonlyMap<string, QueuedJob>, beforeMs: number): number {
  let latest = -Infinity;
  for (const { sinceMs, seenAtMs } of queued.values()) if (sinceMs <= beforeMs && seenAtMs > latest) latest = seenAtMs;
  return latest;
}

/** Something that happened `count` times after `fromMs` and was seen at `seenAtMs`. */
interface Happening {
  fromMs: number;
  seenAtMs: number;
  count: number;
}

/**
 * How far the counter of failures rose between readings. Over a gap it is not known when, so the beginning counts: such
 * a rise leaves the window early.
 */
function failureTimes(readings: readonly Reading[]): Happening[] {
  const found: Happening[] = [];
  for (let index = 1; index < readings.length; index += 1) {
    const before = readings[index - 1];
    const after = readings[index];
    if (
      before === undefined ||
      after === undefined ||
      before.failed === null ||
      after.failed === null ||
      after.failed <= before.failed
    )
      continue;
    const hasGap = after.atMs - before.untilMs > readingStandsMs;
    found.push({
      fromMs: hasGap ? before.untilMs : after.atMs,
      seenAtMs: after.atMs,
      count: after.failed - before.failed,
    });
  }
  return found;
}

/** A job that was not read for long failed at some earlier, unknown time. */
function ownFailure({ lookedAtMs, seenAtMs }: Failure): Happening {
  return { fromMs: seenAtMs - lookedAtMs > lookStandsMs ? lookedAtMs : seenAtMs, seenAtMs, count: 1 };
}

/**
 * More than `over` within `withinMs`. The same happenings may be seen in several ways: the way that saw most counts.
 */
function events(ways: readonly (readonly Happening[])[], over: number, withinMs: number, nowMs: number): Verdict {
  let sinceMs = Infinity;
  let endsAtMs = -Infinity;
  let asOfMs: number | null = null;
  for (const way of ways) {
    const inWindow = way
      .filter(({ fromMs, seenAtMs }) => fromMs > nowMs - withinMs && seenAtMs <= nowMs)
      .toSorted((a, b) => a.fromMs - b.fromMs);
    let left = inWindow.reduce((sum, { count }) => sum + count, 0);
    if (left <= over) continue;
    let seen = 0;
    for (const { seenAtMs, count } of inWindow) {
      seen += count;
      asOfMs = Math.max(asOfMs ?? 0, seenAtMs);
      if (seen > over && seen - count <= over) sinceMs = Math.min(sinceMs, seenAtMs);
    }
    for (const { fromMs, count } of inWindow) {
      left -= count;
      if (left > over) continue;
      endsAtMs = Math.max(endsAtMs, fromMs + withinMs);
      break;
    }
  }
  if (endsAtMs === -Infinity)
    return { sight: 'clear', isFiring: false, sinceMs: nowMs, nextChangeAtMs: null, asOfMs: nowMs };
  return { sight: 'met', isFiring: true, sinceMs, nextChangeAtMs: endsAtMs, asOfMs };
}

/** Whether any job of ours waits longer than `overMs`. */
function longWait(queued: ReadonlyMap<string, QueuedJob>, overMs: number, nowMs: number): Verdict {
  let sinceMs = Infinity;
  let nextChangeAtMs = Infinity;
  let asOfMs: number | null = null;
  let isOldUnknown = false;
  for (const job of queued.values()) {
    const dueAtMs = job.sinceMs + overMs;
    const standsUntilMs = job.seenAtMs + lookStandsMs;
    if (nowMs > standsUntilMs) {
      isOldUnknown ||= nowMs >= dueAtMs;
      continue;
    }
    asOfMs = Math.max(asOfMs ?? 0, job.seenAtMs);
    if (nowMs >= dueAtMs) sinceMs = Math.min(sinceMs, dueAtMs);
    else if (dueAtMs <= standsUntilMs) nextChangeAtMs = Math.min(nextChangeAtMs, dueAtMs);
  }
  if (sinceMs !== Infinity) return { sight: 'met', isFiring: true, sinceMs, nextChangeAtMs: null, asOfMs };
  if (isOldUnknown) return { ...unknown, nextChangeAtMs: nextChangeAtMs === Infinity ? null : nextChangeAtMs, asOfMs };
  return {
    sight: 'clear',
    isFiring: false,
    sinceMs: nowMs,
    nextChangeAtMs: nextChangeAtMs === Infinity ? null : nextChangeAtMs,
    asOfMs: asOfMs ?? nowMs,
  };
}
