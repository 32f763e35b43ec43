import type { HealthRecord } from '../../service/reply.ts';

/**
 * What an endpoint's counters of finished jobs say about our jobs. One health request shows whether any job ended. Only
 * then are status requests sent, and only until as many ends were found as the counters showed, or every job was read
 * (the other ends are then someone else's, because endpoints may be shared).
 */
export interface CountedEnds {
  /** completed + failed at the last read. Null before the first. */
  finished: number | null;
  /** Jobs in progress at the last read, of all clients. Null before the first. */
  inProgress: number | null;
  /** When the counters were last read. The next read depends on it too. */
  readAtMs: number | null;
  /** Ends that the counters showed and no status reply has explained yet, oldest first. */
  rises: readonly Rise[];
  /** Ends seen in status replies, to be subtracted from what the next read shows. */
  seenEnds: number;
  /** `seenEnds` when the read in progress left. Later ones may not be in its counters. */
  seenEndsAtRequest: number;
  /** Reads that failed in a row. From two on, jobs are read individually instead. */
  failures: number;
  /** The service asked not to be asked again before this (ruling 10). */
  notBeforeMs: number;
  /** Our last ends in a row that a webhook had reported before they were seen (ruling 25). */
  hintedEnds: number;
}

/** The counters rose by `ends` (Infinity: by an unknown number) when they were read at `atMs`. */
interface Rise {
  atMs: number;
  ends: number;
}

/** From this many failures in a row on, health says nothing about jobs. */
const failuresUntilBroken = 2;
/** After this many hinted ends in a row, the endpoint's webhooks are awaited before jobs are read. */
const hintsTrustedFrom = 5;
/** For this long. A lost webhook costs no more than this. */
const hintWaitMs = 3_000;

/** The initial state: the first read makes every job worth one status read. */
export const nothingCounted: CountedEnds = {
  finished: null,
  inProgress: null,
  readAtMs: null,
  rises: [],
  seenEnds: 0,
  seenEndsAtRequest: 0,
  failures: 0,
  notBeforeMs: 0,
  hintedEnds: 0,
};

/** A health request leaves. */
export function healthRequested(countedEnds: CountedEnds): CountedEnds {
  return { ...countedEnds, seenEndsAtRequest: countedEnds.seenEnds };
}

/** Its counters came at `nowMs`. If they fell (the service was restarted), they say nothing, and every job is read. */
export function healthRead(countedEnds: CountedEnds, record: HealthRecord, nowMs: number): CountedEnds {
  const finished = record.jobs.completed + record.jobs.failed;
  const risen =
    countedEnds.finished === null || finished < countedEnds.finished
      ? Infinity
      : Math.max(0, finished - countedEnds.finished - countedEnds.seenEndsAtRequest);
  return {
    ...countedEnds,
    finished,
    inProgress: record.jobs.inProgress,
    readAtMs: nowMs,
    rises: risen > 0 ? [...countedEnds.rises, { atMs: nowMs, ends: risen }] : countedEnds.rises,
    seenEnds: countedEnds.seenEnds - countedEnds.seenEndsAtRequest,
    seenEndsAtRequest: 0,
    failures: 0,
    notBeforeMs: 0,
  };
}

/**
 * The health request failed or could not be read. `retryAfterMs`: the wait that the service asked for, if any, during
 * which jobs are read individually.
 */
export function healthFailed(countedEnds: CountedEnds, nowMs: number, retryAfterMs = 0): CountedEnds {
  const failures = countedEnds.failures + 1;
  return {
    ...countedEnds,
    readAtMs: nowMs,
    seenEndsAtRequest: 0,
    failures: retryAfterMs > 0 ? Math.max(failuresUntilBroken, failures) : failures,
    notBeforeMs: Math.max(countedEnds.notBeforeMs, nowMs + retryAfterMs),
  };
}

/**
 * A status reply showed that one of our jobs ended. `unfinishedAtMs`: when it was last known to be unfinished. If that
 * was after the counters were read, or if all ends that they showed are explained, the end is not in them yet and is
 * subtracted from the next read; otherwise it is probably one of those they showed. (Subtracting it twice would hide a
 * later end; each time it is not subtracted costs a read whenever the counters rise.) Cancelled and timed-out jobs may
 * not be counted at all, so they explain nothing. `wasHinted`: a webhook had reported it.
 */
export function endSeen(
  countedEnds: CountedEnds,
  status: string,
  unfinishedAtMs: number,
  wasHinted: boolean,
): CountedEnds {
  if (status !== 'COMPLETED' && status !== 'FAILED') return countedEnds;
  const hinted = { ...countedEnds, hintedEnds: wasHinted ? countedEnds.hintedEnds + 1 : 0 };
  if (countedEnds.readAtMs === null) return hinted;
  const [oldest, ...later] = countedEnds.rises;
  if (oldest === undefined || unfinishedAtMs >= countedEnds.readAtMs)
    return { ...hinted, seenEnds: countedEnds.seenEnds + 1 };
  return { ...hinted, rises: oldest.ends > 1 ? [{ ...oldest, ends: oldest.ends - 1 }, ...later] : later };
}

/** Unexplained ends at `nowMs`: `count` of them, among jobs last read before `beforeMs`. */
export interface UnexplainedEnds {
  count: number;
  beforeMs: number;
  /** When the first of them showed. */
  sinceMs: number;
  /** No more of our jobs can have started without being seen: all unexplained ends, and those that are in progress. */
  maxStarts: number;
}

/** Null: no end is worth a read yet. */
export function unexplainedEnds(countedEnds: CountedEnds, nowMs: number): UnexplainedEnds | null {
  const due = countedEnds.rises.filter((rise) => isDue(countedEnds, rise, nowMs));
  const [first] = due;
  if (first === undefined) return null;
  const last = due.at(-1) ?? first;
  const endsOf = (rises: readonly Rise[]): number => rises.reduce((sum, { ends }) => sum + ends, 0);
  return {
    count: endsOf(due),
    beforeMs: last.atMs,
    sinceMs: first.atMs,
    maxStarts: endsOf(countedEnds.rises) + (countedEnds.inProgress ?? Infinity),
  };
}

/** Every job was read since `sinceMs`, so the ends that remain unexplained were not ours. */
export function allRead(countedEnds: CountedEnds, sinceMs: number): CountedEnds {
  return { ...countedEnds, rises: countedEnds.rises.filter(({ atMs }) => atMs > sinceMs) };
}

function isDue(countedEnds: CountedEnds, rise: Rise, nowMs: number): boolean {
  return nowMs - rise.atMs >= (countedEnds.hintedEnds >= hintsTrustedFrom ? hintWaitMs : 0);
}

/** True while health is reliable enough to show that jobs ended. */
export function isReliable(countedEnds: CountedEnds): boolean {
  return countedEnds.failures < failuresUntilBroken;
}
