import type { HealthRecord } from '../service/reply.ts';

/**
 * What an endpoint's finished counters tell about our jobs there. One health call shows whether anything ended at all;
 * only then are status calls worth their price, and only until as many ends were found as the counters showed, or
 * every job was looked at (then they were someone else's: the endpoint may be shared).
 */
export interface HealthGate {
  /** completed + failed as last read; null before the first read. */
  finished: number | null;
  /** When the counters were last read; also what the next read waits for. */
  readAtMs: number | null;
  /** Ends shown by the counters that no status reply has explained yet. Infinity: unknown how many. */
  unexplained: number;
  /** Jobs last looked at before this may be the ones that ended. */
  movedAtMs: number | null;
  /** Ends seen by status replies, to be taken off what the next read shows. */
  seenEnds: number;
  /** `seenEnds` when the read under way left: later ones may not be in its counters. */
  seenEndsAtAsk: number;
  /** Reads that failed in a row. From two on, jobs are looked at one by one instead. */
  failures: number;
}

/** Nothing is known yet: the first read makes every job worth one look. */
export const openGate: HealthGate = { finished: null, readAtMs: null, unexplained: 0, movedAtMs: null, seenEnds: 0, seenEndsAtAsk: 0, failures: 0 };

/** A health call leaves. */
export function healthAsked(gate: HealthGate): HealthGate {
  return { ...gate, seenEndsAtAsk: gate.seenEnds };
}

/** Its counters came at `nowMs`. Counters that went back (the service was restarted) say nothing: everything is looked at. */
export function healthRead(gate: HealthGate, record: HealthRecord, nowMs: number): HealthGate {
  const finished = record.jobs.completed + record.jobs.failed;
  const risen = gate.finished === null || finished < gate.finished ? Infinity : Math.max(0, finished - gate.finished - gate.seenEndsAtAsk);
  return {
    finished,
    readAtMs: nowMs,
    unexplained: gate.unexplained + risen,
    movedAtMs: risen > 0 ? nowMs : gate.movedAtMs,
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
 * one of those they showed. (Taking it off twice would hide a later end; once too little only costs some looks.)
 * Cancelled and timed-out jobs may not be counted at all, so they explain nothing.
 */
export function endSeen(gate: HealthGate, status: string, unfinishedAtMs: number): HealthGate {
  if (status !== 'COMPLETED' && status !== 'FAILED') return gate;
  if (gate.readAtMs !== null && unfinishedAtMs >= gate.readAtMs) return { ...gate, seenEnds: gate.seenEnds + 1 };
  return { ...gate, unexplained: Math.max(0, gate.unexplained - 1) };
}

/** Every job was looked at since the counters moved: what is left was not ours. */
export function allLookedAt(gate: HealthGate): HealthGate {
  return gate.unexplained === 0 ? gate : { ...gate, unexplained: 0 };
}

/** True where a job last looked at (or accepted) at `lookedAtMs` may be one of those that ended. */
export function mayHaveEnded(gate: HealthGate, lookedAtMs: number): boolean {
  return gate.unexplained > 0 && gate.movedAtMs !== null && lookedAtMs < gate.movedAtMs;
}

/** True while health can be relied on to tell that something ended. */
export function isReliable(gate: HealthGate): boolean {
  return gate.failures < 2;
}
