import { isReadQuickly, statusIntervalMs, sweepIntervalMs, unlistedIntervalMs } from './cadence.ts';
import { deadlineMarginMs, plannedKnownAtMs, readByMs } from './read-deadlines.ts';
import { minErrors, likelyEndedAtMs } from '../forecast/end-odds.ts';
import { type UnexplainedEnds, isReliable, unexplainedEnds } from './counted-ends.ts';
import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';
import { choose } from './likely-ends.ts';
import { type DueAndRank, type CandidateList, laneOf } from './request-candidate.ts';
import { isOnView, paceOfView, type ViewPace } from './view-pace.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';

/**
 * A status read that must leave within this time goes before all others. One that is too late already waits for those.
 */
const urgentMs = 15_000;
/** A job that has been overdue for this long is treated like those on screen, in the order of their due times. */
const longOverdueMs = 15_000;
/**
 * A job that is polled individually is read when the probability of its end reaches this. `far`: without a visible
 * window.
 */
const likelyOdds = { near: 0.6, far: 0.85 };

/**
 * Adds the status reads of an endpoint's jobs. A job behind its health is read if it is likely to be one of the
 * unexplained ends, if it has probably started unseen, and by the slow sweep; any other one at its own interval.
 * Returns the earliest of their last reads if every job behind the health was read since the counters moved, otherwise
 * null.
 */
export function addStatusReads(
  list: CandidateList,
  { endpoint, jobs, gating }: { endpoint: PlannedEndpoint; jobs: readonly PlannedJob[]; gating: Gating },
  input: ScheduleInput,
): number | null {
  const { nowMs } = input;
  const { unexplained, sweepMs } = gating;
  const likelyEnds: LikelyEnds = { idle: [], busy: [] };
  /** Those that are read now in any case. */
  const readNow = new Set<PlannedJob>();
  let oldestStatusReadMs = Infinity;

  for (const job of jobs) {
    if (job.stage !== 'active') continue;
    const statusReadAtMs = plannedKnownAtMs(job);
    const isByCounters = gating.isBehind(job);
    const mayHaveEnded = isByCounters && unexplained !== null && statusReadAtMs < unexplained.beforeMs;
    if (isByCounters) oldestStatusReadMs = Math.min(oldestStatusReadMs, statusReadAtMs);
    if (job.isBusy) {
      if (mayHaveEnded) likelyEnds.busy.push(job);
      continue;
    }
    const intervalMs = Math.max(
      isByCounters ? sweepMs[job.operation] : ownIntervalMs(job, endpoint, gating.viewPace.get(job.key) ?? null, input),
      job.isStatusUnlisted && !isOnView(job, input) ? unlistedIntervalMs(job.acceptedAtMs, nowMs) : 0,
    );
    const dueAndRank = dueAndRankOf(job, statusReadAtMs + intervalMs, input);
    if (dueAndRank.dueAtMs <= nowMs) readNow.add(job);
    if (!mayHaveEnded || dueAndRank.dueAtMs <= nowMs) list.add('status', job, dueAndRank);
    else if (job.notBeforeMs > nowMs) list.add('status', job, { ...dueAndRank, dueAtMs: job.notBeforeMs });
    else likelyEnds.idle.push(job);
  }

  if (unexplained !== null)
    for (const job of addLikelyEnds(list, endpoint, likelyEnds, unexplained, sweepMs, nowMs)) readNow.add(job);
  if (gating.by === 'health')
    for (const job of unseenStarts({ endpoint, jobs, readNow, unexplained }, input))
      if (!job.isBusy) list.add('status', job, dueAndRankOf(job, nowMs, input));
  if (unexplained === null) return null;
  return oldestStatusReadMs >= unexplained.sinceMs ? oldestStatusReadMs : null;
}

/** The jobs that may be one of the unexplained ends. */
interface LikelyEnds {
  idle: PlannedJob[];
  /** Their read is in progress. */
  busy: PlannedJob[];
}

/** The most likely ones now, which are returned, and the others if those did not explain what the counters showed. */
function addLikelyEnds(
  list: CandidateList,
  endpoint: PlannedEndpoint,
  { idle, busy }: LikelyEnds,
  unexplained: UnexplainedEnds,
  sweepMs: Gating['sweepMs'],
  nowMs: number,
): ReadonlySet<PlannedJob> {
  const { now, restMs } = choose({ likelyEnds: idle, busy, unexplained }, endpoint.errorsMs, nowMs);
  const chosen = new Set(now);
  for (const [index, job] of now.entries()) list.add('status', job, { dueAtMs: nowMs, rank: 2, order: index });
  for (const job of idle) {
    if (chosen.has(job)) continue;
    const statusReadAtMs = plannedKnownAtMs(job);
    const dueAtMs = Math.min(
      statusReadAtMs + sweepMs[job.operation],
      readByMs(job),
      Math.max(unexplained.sinceMs, statusReadAtMs) + restMs,
    );
    list.add('status', job, { dueAtMs, rank: 2, order: now.length + statusReadAtMs });
  }
  return chosen;
}

/**
 * When a job that is due at `cadenceAtMs` is read: no later than its result can expire, and not during its back-off.
 */
function dueAndRankOf(job: PlannedJob, cadenceAtMs: number, input: ScheduleInput): DueAndRank {
  const { nowMs } = input;
  const byMs = readByMs(job);
  const dueAtMs = Math.max(Math.min(job.isStatusReadWanted ? nowMs : cadenceAtMs, byMs), job.notBeforeMs);
  const isUrgent = byMs - nowMs <= urgentMs && nowMs - byMs <= deadlineMarginMs;
  // After a week without Jobdeck, thousands are overdue. The service has deleted those whose ttl ended.
  const isDeleted = job.ttlEndsAtMs !== null && nowMs > job.ttlEndsAtMs + deadlineMarginMs;
  const isBeforeOthers = isOnView(job, input) || (!isDeleted && isWantedOrOverdue(job, dueAtMs, nowMs));
  const rank = isUrgent ? 0 : isBeforeOthers ? 1 : 2;
  // The nearest deadline first. Among jobs of one kind that is the one read longest ago.
  return { dueAtMs, rank, order: byMs, leavesAtMs: byMs };
}

function isWantedOrOverdue({ isStatusReadWanted }: PlannedJob, dueAtMs: number, nowMs: number): boolean {
  return isStatusReadWanted || dueAtMs < nowMs - longOverdueMs;
}

/** How long after its last read a job that is polled individually is read again. */
function ownIntervalMs(
  job: PlannedJob,
  { errorsMs }: PlannedEndpoint,
  viewIntervalMs: number | null,
  input: ScheduleInput,
): number {
  const { isStreamAwaited, endsAtMs, startedSeenAtMs } = job;
  const odds = isReadQuickly(input) ? likelyOdds.near : likelyOdds.far;
  // While a window is visible, a job shown as queued is read before its forecast end, to see its start.
  const isStartAwaited = isStreamAwaited || (startedSeenAtMs === null && isReadQuickly(input));
  const isUnknown = isStartAwaited || endsAtMs === null || errorsMs.length < minErrors;
  return statusIntervalMs(
    { ...job, viewIntervalMs },
    input,
    isUnknown ? null : likelyEndedAtMs(errorsMs, endsAtMs, plannedKnownAtMs(job), odds),
    input.nowMs,
  );
}

/** How the status of an endpoint's jobs is read. */
export interface Gating {
  /**
   * `health`: one health request stands for all. `single`: individually, because they are few. `broken`: individually,
   * because health cannot be read.
   */
  by: 'health' | 'single' | 'broken';
  /** The jobs that one health request stands for. Empty while they are read individually. */
  behind: readonly PlannedJob[];
  isBehind(job: PlannedJob): boolean;
  /** Ends that the counters showed and that are not found yet, or null. */
  unexplained: UnexplainedEnds | null;
  /** How often rows on screen are read. */
  viewPace: ViewPace;
  /** How often each of them is still read. */
  sweepMs: Readonly<Record<SubmitOperation, number>>;
}

/**
 * Up to this many jobs of an endpoint are polled individually. More are covered by one health request (ruling 20: at
 * most one per second).
 */
const maxWithoutHealth = 3;

/** Jobs on screen are read often, and never behind the health of their endpoint. */
export function gatingOf(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  input: Pick<ScheduleInput, 'isWindowVisible' | 'isOnBattery' | 'nowMs' | 'allowance'>,
): Gating {
  const { countedEnds } = endpoint;
  const mayBeBehind = (job: PlannedJob): boolean => job.stage === 'active' && !isOnView(job, input);
  const candidates = jobs.filter(mayBeBehind);
  const by = candidates.length <= maxWithoutHealth ? 'single' : isReliable(countedEnds) ? 'health' : 'broken';
  const isByCounters = by === 'health';
  return {
    by,
    behind: isByCounters ? candidates : [],
    isBehind: (job) => isByCounters && mayBeBehind(job),
    unexplained: isByCounters ? unexplainedEnds(countedEnds, input.nowMs) : null,
    viewPace: paceOfView(endpoint, jobs, input),
    sweepMs: {
      run: sweepIntervalMs('run', candidates.length, input),
      runsync: sweepIntervalMs('runsync', candidates.length, input),
    },
  };
}

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
