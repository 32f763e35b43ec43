import { dayMs } from '../../src-preload/durations.ts';
import type { CommonFact, FailureCause, FailureDetail } from '../../src-preload/failure-cause.ts';

const newWithinMs = dayMs;
/** The recent part of a trend is its last quarter. */
const lateShare = 4;
const minLate = 3;
/** A fact is the likely reason if at least this share of the failed jobs has it, and few completed ones do. */
const maxFailedHave = 0.9;
const fewCompletedHave = 0.1;

/** Whether a cause is new (first seen within a day) or rising (more frequent in the last quarter than before). Pure. */
export function signOf(
  { firstAtMs, trend }: Pick<FailureCause, 'firstAtMs' | 'trend'>,
  nowMs: number,
): 'new' | 'rising' | null {
  if (nowMs - firstAtMs < newWithinMs) return 'new';
  const lateFrom = trend.length - Math.floor(trend.length / lateShare);
  const late = sumOf(trend.slice(lateFrom));
  return late >= minLate && late > sumOf(trend.slice(0, lateFrom)) ? 'rising' : null;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Whether nearly all failed jobs have it and hardly any completed ones. Pure. */
export function separates(
  { failed, completed }: Pick<CommonFact, 'failed' | 'completed'>,
  { failedSeen, completedSeen }: Pick<FailureDetail, 'failedSeen' | 'completedSeen'>,
): boolean {
  return failed >= failedSeen * maxFailedHave && completedSeen > 0 && completed <= completedSeen * fewCompletedHave;
}

/** The one fact that distinguishes failed from completed jobs. Null if none or several do. Pure. */
export function mostLikely(detail: Pick<FailureDetail, 'common' | 'failedSeen' | 'completedSeen'>): CommonFact | null {
  const separating = detail.common.filter((fact) => separates(fact, detail));
  return separating.length === 1 ? (separating[0] ?? null) : null;
}

/** Whether a cause matches the typed text: its message, frame or endpoint contain all words. Pure. */
export function isMeant(
  { message, frame }: Pick<FailureCause, 'message' | 'frame'>,
  endpoint: string,
  typed: string,
): boolean {
  const text = `${message}\n${frame}\n${endpoint}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
