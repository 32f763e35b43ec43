import { readingValidMs } from '../../src-preload/alert.ts';
import type { AlertCondition } from '../../src-preload/alert.ts';
import {
  statusValidMs,
  type EndpointFacts,
  type FailedJob,
  type QueuedJob,
  type AlertReading,
} from './endpoint-facts.ts';

/** The result of a condition at one moment. */
export interface Verdict {
  /** `met`: the condition is true; `clear`: it is false; `unknown`: no fact is new enough. */
  result: 'met' | 'clear' | 'unknown';
  /** Met for as long as the rule requires. */
  isFiring: boolean;
  /** Since when it is met or clear, as far as facts without a gap reach back. Null while unknown. */
  sinceMs: number | null;
  /** When the result changes without a new fact. Null if it does not. */
  nextChangeAtMs: number | null;
  /** The newest fact that this rests on. */
  asOfMs: number | null;
}

export type Facts = Pick<EndpointFacts, 'readings' | 'failures' | 'longRuns'> & {
  queued: ReadonlyMap<string, QueuedJob>;
};

/** A slow run is an event. It counts for this long, so that several in a row are one alert. */
export const slowRunValidMs = 300_000;

/**
 * Evaluates a condition by what is known of an endpoint at `nowMs`. Pure. Time without readings counts neither as met
 * nor as clear. A counter that fell was reset, so that step is ignored.
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
        slowRunValidMs,
        nowMs,
      );
    case 'long-wait':
      return longWait(facts.queued, condition.overMs, nowMs);
  }
}

const unknown: Verdict = { result: 'unknown', isFiring: false, sinceMs: null, nextChangeAtMs: null, asOfMs: null };

/** A condition that must be true for `forMs` without interruption. */
function gauge(
  { readings, queued }: Facts,
  nowMs: number,
  forMs: number,
  isMet: (reading: AlertReading) => boolean,
): Verdict {
  const newest = readings.at(-1);
  if (newest === undefined) return unknown;
  const isNewestMet = isMet(newest);
  const standsUntilMs = isNewestMet
    ? Math.max(newest.untilMs, lastSeenWaitingSince(queued, newest.untilMs)) + readingValidMs
    : newest.untilMs + readingValidMs;
  if (nowMs > standsUntilMs) return { ...unknown, asOfMs: newest.untilMs };
  let first = newest;
  for (let index = readings.length - 2; index >= 0; index -= 1) {
    const before = readings[index];
    if (before === undefined || isMet(before) !== isNewestMet) break;
    const hasGap = first.atMs - before.untilMs > readingValidMs;
    // After a gap, only a job that waited through it proves that the queue did not become empty.
    if (hasGap && !(isNewestMet && lastSeenWaitingSince(queued, before.untilMs) >= first.atMs)) break;
    first = before;
  }
  const asOfMs = newest.untilMs;
  const sinceMs = first.atMs;
  if (!isNewestMet) return { result: 'clear', isFiring: false, sinceMs, nextChangeAtMs: null, asOfMs };
  const isFiring = nowMs - sinceMs >= forMs;
  return {
    result: 'met',
    isFiring,
    sinceMs,
    nextChangeAtMs: isFiring ? null : Math.min(sinceMs + forMs, standsUntilMs + 1),
    asOfMs,
  };
}

/** The newest read of any of our jobs that has waited since `beforeMs` or longer. -Infinity if there is none. */
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
 * The increases of the counter of failures. Within a gap the exact time is unknown, so the earliest possible one
 * counts, and the increase leaves the window early.
 */
function failureTimes(readings: readonly AlertReading[]): Happening[] {
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
    const hasGap = after.atMs - before.untilMs > readingValidMs;
    found.push({
      fromMs: hasGap ? before.untilMs : after.atMs,
      seenAtMs: after.atMs,
      count: after.failed - before.failed,
    });
  }
  return found;
}

/** If a job was not read for long, it may have failed at any time since the read before. */
function ownFailure({ lastReadAtMs, seenAtMs }: FailedJob): Happening {
  return { fromMs: seenAtMs - lastReadAtMs > statusValidMs ? lastReadAtMs : seenAtMs, seenAtMs, count: 1 };
}

/**
 * More than `over` within `withinMs`. Several sources may know of the same happenings, so they are not added up: the
 * one that knows of the most decides.
 */
function events(sources: readonly (readonly Happening[])[], over: number, withinMs: number, nowMs: number): Verdict {
  let sinceMs = Infinity;
  let endsAtMs = -Infinity;
  let asOfMs: number | null = null;
  for (const source of sources) {
    const inWindow = source.filter(({ fromMs }) => fromMs > nowMs - withinMs).toSorted((a, b) => a.fromMs - b.fromMs);
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
    return { result: 'clear', isFiring: false, sinceMs: nowMs, nextChangeAtMs: null, asOfMs: nowMs };
  return { result: 'met', isFiring: true, sinceMs, nextChangeAtMs: endsAtMs, asOfMs };
}

/** Whether any of our jobs has waited longer than `overMs`. */
function longWait(queued: ReadonlyMap<string, QueuedJob>, overMs: number, nowMs: number): Verdict {
  let sinceMs = Infinity;
  let nextChangeAtMs = Infinity;
  let asOfMs: number | null = null;
  let isOldUnknown = false;
  for (const job of queued.values()) {
    const dueAtMs = job.sinceMs + overMs;
    const standsUntilMs = job.seenAtMs + statusValidMs;
    if (nowMs > standsUntilMs) {
      isOldUnknown ||= nowMs >= dueAtMs;
      continue;
    }
    asOfMs = Math.max(asOfMs ?? 0, job.seenAtMs);
    if (nowMs >= dueAtMs) sinceMs = Math.min(sinceMs, dueAtMs);
    else if (dueAtMs <= standsUntilMs) nextChangeAtMs = Math.min(nextChangeAtMs, dueAtMs);
  }
  if (sinceMs !== Infinity) return { result: 'met', isFiring: true, sinceMs, nextChangeAtMs: null, asOfMs };
  if (isOldUnknown) return { ...unknown, nextChangeAtMs: nextChangeAtMs === Infinity ? null : nextChangeAtMs, asOfMs };
  return {
    result: 'clear',
    isFiring: false,
    sinceMs: nowMs,
    nextChangeAtMs: nextChangeAtMs === Infinity ? null : nextChangeAtMs,
    asOfMs: asOfMs ?? nowMs,
  };
}
