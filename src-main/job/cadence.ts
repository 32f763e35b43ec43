import type { RunTimes } from '../../src-preload/history.ts';
import { retentionMs } from '../../src-preload/job.ts';
import type { SubmitOperation } from '../../src-preload/job.ts';

/** Jobs on view are near-live. */
export const watchedIntervalMs = 1_000;
/** A young job nobody looks at. */
const youngIntervalMs = 1_500;
/** No job that is polled by itself waits longer. */
export const oldIntervalMs = 15_000;
/** Looks happen this long before a job can be gone. */
export const deadlineMarginMs = 10_000;
/** The first look after acceptance: many jobs take no longer. */
const firstLookMs = 500;

export interface JobAge {
  operation: SubmitOperation;
  isWatched: boolean;
  isWindowVisible: boolean;
  isOnBattery: boolean;
  acceptedAtMs: number;
  startedSeenAtMs: number | null;
  /** When the last look left; null before the first. */
  lookedAtMs: number | null;
  runTimes: RunTimes | null;
  /** When it likely ended, by its forecast and how good those were; null while nothing tells. */
  likelyAtMs: number | null;
}

/**
 * How long after the last look (or the acceptance) a job is looked at again when it is polled by itself: about a
 * second while someone watches, else growing with its age up to 15 s; where the endpoint's run times are known, not
 * before it is likely done. A hidden window or the battery doubles it. Result retention bounds it in any case (see `lookByMs`).
 */
export function lookIntervalMs(job: JobAge, nowMs: number): number {
  if (job.isWatched && job.isWindowVisible) return job.lookedAtMs === null ? firstLookMs : watchedIntervalMs;
  const isNear = job.isWindowVisible && !job.isOnBattery;
  if (job.likelyAtMs !== null) return between(isNear ? 1_000 : 2_000, job.likelyAtMs - (job.lookedAtMs ?? job.acceptedAtMs), isNear ? oldIntervalMs : 2 * oldIntervalMs);
  const ageMs = Math.max(0, nowMs - job.acceptedAtMs);
  const byAgeMs = job.lookedAtMs === null ? firstLookMs : between(youngIntervalMs, ageMs / 10, oldIntervalMs);
  const intervalMs = Math.max(byAgeMs, untilLikelyDoneMs(job, nowMs));
  return isNear ? intervalMs : Math.max(2_000, intervalMs * 2);
}

/** From the last look to when a running job is likely done by what its endpoint's jobs took; 0 where nothing is known. */
function untilLikelyDoneMs(job: JobAge, nowMs: number): number {
  const typicalMs = job.runTimes !== null && job.runTimes.count >= 5 ? job.runTimes.executionP50Ms : null;
  // How long it waits in the queue depends on others: until it is seen running, it is looked at by its age.
  if (typicalMs === null || job.startedSeenAtMs === null) return 0;
  const likelyAtMs = job.startedSeenAtMs + typicalMs * 0.9;
  return likelyAtMs <= nowMs ? 0 : between(0, likelyAtMs - (job.lookedAtMs ?? job.acceptedAtMs), oldIntervalMs);
}

/** What a job's deadlines are made of. */
export interface JobDeadlines {
  operation: SubmitOperation;
  acceptedAtMs: number;
  lookedAtMs: number | null;
  ttlEndsAtMs: number | null;
}

/**
 * The latest moment the next look may leave so that nothing can have left the service unseen: the job may have ended
 * right after the last look, and its result stays for 30 minutes (run) or 1 minute (runsync, counted at the least;
 * spec: rule 3); and its ttl ends it whatever its state.
 */
export function lookByMs(job: JobDeadlines): number {
  const lookedAtMs = job.lookedAtMs ?? job.acceptedAtMs;
  const byRetentionMs = lookedAtMs + retentionMs[job.operation] - deadlineMarginMs;
  if (job.ttlEndsAtMs === null) return byRetentionMs;
  const byTtlMs = job.ttlEndsAtMs - Math.min(deadlineMarginMs, (job.ttlEndsAtMs - job.acceptedAtMs) / 5);
  // Once looked at that late, the ttl asks for nothing more.
  return lookedAtMs < byTtlMs ? Math.min(byRetentionMs, byTtlMs) : byRetentionMs;
}

/** How often each of `jobCount` jobs behind one health call is looked at all the same: the slow sweep. */
export function sweepIntervalMs(operation: SubmitOperation, jobCount: number): number {
  return between(30_000, jobCount * 100, retentionMs[operation] / 3);
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

export interface StreamAge {
  /** Someone has the stream open or the job in view. */
  isAttended: boolean;
  isWindowVisible: boolean;
  /** Reads in a row that brought nothing. */
  emptyReads: number;
  hasChunks: boolean;
  /** The endpoint's last jobs streamed nothing at all. */
  isEndpointSilent: boolean;
  /** It is to be collected though nobody watches it. */
  isKeptWhole: boolean;
}

/**
 * How long after one read of a running job's stream the next follows; null: not before the job is final, when the
 * rest is read anyway. About 300 ms while chunks come to someone who watches, up to 2 s while none come.
 */
export function streamIntervalMs(stream: StreamAge): number | null {
  if (stream.isAttended && stream.isWindowVisible) {
    if (stream.emptyReads === 0) return 300;
    return between(300, 300 * 1.5 ** Math.min(stream.emptyReads, 12), stream.hasChunks || stream.emptyReads < 30 ? 2_000 : 5_000);
  }
  if (!stream.isKeptWhole) return null;
  if (!stream.hasChunks && (stream.isEndpointSilent || stream.emptyReads >= 8)) return null;
  return between(1_500, 1_500 * 1.5 ** Math.min(stream.emptyReads, 8), oldIntervalMs);
}
