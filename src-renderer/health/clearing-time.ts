import type { HealthPoint } from '../../src-preload/health.ts';
import { pairs, rise } from './rates.ts';
import { endOf, isSilence } from './runs.ts';

/** Pace is taken from this far back. */
const paceSpanMs = 10 * 60_000;
/** Less than this says nothing of the pace. */
const leastMs = 60_000;

export type ClearingTime =
  /** Nothing waits. */
  | { kind: 'empty' }
  /** Too little is known to say. */
  | { kind: 'unknown'; why: 'too-new' | 'nothing-ended' }
  | { kind: 'known'; ms: number };

/**
 * How long until nothing waits if nothing else arrives: the queue over what ended (completed or failed) per minute in
 * the last ten minutes that were sampled. Pure.
 */
export function clearingTime(points: readonly HealthPoint[], nowMs: number): ClearingTime {
  const last = points.at(-1);
  if (last === undefined || last.inQueue === 0) return { kind: 'empty' };
  let ended = 0;
  let sampledMs = 0;
  for (const [before, after] of pairs(points)) {
    if (endOf(before) < nowMs - paceSpanMs || isSilence(before, after.atMs)) continue;
    ended += rise(before.completed, after.completed) + rise(before.failed, after.failed);
    sampledMs += endOf(after) - endOf(before);
  }
  if (sampledMs < leastMs) return { kind: 'unknown', why: 'too-new' };
  if (ended === 0) return { kind: 'unknown', why: 'nothing-ended' };
  return { kind: 'known', ms: (last.inQueue / ended) * sampledMs };
}
