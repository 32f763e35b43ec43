import { plannedKnownAtMs } from './read-deadlines.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';
import { hourMs, minuteMs } from '../../../src-preload/durations.ts';
import { retentionMs } from '../../../src-preload/service-retention.ts';

/** An open job is read this often. */
const openedIntervalMs = 750;
/** A young job that is not on screen. */
const youngIntervalMs = 1_500;
/** The longest interval of a job that is polled individually. */
export const oldIntervalMs = 15_000;
/** The first status read after acceptance. Many jobs take no longer. */
const firstStatusReadMs = 500;

/** A stream that a window shows is read this often while chunks come... */
const shownStreamMs = 300;
/** ...and at most this much later while none come... */
const shownQuietStreamMs = 2_000;
/** ...or, if it never had a chunk in `readsUntilSilent` reads, this much later. */
const shownSilentStreamMs = 5_000;
const readsUntilSilent = 30;
/** A stream that no window shows, while chunks come. */
const hiddenStreamMs = 1_500;
/** After this number of empty reads, a stream that no window shows and that never had a chunk is read least often. */
const hiddenReadsUntilSilent = 8;
/** Each empty read makes the next wait this many times longer. */
const emptyReadFactor = 1.5;
/** With more empty reads than this, the wait would be longer than any limit. */
const maxEmptyReads = 12;

/**
 * What is visible, and the power source: jobs off screen are read half as often behind a hidden window or on battery.
 */
export interface Attention {
  isWindowVisible: boolean;
  isOnBattery: boolean;
}

/** Whether jobs are read at their shortest intervals: a window is visible and the machine has mains power. */
export function isReadQuickly({ isWindowVisible, isOnBattery }: Attention): boolean {
  return isWindowVisible && !isOnBattery;
}

/** The factor of intervals compared with those of a visible window. */
export function intervalFactor(attention: Attention): 1 | 2 {
  return isReadQuickly(attention) ? 1 : 2;
}

export interface JobAge {
  isOpened: boolean;
  /** The longest interval of a row on screen (see view-pace.ts). Null for a job that is not on screen. */
  viewIntervalMs: number | null;
  acceptedAtMs: number;
  /** When the last status read left. Null before the first. */
  statusReadAtMs: number | null;
}

/**
 * How long after the last status read (or the acceptance) a job that is polled individually is read again: within a
 * second or two while it is on screen, otherwise growing with its age up to 15 s; or when it has probably ended, by its
 * forecast and the quality of forecasts (`likelyAtMs`; null if nothing is known). A hidden window or battery power
 * doubles it. Result retention limits it in any case (see `readByMs`).
 */
export function statusIntervalMs(job: JobAge, attention: Attention, likelyAtMs: number | null, nowMs: number): number {
  const { isOpened, viewIntervalMs } = job;
  if (attention.isWindowVisible && (isOpened || viewIntervalMs !== null)) {
    if (job.statusReadAtMs === null) return firstStatusReadMs;
    return Math.min(isOpened ? openedIntervalMs : Infinity, viewIntervalMs ?? Infinity);
  }
  const times = intervalFactor(attention);
  if (likelyAtMs !== null) return between(1_000 * times, likelyAtMs - plannedKnownAtMs(job), oldIntervalMs * times);
  const intervalMs =
    job.statusReadAtMs === null
      ? firstStatusReadMs
      : between(youngIntervalMs, (nowMs - job.acceptedAtMs) / 10, oldIntervalMs);
  return times === 1 ? intervalMs : Math.max(2_000, intervalMs * times);
}

/** From this age on, a job with an unlisted status is read less and less often... */
const unlistedFromMs = hourMs;
/** ...after a sixtieth of its age, up to this. A result stays three times as long. */
const maxUnlistedMs = 10 * minuteMs;

/**
 * The shortest pause between two reads of an off-screen job whose status the specification does not list. The job may
 * be running under a name of the service's own, or the status may mean that the service does not know it (ruling 8).
 */
export function unlistedIntervalMs(acceptedAtMs: number, nowMs: number): number {
  const ageMs = nowMs - acceptedAtMs;
  return ageMs < unlistedFromMs ? 0 : Math.min(maxUnlistedMs, ageMs / 60);
}

/**
 * How often each of `jobCount` jobs behind one health request is still read: the slow sweep. At least three times
 * before a result expires.
 */
export function sweepIntervalMs(operation: SubmitOperation, jobCount: number, attention: Attention): number {
  return Math.min(Math.max(30_000, jobCount * 100) * intervalFactor(attention), retentionMs[operation] / 3);
}

function between(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

export interface StreamAge {
  /** The stream or the job is open in a window. */
  isAttended: boolean;
  isWindowVisible: boolean;
  /** Reads in a row without new chunks. */
  emptyReads: number;
  hasChunks: boolean;
  /** The endpoint's last jobs streamed nothing. */
  isEndpointSilent: boolean;
  /** Its stream must be collected even while it is off screen. */
  isKeptWhole: boolean;
}

/**
 * How long after a read of a running job's stream the next one follows. Null: not before the job is final, when the
 * rest is read anyway. About 300 ms while chunks come and a window shows them, up to 2 s while none come. Once a minute
 * even if it is off screen (ruling 37).
 */
export function streamIntervalMs(stream: StreamAge): number | null {
  const grown = (firstMs: number): number => firstMs * emptyReadFactor ** Math.min(stream.emptyReads, maxEmptyReads);
  if (stream.isAttended && stream.isWindowVisible) {
    const isQuiet = stream.hasChunks || stream.emptyReads < readsUntilSilent;
    return between(shownStreamMs, grown(shownStreamMs), isQuiet ? shownQuietStreamMs : shownSilentStreamMs);
  }
  if (!stream.isKeptWhole) return null;
  if (!stream.hasChunks && (stream.isEndpointSilent || stream.emptyReads >= hiddenReadsUntilSilent))
    return maxUnattendedMs;
  return between(hiddenStreamMs, grown(hiddenStreamMs), oldIntervalMs);
}

/** While its job runs, a stream that no window shows is read at least this often (ruling 37). */
export const maxUnattendedMs = 60_000;

/** The longest wait between tries of an ended job's stream (ruling 36). */
const maxDrainRetryMs = 60_000;

/**
 * How long after failure number `failures` (from 1) an ended job's stream is tried again: up to a minute (ruling 36).
 * At random between half of that and all of it.
 */
export function drainRetryMs(failures: number, random: () => number): number {
  return Math.round(Math.min(maxDrainRetryMs, 500 * 2 ** Math.min(failures, 10)) * (0.5 + random() / 2));
}
