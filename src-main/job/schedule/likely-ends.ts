import { minErrors, oddsEnded } from '../forecast/end-odds.ts';
import type { UnexplainedEnds } from './counted-ends.ts';

/** A job that may have ended since the counters of its endpoint rose. */
export interface LikelyEnd {
  key: string;
  acceptedAtMs: number;
  startedSeenAtMs: number | null;
  /** When the last status read left. Null before the first. */
  statusReadAtMs: number | null;
  /** When it is forecast to end. Null if that is not known. */
  endsAtMs: number | null;
}

export interface Choice<S extends LikelyEnd> {
  /** Those to read now, the most likely first. */
  now: readonly S[];
  /** How long after its last read, or after the first of the unexplained ends, any other is read as well. */
  restMs: number;
}

/** A read of a less likely job finds an end so rarely that it can wait. */
const minOdds = 0.25;
/** If the likely jobs did not explain the ends, the others are read after this time, and each at this interval. */
const restAfterMs = 5_000;
const restEachMs = 100;

/**
 * The jobs whose status is read for the unexplained ends. If the endpoint's forecast errors are known: the most likely
 * jobs, until their probabilities add up to the number of unexplained ends, and first among those that can have
 * started; unlikely jobs only after some seconds in which the likely ones did not explain the counters. Otherwise:
 * about as many at the same time as there are unexplained ends, in the order of `likeliestFirst`. `busy` are those
 * whose read is in progress. The result does not depend on the order of `likelyEnds`.
 */
export function choose<S extends LikelyEnd>(
  { likelyEnds, busy, unexplained }: { likelyEnds: readonly S[]; busy: readonly S[]; unexplained: UnexplainedEnds },
  errorsMs: readonly number[],
  nowMs: number,
): Choice<S> {
  if (errorsMs.length < minErrors)
    return {
      now: likelyEnds.toSorted(likeliestFirst).slice(0, Math.max(0, unexplained.count + 1 - busy.length)),
      restMs: Infinity,
    };
  const oddsOf = ({ endsAtMs, statusReadAtMs, acceptedAtMs }: LikelyEnd): number =>
    endsAtMs === null ? minOdds : oddsEnded(errorsMs, endsAtMs, statusReadAtMs ?? acceptedAtMs, nowMs);
  const now: S[] = [];
  let expected = busy.reduce((sum, likelyEnd) => sum + oddsOf(likelyEnd), 0);
  let likelyCount = 0;
  for (const part of byQueue(likelyEnds, busy, unexplained.maxStarts)) {
    const likely = likelyOnes(part, oddsOf);
    likelyCount += likely.length;
    for (const { likelyEnd, odds } of likely) {
      if (expected + odds > unexplained.count) return { now, restMs: restMsOf(likelyEnds.length - likelyCount) };
      expected += odds;
      now.push(likelyEnd);
    }
  }
  return { now, restMs: restMsOf(likelyEnds.length - likelyCount) };
}

/** When `others` jobs are read that are not likely to have ended. */
function restMsOf(others: number): number {
  return Math.max(restAfterMs, others * restEachMs);
}

/** Those whose read is worth it, the most likely first. */
function likelyOnes<S extends LikelyEnd>(
  likelyEnds: readonly S[],
  oddsOf: (likelyEnd: S) => number,
): { likelyEnd: S; odds: number }[] {
  return likelyEnds
    .map((likelyEnd) => ({ likelyEnd, odds: oddsOf(likelyEnd) }))
    .filter(({ odds }) => odds >= minOdds)
    .sort((a, b) => b.odds - a.odds || likeliestFirst(a.likelyEnd, b.likelyEnd));
}

/**
 * The jobs that can have started, and behind them those that cannot, whatever is forecast: of the jobs that were not
 * seen running, all but the `maxStarts` that were accepted first, because the queue is FIFO. `busy` jobs count among
 * them.
 */
function byQueue<S extends LikelyEnd>(
  likelyEnds: readonly S[],
  busy: readonly S[],
  maxStarts: number,
): readonly (readonly S[])[] {
  const queued = [...likelyEnds, ...busy].filter(({ startedSeenAtMs }) => startedSeenAtMs === null);
  if (queued.length <= maxStarts) return [likelyEnds];
  const behind = new Set(queued.toSorted(likeliestFirst).slice(maxStarts));
  return [likelyEnds.filter((job) => !behind.has(job)), likelyEnds.filter((job) => behind.has(job))];
}

/**
 * Which of two jobs has more probably ended: one seen running, then the one read longest ago, then the one accepted
 * first.
 */
function likeliestFirst(a: LikelyEnd, b: LikelyEnd): number {
  return byStart(a, b) || (a.key < b.key ? -1 : 1);
}

function byStart(a: LikelyEnd, b: LikelyEnd): number {
  if (a.startedSeenAtMs !== null && b.startedSeenAtMs !== null)
    return (a.statusReadAtMs ?? a.acceptedAtMs) - (b.statusReadAtMs ?? b.acceptedAtMs);
  if (a.startedSeenAtMs !== null) return -1;
  if (b.startedSeenAtMs !== null) return 1;
  return a.acceptedAtMs - b.acceptedAtMs;
}
