import { readingStandsMs } from '../../src-preload/alert.ts';
import type { Health, HealthPoint } from '../../src-preload/health.ts';
import { isTerminalStatus, statusKind, type Job } from '../../src-preload/job.ts';

/** What a status read said about a job stands for this long when nothing newer is known. */
export const lookStandsMs = 180_000;

/** What one or more readings in a row say alike, from the first of them to the last. */
export interface Reading {
  atMs: number;
  untilMs: number;
  inQueue: number;
  /** Null where a former version kept no such figure. */
  failed: number | null;
  idle: number;
  running: number;
  /** Workers on their way (ruling 27); 0 where the service does not say. */
  starting: number;
}

/** A job of ours that waits in the queue. */
export interface QueuedJob {
  attempt: number;
  /** Since when, for its current attempt. */
  sinceMs: number;
  /** The last look that showed it waiting. */
  seenAtMs: number;
}

/** A job of ours that failed: after the look before, and no later than it was seen. */
export interface Failure {
  lookedAtMs: number;
  seenAtMs: number;
}

/** A run of ours that took longer than the p95 learned before it. */
export interface LongRun {
  atMs: number;
  executionMs: number;
  p95Ms: number;
}

/** What is known of one endpoint, as far back as rules look. */
export interface EndpointFacts {
  /** Oldest first; equal ones in a row are one. */
  readings: Reading[];
  queued: Map<string, QueuedJob>;
  /** When each of our live jobs was read last. */
  lookedAtMs: Map<string, number>;
  /** In the order they were seen. */
  failures: Failure[];
  longRuns: LongRun[];
}

/** Distinct readings kept of an endpoint; more than a day of a calm one, an hour of one that changes every second. */
const mostReadings = 4_000;
const mostEnds = 2_000;

/** An endpoint of which nothing is known. */
export function noFacts(): EndpointFacts {
  return { readings: [], queued: new Map(), lookedAtMs: new Map(), failures: [], longRuns: [] };
}

/** A health as it was read. */
export function readingOf({ atMs, jobs, workers }: Health): Reading {
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

/** A kept point. One that stands for a minute says only how that minute ended. */
export function readingOfPoint({ atMs, spanMs, inQueue, failed, idle, running, initializing }: HealthPoint): Reading {
  const endMs = atMs + spanMs;
  return { atMs: endMs, untilMs: endMs, inQueue, failed, idle, running, starting: initializing ?? 0 };
}

/** Adds a reading. One that is older than the newest says nothing new: a later one overtook it. */
export function addReading(facts: EndpointFacts, reading: Reading): void {
  const last = facts.readings.at(-1);
  if (last !== undefined && reading.atMs < last.untilMs) return;
  if (last !== undefined && reading.atMs - last.untilMs <= readingStandsMs && isAlike(last, reading))
    last.untilMs = reading.untilMs;
  else facts.readings.push({ ...reading });
  if (facts.readings.length > mostReadings) facts.readings.splice(0, facts.readings.length - mostReadings);
}

/** Adds readings kept by a former run before those that came since. */
export function addKeptReadings(facts: EndpointFacts, kept: readonly Reading[]): void {
  const since = facts.readings;
  facts.readings = [];
  const firstMs = since[0]?.atMs ?? Infinity;
  for (const reading of kept) if (reading.atMs < firstMs) addReading(facts, reading);
  for (const reading of since) addReading(facts, reading);
}

/** Takes a job of ours as it now stands: whether it waits, since when, and when its status was last read. */
export function noteJob(facts: EndpointFacts, job: Job): void {
  const { key, attempt } = job;
  if (job.phase !== 'active' || (job.status !== null && isTerminalStatus(job.status))) {
    facts.queued.delete(key);
    // `noteEnd` needs the time of the status read before the end.
    if (job.phase !== 'active' && job.phase !== 'finished') facts.lookedAtMs.delete(key);
    return;
  }
  const seenAtMs = job.lastCheckedAtMs ?? job.acceptedAtMs ?? job.createdAtMs;
  facts.lookedAtMs.set(key, seenAtMs);
  if (job.status !== 'IN_QUEUE') {
    facts.queued.delete(key);
    return;
  }
  const known = facts.queued.get(key);
  // A retry keeps the time of the first acceptance: its own wait is counted from when it was first seen waiting.
  const sinceMs =
    known?.attempt === attempt ? known.sinceMs : attempt === 1 ? (job.acceptedAtMs ?? job.createdAtMs) : seenAtMs;
  facts.queued.set(key, { attempt, sinceMs, seenAtMs: Math.max(seenAtMs, known?.seenAtMs ?? 0) });
}

/** Takes the end of a job of ours, once for each attempt. */
export function noteEnd(facts: EndpointFacts, job: Job, nowMs: number): void {
  const seenAtMs = job.finishedSeenAtMs ?? nowMs;
  const lookedAtMs = facts.lookedAtMs.get(job.key) ?? job.acceptedAtMs ?? seenAtMs;
  facts.lookedAtMs.delete(job.key);
  facts.queued.delete(job.key);
  const look = statusKind(job);
  if (job.phase !== 'finished' || (look !== 'fail' && look !== 'timeout')) return;
  facts.failures.push({ lookedAtMs, seenAtMs });
  if (facts.failures.length > mostEnds) facts.failures.shift();
}

/** Adds a run that took longer than p95. */
export function addLongRun(facts: EndpointFacts, run: LongRun): void {
  facts.longRuns.push(run);
  if (facts.longRuns.length > mostEnds) facts.longRuns.shift();
}

/**
 * Forgets what lies further back than any rule looks; the reading before it stays, because it takes two to see a
 * counter rise.
 */
export function trimFacts(facts: EndpointFacts, sinceMs: number): void {
  const { readings } = facts;
  const first = readings.findIndex((reading) => reading.untilMs >= sinceMs);
  const keepFrom = first === -1 ? readings.length - 1 : first - 1;
  if (keepFrom > 0) readings.splice(0, keepFrom);
  while ((facts.failures[0]?.seenAtMs ?? Infinity) < sinceMs) facts.failures.shift();
  while ((facts.longRuns[0]?.atMs ?? Infinity) < sinceMs) facts.longRuns.shift();
}

function isAlike(a: Reading, b: Reading): boolean {
  return (
    a.inQueue === b.inQueue &&
    a.failed === b.failed &&
    a.idle === b.idle &&
    a.running === b.running &&
    a.starting === b.starting
  );
}
