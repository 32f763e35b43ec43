import { dayMs } from '../../src-preload/durations.ts';
import type { CommonFact, FailureCause, FailureDetail } from '../../src-preload/failure-cause.ts';

const newWithinMs = dayMs;
/** The recent part of a trend is its last quarter. */
const lateShare = 4;
const minLate = 3;
/** A fact is the likely reason if at least this share of the failed jobs has it, and few completed ones do. */
const maxFailedHave = 0.9;
const fewCompletedHave = 0.1;
/**
 * With fewer jobs on either side, a fact that separates them is no reason: up to sixty facts are compared, and jobs of
 * one batch share theirs, so only the smaller side counts. A fact that half of all jobs have separates n of them by
 * chance with 0.5 ** n, so one of sixty does with 60 * 0.5 ** n: surely for 4, with 6 % for 10, with 3 % for 11.
 */
const minCompared = 11;

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

/** A fact that separates failed from completed jobs. `isLikely`: enough were compared to call it the likely reason. */
export interface Difference {
  fact: CommonFact;
  isLikely: boolean;
}

/**
 * The one fact that separates failed from completed jobs; of several, the first that the error names. Null if none
 * separates them, or several do and the error names none. Pure.
 */
export function differenceIn(
  detail: Pick<FailureDetail, 'common' | 'failedSeen' | 'completedSeen'>,
): Difference | null {
  const separating = detail.common.filter((fact) => separates(fact, detail));
  const fact = separating.find(({ isNamed }) => isNamed) ?? (separating.length === 1 ? separating[0] : undefined);
  if (fact === undefined) return null;
  return { fact, isLikely: Math.min(detail.failedSeen, detail.completedSeen) >= minCompared };
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
