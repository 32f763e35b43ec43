import type { TrackerState } from '../../../src-preload/app.ts';
import type { JobContext } from '../context/job-context.ts';
import type { UnresolvedCounts } from '../store/unresolved-counts.ts';

/** Figures change with every request, so they are reported at most this often. */
const stateEveryMs = 1_000;

/** The part of the state that only the tracker knows. */
export interface TrackerMoment {
  /** When the next request leaves. Null if none is planned. */
  nextRequestAtMs: number | null;
}

/** What the tracker does now, as windows and the tray show it. */
export interface TrackerStates {
  read(moment: TrackerMoment): TrackerState;
  /** Reports other changes immediately, and figures once a second. */
  report(moment: TrackerMoment): void;
}

/** Reports what the tracker does to `onState`: figures once a second, other changes immediately. */
export function createTrackerStates(
  { ledger, governor, reachability, whyNotFollowed, pausing, clock }: JobContext,
  { unresolvedCounts, onState }: { unresolvedCounts: UnresolvedCounts; onState: (state: TrackerState) => void },
): TrackerStates {
  let reportedNews = '';
  let reportedAtMs = 0;

  function read({ nextRequestAtMs }: TrackerMoment): TrackerState {
    const { isPaused } = pausing;
    let tracked = 0;
    let waitingToSend = 0;
    for (const { job } of ledger.live().values()) {
      if (job.phase !== 'active') waitingToSend += 1;
      else if (whyNotFollowed(job) === null) tracked += 1;
    }
    return {
      nowMs: clock.now(),
      clockSettings: clock.settings?.() ?? [],
      isPaused,
      tracked,
      waitingToSend,
      outcomeUnknown: unresolvedCounts.outcomeUnknown(),
      orphans: unresolvedCounts.orphans(),
      nextStatusReadAtMs: tracked + waitingToSend === 0 || isPaused ? null : nextRequestAtMs,
      connections: reachability.all(),
      closures: reachability.closures(),
      budgets: governor.budgets(clock.now()),
    };
  }

  return {
    read,
    report(moment) {
      const state = read(moment);
      const news = JSON.stringify([
        state.clockSettings.length,
        state.isPaused,
        state.tracked,
        state.waitingToSend,
        state.outcomeUnknown,
        state.orphans,
        state.nextStatusReadAtMs === null,
        state.connections.map((connection) => [connection.connectionId, connection.state]),
        state.closures,
      ]);
      const nowMs = clock.now();
      if (news === reportedNews && nowMs - reportedAtMs < stateEveryMs) return;
      reportedNews = news;
      reportedAtMs = nowMs;
      onState(state);
    },
  };
}
