import { isNear } from './cadence.ts';
import { lastStatusReadMs } from './read-deadlines.ts';
import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';

/** A job that was read and had not started is not read again sooner for this reason. */
const againAfterMs = 4_000;

/**
 * Those of an endpoint's queued jobs that have probably started: while a window is visible, its health says that more
 * jobs are in progress than were seen to start. As many as that, those that have waited longest first.
 */
export function unseenStarts(
  { gate }: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  input: Pick<ScheduleInput, 'isWindowVisible' | 'isOnBattery' | 'nowMs'>,
): ReadonlySet<PlannedJob> {
  const { inProgress, readAtMs } = gate;
  if (inProgress === null || readAtMs === null || !isNear(input)) return new Set();
  const active = jobs.filter(({ stage }) => stage === 'active');
  const unseen = inProgress - active.filter(({ startedSeenAtMs }) => startedSeenAtMs !== null).length;
  if (unseen <= 0) return new Set();
  const queued = active.filter((job) => {
    const readMs = lastStatusReadMs(job);
    return job.startedSeenAtMs === null && readMs < readAtMs && readMs + againAfterMs <= input.nowMs;
  });
  return new Set(queued.toSorted((a, b) => a.acceptedAtMs - b.acceptedAtMs).slice(0, unseen));
}
