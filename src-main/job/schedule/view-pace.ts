import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';
import { laneOf } from './request-candidate.ts';

/**
 * A row on screen is read at least this often, as far as our share of the limit allows, so that it is never 2 s old.
 */
const steadyMs = 1_800;
/** A job that may end at any moment is read this often, so that its end is on screen within a second. */
const quickMs = 800;
/** The limits count requests over ten seconds (spec: Limits). */
const windowMs = 10_000;
/** The part of our share that may be used for rows on screen. The rest is left to jobs off screen. */
const partForView = 0.95;

/** How long after its last read the status of a row on screen is read again, by job key. */
export type ViewPace = ReadonlyMap<string, number>;

/** True for a job that a window shows, as a row or open. */
export function isOnView(
  { isOpened, isRowOnScreen }: Pick<PlannedJob, 'isOpened' | 'isRowOnScreen'>,
  { isWindowVisible }: Pick<ScheduleInput, 'isWindowVisible'>,
): boolean {
  return isWindowVisible && (isOpened || isRowOnScreen);
}

/**
 * The intervals of an endpoint's rows on screen. All are read steadily; what our share of the limit leaves beyond that
 * goes to those that may end next: first equally to those seen running, then to those queued longest. If the share is
 * too small for all of them, all are read as often as it allows.
 */
export function paceOfView(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  input: Pick<ScheduleInput, 'isWindowVisible' | 'allowance'>,
): ViewPace {
  if (!input.isWindowVisible) return new Map();
  const rows = jobs.filter((job) => job.isRowOnScreen && job.stage === 'active');
  if (rows.length === 0) return new Map();
  const maxReads = input.allowance(laneOf(endpoint, 'status')) * partForView;
  const steadyReads = windowMs / steadyMs;
  if (rows.length * steadyReads > maxReads)
    return new Map(rows.map(({ key }) => [key, (rows.length * windowMs) / maxReads]));
  const running = rows.filter(({ startedSeenAtMs }) => startedSeenAtMs !== null);
  const queued = rows.filter(({ startedSeenAtMs }) => startedSeenAtMs === null);
  const readsForRunning = maxReads - queued.length * steadyReads;
  const runningMs = Math.min(steadyMs, Math.max(quickMs, (running.length * windowMs) / readsForRunning));
  const readsLeft = readsForRunning - (running.length * windowMs) / runningMs;
  const quickRows = Math.floor(readsLeft / (windowMs / quickMs - steadyReads));
  return new Map([
    ...running.map(({ key }): [string, number] => [key, runningMs]),
    ...queued
      .toSorted((a, b) => a.acceptedAtMs - b.acceptedAtMs || (a.key < b.key ? -1 : 1))
      .map(({ key }, at): [string, number] => [key, at < quickRows ? quickMs : steadyMs]),
  ]);
}
