import type { TrackerState } from '../../../src-preload/app.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { RateGovernor } from '../../service/rate-governor.ts';
import type { WhyNotFollowed } from '../store/orphans.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Reachability } from '../context/reachability.ts';

/** Figures move with every request: they are told no more often than this. */
const stateEveryMs = 1_000;

export interface TrackerStateParts {
  ledger: Pick<Ledger, 'live'>;
  governor: Pick<RateGovernor, 'budgets'>;
  reachability: Pick<Reachability, 'all' | 'closures'>;
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  outcomeUnknown: () => number;
  countOrphans: () => number;
  now: () => number;
  onState: (state: TrackerState) => void;
}

/** What only the tracker knows of its state. */
export interface TrackerMoment {
  isPaused: boolean;
  /** When the next request leaves; null when none is planned. */
  nextRequestAtMs: number | null;
  lastSyncAtMs: number | null;
}

/** What the tracker does now, for whoever shows it. */
export interface TrackerStates {
  read(moment: TrackerMoment): TrackerState;
  /** Tells news at once, and figures once a second. */
  tell(moment: TrackerMoment): void;
}

export function createTrackerStates({
  ledger,
  governor,
  reachability,
  whyNotFollowed,
  outcomeUnknown,
  countOrphans,
  now,
  onState,
}: TrackerStateParts): TrackerStates {
  let toldNews = '';
  let toldAtMs = 0;

  function read({ isPaused, nextRequestAtMs, lastSyncAtMs }: TrackerMoment): TrackerState {
    let tracked = 0;
    let waitingToSend = 0;
    for (const { job } of ledger.live().values()) {
      if (job.phase !== 'active') waitingToSend += 1;
      else if (whyNotFollowed(job) === null) tracked += 1;
    }
    return {
      isPaused,
      tracked,
      waitingToSend,
      outcomeUnknown: outcomeUnknown(),
      orphans: countOrphans(),
      nextStatusReadAtMs: tracked + waitingToSend === 0 || isPaused ? null : nextRequestAtMs,
      lastSyncAtMs,
      connections: reachability.all(),
      closures: reachability.closures(),
      budgets: governor.budgets(now()),
    };
  }

  return {
    read,
    tell(moment) {
      const state = read(moment);
      const news = JSON.stringify([
        state.isPaused,
        state.tracked,
        state.waitingToSend,
        state.outcomeUnknown,
        state.orphans,
        state.nextStatusReadAtMs === null,
        state.connections,
        state.closures,
      ]);
      const nowMs = now();
      if (news === toldNews && nowMs - toldAtMs < stateEveryMs) return;
      toldNews = news;
      toldAtMs = nowMs;
      onState(state);
    },
  };
}
