import { lastStatusReadMs } from './deadlines.ts';
import { retentionMs, type SubmitOperation } from '../../../src-preload/job.ts';

/** A job that somebody has open is near-live. */
const openedIntervalMs = 750;
/** A young job that is not on screen. */
const youngIntervalMs = 1_500;
/** No job that is polled alone waits longer. */
export const oldIntervalMs = 15_000;
/** The first status read after acceptance: many jobs take no longer. */
const firstStatusReadMs = 500;

/**
 * What is on screen, and the power source: jobs off screen are read half as often behind a hidden window or on battery.
 */
export interface Attention {
  isWindowVisible: boolean;
  isOnBattery: boolean;
}

/** Whether jobs are read at their shortest intervals: a window is visible and the machine has mains power. */
export function isNear({ isWindowVisible, isOnBattery }: Attention): boolean {
  return isWindowVisible && !isOnBattery;
}

/** How many times as long a pause may be as while someone may be watching. */
export function unhurried(attention: Attention): 1 | 2 {
  return isNear(attention) ? 1 : 2;
}

export interface JobAge {
  isOpened: boolean;
  /** How long a row on screen may wait (see view-pace.ts); null for one that is not. */
  viewIntervalMs: number | null;
  acceptedAtMs: number;
  /** When the last status read left; null before the first. */
  statusReadAtMs: number | null;
}

/**
 * How long after the last status read (or the acceptance) a job is read again when it is polled alone: within a second
 * or two while it is on screen, else growing with its age up to 15 s; or when it likely ended, by its forecast and how
 * good those were (`likelyAtMs`; null while nothing is known). A hidden window or the battery doubles it. Result
 * retention bounds it in any case (see `readByMs`).
 */
export function statusIntervalMs(job: JobAge, attention: Attention, likelyAtMs: number | null, nowMs: number): number {
  const { isOpened, viewIntervalMs } = job;
  if (attention.isWindowVisible && (isOpened || viewIntervalMs !== null)) {
    if (job.statusReadAtMs === null) return firstStatusReadMs;
    return Math.min(isOpened ? openedIntervalMs : Infinity, viewIntervalMs ?? Infinity);
  }
  const times = unhurried(attention);
  if (likelyAtMs !== null) return between(1_000 * times, likelyAtMs - lastStatusReadMs(job), oldIntervalMs * times);
  const intervalMs =
    job.statusReadAtMs === null
      ? firstStatusReadMs
      : between(youngIntervalMs, (nowMs - job.acceptedAtMs) / 10, oldIntervalMs);
  return times === 1 ? intervalMs : Math.max(2_000, intervalMs * times);
}

/**
 * How often each of `jobCount` jobs behind one health call is read all the same: the slow sweep. Three times
 * before a result leaves in any case.
 */
export function sweepIntervalMs(operation: SubmitOperation, jobCount: number, attention: Attention): number {
  return Math.min(Math.max(30_000, jobCount * 100) * unhurried(attention), retentionMs[operation] / 3);
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
  /** Its result has to be collected even if it is not on screen. */
  isKeptWhole: boolean;
}

/**
 * How long after one read of a running job's stream the next follows; null: not before the job is final, when the rest
 * is read anyway. About 300 ms while chunks come to someone who watches, up to 2 s while none come. It is read once a
 * minute even if it is not on screen (ruling 37).
 */
export function streamIntervalMs(stream: StreamAge): number | null {
  if (stream.isAttended && stream.isWindowVisible) {
    return between(
      300,
      300 * 1.5 ** Math.min(stream.emptyReads, 12),
      stream.hasChunks || stream.emptyReads < 30 ? 2_000 : 5_000,
    );
  }
  if (!stream.isKeptWhole) return null;
  if (!stream.hasChunks && (stream.isEndpointSilent || stream.emptyReads >= 8)) return longestUnattendedMs;
  return between(1_500, 1_500 * 1.5 ** Math.min(stream.emptyReads, 8), oldIntervalMs);
}

/** An unattended stream is read at least so often while its job runs (ruling 37). */
export const longestUnattendedMs = 60_000;

/**
 * How long after failure number `failures` (from 1) the stream of a job that is over is tried again: up to a minute
 * (ruling 36).
 */
export function drainRetryMs(failures: number, random: () => number): number {
  return Math.round(Math.min(60_000, 500 * 2 ** Math.min(failures, 10)) * (0.5 + random() / 2));
}
