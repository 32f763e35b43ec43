import { readingValidMs } from '../../src-preload/alert.ts';
import type { Health, HealthPoint } from '../../src-preload/health.ts';
import { isTerminalStatus, lastKnownAtMs, statusKind, type Job } from '../../src-preload/job.ts';

/** How long the result of a status read is considered valid without a newer one. */
export const statusValidMs = 180_000;

/** One or more equal readings in a row, from the first to the last of them. */
export interface AlertReading {
  atMs: number;
  untilMs: number;
  inQueue: number;
  /** Null if it was saved by a version that did not record it. */
  failed: number | null;
  idle: number;
  running: number;
  /** Workers that are starting (ruling 27). 0 if the service does not report them. */
  starting: number;
}

/** One of our jobs that waits in the queue. */
export interface QueuedJob {
  attempt: number;
  /** When its current attempt began to wait. */
  sinceMs: number;
  /** The last read that showed it waiting. */
  seenAtMs: number;
}

/** One of our jobs that failed: after the read before and no later than the read that showed it. */
export interface FailedJob {
  lastReadAtMs: number;
  seenAtMs: number;
}

/** One of our runs that took longer than the p95 at that time. */
export interface LongRun {
  atMs: number;
  executionMs: number;
  p95Ms: number;
}

/** What is known of one endpoint, as far back as rules need. */
export interface EndpointFacts {
  /** Oldest first. Equal ones in a row are joined. */
  readings: AlertReading[];
  queued: Map<string, QueuedJob>;
  /** When each of our live jobs was read last. */
  lastReadAtMs: Map<string, number>;
  /** In the order they were seen. */
  failures: FailedJob[];
  longRuns: LongRun[];
}

/**
 * The most distinct readings kept of an endpoint. Enough for more than a day if little changes, or for an hour of a
 * change every second.
 */
const maxReadings = 4_000;
const maxEnds = 2_000;

/** An endpoint of which nothing is known. */
export function noFacts(): EndpointFacts {
  return { readings: [], queued: new Map(), lastReadAtMs: new Map(), failures: [], longRuns: [] };
}

/** A health reading in the form of the facts. */
export function alertReadingOf({ atMs, jobs, workers }: Health): AlertReading {
  return {
    atMs,
    untilMs: atMs,
    inQueue: jobs.inQueue,
    failed: jobs.failed,
    idle: workers.idle,
    running: workers.running,
    starting: workers.initializing ?? 0,
  };
}

/** A saved point as a reading. If it covers a minute, it only says how that minute ended. */
export function alertReadingOfPoint({
  atMs,
  spanMs,
  inQueue,
  failed,
  idle,
  running,
  initializing,
}: HealthPoint): AlertReading {
  const endMs = atMs + spanMs;
  return { atMs: endMs, untilMs: endMs, inQueue, failed, idle, running, starting: initializing ?? 0 };
}

/** Adds a reading. One that is older than the newest is ignored: its answer was overtaken. */
export function addReading(facts: EndpointFacts, reading: AlertReading): void {
  const last = facts.readings.at(-1);
  if (last !== undefined && reading.atMs < last.untilMs) return;
  if (last !== undefined && reading.atMs - last.untilMs <= readingValidMs && isAlike(last, reading))
    last.untilMs = reading.untilMs;
  else facts.readings.push({ ...reading });
  if (facts.readings.length > maxReadings) facts.readings.splice(0, facts.readings.length - maxReadings);
}

/** Adds the kept readings of an earlier run before those that came since. */
export function addSavedReadings(facts: EndpointFacts, kept: readonly AlertReading[]): void {
  const since = facts.readings;
  facts.readings = [];
  const firstMs = since[0]?.atMs ?? Infinity;
  for (const reading of kept) if (reading.atMs < firstMs) addReading(facts, reading);
  for (const reading of since) addReading(facts, reading);
}

/** Notes one of our jobs: whether it waits, since when, and when its status was last read. */
export function noteJob(facts: EndpointFacts, job: Job): void {
  const { key, attempt } = job;
  if (job.phase !== 'active' || (job.status !== null && isTerminalStatus(job.status))) {
    facts.queued.delete(key);
    // `noteEnd` needs the time of the status read before the end.
    if (job.phase !== 'active' && job.phase !== 'finished') facts.lastReadAtMs.delete(key);
    return;
  }
  const seenAtMs = lastKnownAtMs(job);
  facts.lastReadAtMs.set(key, seenAtMs);
  if (job.status !== 'IN_QUEUE') {
    facts.queued.delete(key);
    return;
  }
  const known = facts.queued.get(key);
  // A retry keeps the time of the first acceptance, so its wait is counted from when it was first seen waiting.
  const sinceMs =
    known?.attempt === attempt ? known.sinceMs : attempt === 1 ? (job.acceptedAtMs ?? job.createdAtMs) : seenAtMs;
  facts.queued.set(key, { attempt, sinceMs, seenAtMs: Math.max(seenAtMs, known?.seenAtMs ?? 0) });
}

/** Notes the end of one of our jobs. Called once for each attempt. */
export function noteEnd(facts: EndpointFacts, job: Job, nowMs: number): void {
  const seenAtMs = job.finishedSeenAtMs ?? nowMs;
  const lastReadAtMs = facts.lastReadAtMs.get(job.key) ?? job.acceptedAtMs ?? seenAtMs;
  facts.lastReadAtMs.delete(job.key);
  facts.queued.delete(job.key);
  const kind = statusKind(job);
  if (job.phase !== 'finished' || (kind !== 'fail' && kind !== 'timeout')) return;
  facts.failures.push({ lastReadAtMs, seenAtMs });
  if (facts.failures.length > maxEnds) facts.failures.shift();
}

/** Adds a run that took longer than p95. */
export function addLongRun(facts: EndpointFacts, run: LongRun): void {
  facts.longRuns.push(run);
  if (facts.longRuns.length > maxEnds) facts.longRuns.shift();
}

/**
 * Drops facts older than any rule needs. The last reading before that stays, because it takes two to see a counter
 * rise.
 */
export function trimFacts(facts: EndpointFacts, sinceMs: number): void {
  const { readings } = facts;
  const first = readings.findIndex((reading) => reading.untilMs >= sinceMs);
  const keepFrom = first === -1 ? readings.length - 1 : first - 1;
  if (keepFrom > 0) readings.splice(0, keepFrom);
  while ((facts.failures[0]?.seenAtMs ?? Infinity) < sinceMs) facts.failures.shift();
  while ((facts.longRuns[0]?.atMs ?? Infinity) < sinceMs) facts.longRuns.shift();
}

function isAlike(a: AlertReading, b: AlertReading): boolean {
  return (
    a.inQueue === b.inQueue &&
    a.failed === b.failed &&
    a.idle === b.idle &&
    a.running === b.running &&
    a.starting === b.starting
  );
}
