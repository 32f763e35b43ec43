import { fewestErrors, oddsEnded } from '../forecast/end-odds.ts';
import type { UnexplainedEnds } from './health-gate.ts';

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
const leastOdds = 0.25;
/** If the likely jobs did not explain the ends, the others are read after this time, and each at this interval. */
const restAfterMs = 5_000;
const restEachMs = 100;

/**
 * The jobs whose status is read for the unexplained ends. If the endpoint's forecast errors are known: the most likely
 * jobs, those that can have started first, until their probabilities add up to the number of unexplained ends; unlikely jobs only after some seconds in
 * which the likely ones did not explain the counters. Otherwise: about as many at the same time as there are
 * unexplained ends, in the order of `likeliestFirst`. `busy` are those whose read is in progress. The result does not
 * depend on the order of `likelyEnds`.
 */
export function choose<S extends LikelyEnd>(
  likelyEnds: readonly S[],
  busy: readonly S[],
  unexplained: UnexplainedEnds,
  errorsMs: readonly number[],
  nowMs: number,
): Choice<S> {
  if (errorsMs.length < fewestErrors)
    return {
      now: likelyEnds.toSorted(likeliestFirst).slice(0, Math.max(0, unexplained.count + 1 - busy.length)),
      restMs: Infinity,
    };
  const oddsOf = ({ endsAtMs, statusReadAtMs, acceptedAtMs }: LikelyEnd): number =>
    endsAtMs === null ? leastOdds : oddsEnded(errorsMs, endsAtMs, statusReadAtMs ?? acceptedAtMs, nowMs);
  const likely: { likelyEnd: S; odds: number }[] = [];
  for (const likelyEnd of likelyEnds) {
    const odds = oddsOf(likelyEnd);
    if (odds >= leastOdds) likely.push({ likelyEnd, odds });
  }
  const isTooFarBack = behindTheStarted(likelyEnds, busy, unexplained.mostStarts);
  likely.sort(
    (a, b) =>
      Number(isTooFarBack(a.likelyEnd)) - Number(isTooFarBack(b.likelyEnd)) ||
      b.odds - a.odds ||
      likeliestFirst(a.likelyEnd, b.likelyEnd),
  );
  const now: S[] = [];
  let expected = busy.reduce((sum, likelyEnd) => sum + oddsOf(likelyEnd), 0);
  for (const { likelyEnd, odds } of likely) {
    if (expected + odds > unexplained.count) break;
    expected += odds;
    now.push(likelyEnd);
  }
  return { now, restMs: Math.max(restAfterMs, (likelyEnds.length - likely.length) * restEachMs) };
}

/**
 * Which jobs are too far back in the queue to have started, whatever is forecast: all that were not seen running,
 * except the `mostStarts` that were accepted first, because the queue is FIFO. `busy` jobs count among them.
 */
function behindTheStarted(
  likelyEnds: readonly LikelyEnd[],
  busy: readonly LikelyEnd[],
  mostStarts: number,
): (job: LikelyEnd) => boolean {
  const queued = [...likelyEnds, ...busy].filter(({ startedSeenAtMs }) => startedSeenAtMs === null);
  if (queued.length <= mostStarts) return () => false;
  const behind = new Set(queued.toSorted(likeliestFirst).slice(mostStarts));
  return (job) => behind.has(job);
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
