import { isReadQuickly } from './cadence.ts';
import type { UnexplainedEnds } from './counted-ends.ts';
import { plannedKnownAtMs } from './read-deadlines.ts';
import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';
import { laneOf } from './request-candidate.ts';

/** A job that was read and had not started is not read again sooner for this reason. */
const againAfterMs = 4_000;

interface UnseenStartsOf {
  endpoint: PlannedEndpoint;
  jobs: readonly PlannedJob[];
  readNow: ReadonlySet<PlannedJob>;
  unexplained: UnexplainedEnds | null;
}

/**
 * Those of an endpoint's queued jobs that have probably started: while a window is visible, its health says that more
 * jobs are in progress than were seen to start. As many as that, those that have waited longest first, without those in
 * `readNow`, which have probably ended or are read for another reason. No more than the ends in the counters leave of
 * the budget, because a start that is seen late costs less than a result that is.
 */
export function unseenStarts(
  { endpoint, jobs, readNow, unexplained }: UnseenStartsOf,
  input: Pick<ScheduleInput, 'isWindowVisible' | 'isOnBattery' | 'nowMs' | 'room'>,
): ReadonlySet<PlannedJob> {
  const { inProgress, readAtMs } = endpoint.countedEnds;
  if (inProgress === null || readAtMs === null || !isReadQuickly(input)) return new Set();
  const active = jobs.filter(({ stage }) => stage === 'active');
  const unseen = inProgress - active.filter(({ startedSeenAtMs }) => startedSeenAtMs !== null).length;
  const maxReads = Math.min(unseen, input.room(laneOf(endpoint, 'status')).free - (unexplained?.count ?? 0));
  if (maxReads <= 0) return new Set();
  const queued = active.filter((job) => {
    const readMs = plannedKnownAtMs(job);
    return (
      !readNow.has(job) && job.startedSeenAtMs === null && readMs < readAtMs && readMs + againAfterMs <= input.nowMs
    );
  });
  return new Set(queued.toSorted((a, b) => a.acceptedAtMs - b.acceptedAtMs).slice(0, maxReads));
}
