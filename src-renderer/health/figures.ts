import type { HealthPoint } from '../../src-preload/health.ts';
import { formatCountdown } from '../../src-preload/format.ts';
import { clearingText } from '../messages/health/figures.ts';
import { endOf, isSilence } from './runs.ts';
import { pairs, counterIncrease } from './rates.ts';

/** One figure of the strip: the number, its unit, and its meaning. */
export interface Figure {
  value: string;
  unit: string;
  note: string;
}

const compareMs = 10 * 60_000;

/** How many jobs waited ten minutes ago. Null if there was no sample then. */
export function queuedBefore(points: readonly HealthPoint[], nowMs: number): number | null {
  const thenMs = nowMs - compareMs;
  const index = points.findLastIndex((point) => point.atMs <= thenMs);
  const then = points[index];
  const next = points[index + 1];
  if (then === undefined) return null;
  const isUnknown = isSilence(then, thenMs) && (next === undefined || isSilence(then, next.atMs));
  return isUnknown ? null : then.inQueue;
}

/** The most workers that were up at the same time, as far as the points show. */
export function workersSeen(points: readonly HealthPoint[]): number {
  return points.reduce((max, point) => Math.max(max, point.running + point.idle), 0);
}

/** The longest wait of our jobs as a large figure, in whole seconds because it counts up: `42 s`, `4:12 min`. */
export function waitFigure(ms: number): { value: string; unit: string } {
  if (ms < 60_000) return { value: String(Math.max(0, Math.floor(ms / 1_000))), unit: 's' };
  return { value: formatCountdown(ms), unit: ms < 3_600_000 ? 'min' : 'h' };
}

/** The clearing time, or why there is none. */
export function clearingFigure(clearing: ClearingTime): Figure {
  switch (clearing.kind) {
    case 'empty':
      return { value: '0', unit: 's', note: clearingText.empty };
    case 'known':
      return { ...waitFigure(clearing.ms), note: clearingText.known };
    case 'unknown':
      return { value: '–', unit: '', note: clearingText[clearing.why] };
  }
}

/**
 * When the last idle worker took a job, if none is idle while jobs wait. Otherwise, or if that is not known, null.
 * Epoch milliseconds.
 */
export function lastIdleTakenMs(points: readonly HealthPoint[]): number | null {
  const last = points.at(-1);
  if (last === undefined || last.idle > 0 || last.inQueue === 0 || last.running === 0) return null;
  const idleAt = points.findLastIndex((point) => point.idle > 0);
  const idle = points[idleAt];
  const taken = points[idleAt + 1];
  return idle === undefined || taken === undefined || isSilence(idle, taken.atMs)
    ? null
    : Math.max(taken.atMs, endOf(idle));
}

/** The pace is computed from this time. */
const paceSpanMs = 10 * 60_000;
/** A shorter time is too little for a pace. */
const minMs = 60_000;

export type ClearingTime =
  /** No jobs wait. */
  | { kind: 'empty' }
  /** There are too few readings. */
  | { kind: 'unknown'; why: 'too-new' | 'nothing-ended' }
  | { kind: 'known'; ms: number };

/**
 * The time until the queue is empty if no more jobs arrive: its depth, divided by the jobs that ended per minute in the
 * last ten minutes with samples. Pure.
 */
export function clearingTime(points: readonly HealthPoint[], nowMs: number): ClearingTime {
  const last = points.at(-1);
  if (last === undefined || last.inQueue === 0) return { kind: 'empty' };
  let ended = 0;
  let sampledMs = 0;
  for (const [before, after] of pairs(points)) {
    if (endOf(before) < nowMs - paceSpanMs || isSilence(before, after.atMs)) continue;
    ended += counterIncrease(before.completed, after.completed) + counterIncrease(before.failed, after.failed);
    sampledMs += endOf(after) - endOf(before);
  }
  if (sampledMs < minMs) return { kind: 'unknown', why: 'too-new' };
  if (ended === 0) return { kind: 'unknown', why: 'nothing-ended' };
  return { kind: 'known', ms: (last.inQueue / ended) * sampledMs };
}
