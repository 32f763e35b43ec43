import type { Job } from '../../src-preload/job.ts';
import type { HealthRecord } from '../service/reply.ts';
import type { Clock, Timer } from './clock.ts';
import type { Group, Groups } from './groups.ts';
import type { Ledger, LedgerChange } from './ledger.ts';

/**
 * What an endpoint's counters say about submissions that nobody answered: whether it holds one job more than ours. It
 * is evidence for the user and never a claim; where anything else moves the counters as well, nothing is said.
 */
export interface Arrivals {
  /** A health call of this endpoint leaves. */
  asked(group: Group): void;
  /** Its counters came. */
  read(group: Group, record: HealthRecord): void;
  /** What was committed: acceptances, unknown outcomes, and whatever else moves the counters. */
  committed(changes: readonly LedgerChange[]): void;
  close(): void;
}

export interface ArrivalsParts {
  ledger: Pick<Ledger, 'live' | 'change'>;
  groups: Groups;
  clock: Clock;
  /** Reads an endpoint's health now, which also calls `read`. */
  readHealth: (group: Group) => Promise<unknown>;
  onTrouble: (error: unknown) => void;
}

/** A request that broke off has arrived by then, or never will. */
const readAfterMs = 3_000;
/** A reading at which submissions of ours are under way settles nothing: so often another is made. */
const mostReadings = 5;
/** Between readings further apart than this, anyone may have submitted anything. */
const farApartMs = 300_000;
/** Counters that moved without us have others behind them, for this long at least. */
const othersForMs = 600_000;

/** A reading at which no submission of ours was under way: all of ours were counted, or none was sent. */
interface Reading {
  atMs: number;
  /** Jobs the endpoint tells of, in whatever state. */
  jobs: number;
  accepted: number;
}

interface Watched {
  accepted: number;
  last: Reading | null;
  /** Submissions without an answer since the last reading. */
  unknown: string[];
  othersSeenAtMs: number | null;
  atAsk: { accepted: number; isAnyUnderWay: boolean } | null;
}

export function createArrivals({ ledger, groups, clock, readHealth, onTrouble }: ArrivalsParts): Arrivals {
  const watched = new Map<string, Watched>();
  const timers = new Set<Timer>();

  function of(group: Group): Watched {
    let entry = watched.get(group.id);
    if (entry === undefined) watched.set(group.id, (entry = { accepted: 0, last: null, unknown: [], othersSeenAtMs: null, atAsk: null }));
    return entry;
  }

  function isAnyUnderWay(group: Group): boolean {
    for (const { job } of ledger.live().values()) if (job.phase === 'submitting' && groups.of(job) === group) return true;
    return false;
  }

  function readLater(group: Group, readings: number): void {
    const timer = clock.after(readAfterMs, () => {
      timers.delete(timer);
      readHealth(group).then(() => {
        if (of(group).unknown.length > 0 && readings < mostReadings) readLater(group, readings + 1);
      }).catch(onTrouble);
    });
    timers.add(timer);
  }

  function noteUnknown(job: Job): void {
    const group = groups.of(job);
    const entry = of(group);
    // Without a reading from before there is nothing to compare with.
    if (entry.last === null || clock.now() - entry.last.atMs > farApartMs) return;
    entry.unknown.push(job.key);
    if (entry.unknown.length === 1) readLater(group, 1);
  }

  /** Something of ours moves the counters in a way that nobody specified: what was read before says nothing any more. */
  function forgetReading(group: Group): void {
    const entry = of(group);
    entry.last = null;
    entry.unknown = [];
  }

  return {
    asked(group) {
      of(group).atAsk = { accepted: of(group).accepted, isAnyUnderWay: isAnyUnderWay(group) };
    },
    read(group, { jobs: { completed, failed, inProgress, inQueue } }) {
      const entry = of(group);
      const { atAsk, last, unknown } = entry;
      if (atAsk === null || atAsk.isAnyUnderWay || atAsk.accepted !== entry.accepted || isAnyUnderWay(group)) return;
      const nowMs = clock.now();
      const reading: Reading = { atMs: nowMs, jobs: completed + failed + inProgress + inQueue, accepted: entry.accepted };
      entry.last = reading;
      entry.unknown = [];
      if (last === null) return;
      const risen = reading.jobs - last.jobs - (reading.accepted - last.accepted);
      const areOthersThere = (entry.othersSeenAtMs !== null && nowMs - entry.othersSeenAtMs < othersForMs) || nowMs - last.atMs > farApartMs;
      if (risen < 0 || risen > unknown.length) entry.othersSeenAtMs = nowMs;
      const said = evidence({ risen, unknown: unknown.length, areOthersThere });
      if (said === null) return;
      for (const key of unknown) ledger.change(key, [{ kind: 'evidence', said }]).catch(onTrouble);
    },
    committed(changes) {
      for (const { before, after } of changes) {
        if (before?.phase === 'submitting' && after.phase === 'outcome-unknown') noteUnknown(after);
        if (before?.phase === 'submitting' && after.jobId !== null && after.phase !== 'outcome-unknown') of(groups.of(after)).accepted += 1;
        const isCounted = after.status === null || after.status === 'IN_QUEUE' || after.status === 'IN_PROGRESS' || after.status === 'COMPLETED' || after.status === 'FAILED';
        if (after.phase === 'gone' || after.attempt > 1 || (!isCounted && after.jobId !== null)) forgetReading(groups.of(after));
      }
    },
    close() {
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}

/**
 * What counters that rose by `risen` jobs beyond those accepted say of `unknown` submissions without an answer; null:
 * nothing. `areOthersThere`: someone else was seen to use the endpoint.
 */
export function evidence({ risen, unknown, areOthersThere }: { risen: number; unknown: number; areOthersThere: boolean }): string | null {
  if (unknown === 0 || areOthersThere || risen < 0 || risen > unknown) return null;
  if (risen === 0) return 'It probably did not arrive: the endpoint tells of no job that Jobdeck does not know.';
  if (risen < unknown) return `Of ${unknown} jobs sent without a reply at that time ${risen === 1 ? 'one' : risen} probably arrived: the endpoint tells of ${risen} more than Jobdeck knows.`;
  return unknown === 1 ? 'It probably arrived: the endpoint tells of one job more than Jobdeck knows.' : `It probably arrived: the endpoint tells of ${risen} jobs more than Jobdeck knows, as many as were sent without a reply.`;
}
