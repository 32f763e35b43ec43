import type { HealthRecord } from '../../service/reply.ts';

/**
 * What an endpoint's finished counters tell about our jobs there. One health call shows whether anything ended at all;
 * only then are status calls worth their price, and only until as many ends were found as the counters showed, or
 * every job was read (then they were someone else's: the endpoint may be shared).
 */
export interface HealthGate {
  /** completed + failed as last read; null before the first read. */
  finished: number | null;
  /** Jobs in progress by the last read, of anyone; null before the first. */
  inProgress: number | null;
  /** When the counters were last read; also what the next read waits for. */
  readAtMs: number | null;
  /** Ends shown by the counters that no status reply has explained yet, oldest first. */
  rises: readonly Rise[];
  /** Ends seen by status replies, to be taken off what the next read shows. */
  seenEnds: number;
  /** `seenEnds` when the read in progress left: later ones may not be in its counters. */
  seenEndsAtAsk: number;
  /** Reads that failed in a row. From two on, jobs are read one by one instead. */
  failures: number;
  /** Our last ends in a row that a webhook had reported before they were seen (ruling 25). */
  hintedEnds: number;
}

/** The counters rose by `ends` (Infinity: unknown by how many) when they were read at `atMs`. */
interface Rise {
  atMs: number;
  ends: number;
}

/** So many hinted ends in a row, and the endpoint's webhooks are waited for before anyone guesses. */
const hintsTrustedFrom = 5;
/** How long. A webhook that is lost costs this and no more. */
const hintWaitMs = 3_000;

/** Nothing is known yet: the first read makes every job worth one status read. */
export const openGate: HealthGate = {
  finished: null,
  inProgress: null,
  readAtMs: null,
  rises: [],
  seenEnds: 0,
  seenEndsAtAsk: 0,
  failures: 0,
  hintedEnds: 0,
};

/** A health call leaves. */
export function healthAsked(gate: HealthGate): HealthGate {
  return { ...gate, seenEndsAtAsk: gate.seenEnds };
}

/**
 * Its counters came at `nowMs`. Counters that went back (the service was restarted) say nothing: everything is read
 * at.
 */
export function healthRead(gate: HealthGate, record: HealthRecord, nowMs: number): HealthGate {
  const finished = record.jobs.completed + record.jobs.failed;
  const risen =
    gate.finished === null || finished < gate.finished
      ? Infinity
      : Math.max(0, finished - gate.finished - gate.seenEndsAtAsk);
  return {
    ...gate,
    finished,
    inProgress: record.jobs.inProgress,
    readAtMs: nowMs,
    rises: risen > 0 ? [...gate.rises, { atMs: nowMs, ends: risen }] : gate.rises,
    seenEnds: gate.seenEnds - gate.seenEndsAtAsk,
    seenEndsAtAsk: 0,
    failures: 0,
  };
}

/** The health call failed or could not be read. */
export function healthFailed(gate: HealthGate, nowMs: number): HealthGate {
  return { ...gate, readAtMs: nowMs, seenEndsAtAsk: 0, failures: gate.failures + 1 };
}

/**
 * A status reply showed that one of our jobs ended. `unfinishedAtMs`: when it was last known not to have. If that was
 * after the counters were read, the end is not in them yet and will be taken off the next read; else it is most likely
 * one of those they showed. (Taking it off twice would hide a later end; once too little only costs some reads.)
 * Cancelled and timed-out jobs may not be counted at all, so they explain nothing. `wasHinted`: a webhook had reported
 * it.
 */
export function endSeen(gate: HealthGate, status: string, unfinishedAtMs: number, wasHinted = false): HealthGate {
  if (status !== 'COMPLETED' && status !== 'FAILED') return gate;
  const hinted = { ...gate, hintedEnds: wasHinted ? gate.hintedEnds + 1 : 0 };
  if (gate.readAtMs !== null && unfinishedAtMs >= gate.readAtMs) return { ...hinted, seenEnds: gate.seenEnds + 1 };
  const [oldest, ...later] = gate.rises;
  if (oldest === undefined) return hinted;
  return { ...hinted, rises: oldest.ends > 1 ? [{ ...oldest, ends: oldest.ends - 1 }, ...later] : later };
}

/** Unexplained ends at `nowMs`: `count` of them, by jobs last read before `beforeMs`. */
export interface UnexplainedEnds {
  count: number;
  beforeMs: number;
  /** When the first of them showed. */
  sinceMs: number;
}

/** Null: nothing ended that is worth a read yet. */
export function unexplainedEnds(gate: HealthGate, nowMs: number): UnexplainedEnds | null {
  const due = gate.rises.filter((rise) => isDue(gate, rise, nowMs));
  const [first] = due;
  if (first === undefined) return null;
  const last = due.at(-1) ?? first;
  return { count: due.reduce((sum, { ends }) => sum + ends, 0), beforeMs: last.atMs, sinceMs: first.atMs };
}

/** Every job was read since `sinceMs`: what is left of the ends that had shown by then was not ours. */
export function allRead(gate: HealthGate, sinceMs: number): HealthGate {
  return { ...gate, rises: gate.rises.filter(({ atMs }) => atMs > sinceMs) };
}

function isDue(gate: HealthGate, rise: Rise, nowMs: number): boolean {
  return nowMs - rise.atMs >= (gate.hintedEnds >= hintsTrustedFrom ? hintWaitMs : 0);
}

/** True while health can be relied on to tell that something ended. */
export function isReliable(gate: HealthGate): boolean {
  return gate.failures < 2;
}
