import { isNear, statusIntervalMs, sweepIntervalMs } from './cadence.ts';
import { deadlineMarginMs, lastStatusReadMs, readByMs } from './deadlines.ts';
import { fewestErrors, likelyEndedAtMs } from '../forecast/end-odds.ts';
import { type UnexplainedEnds, isReliable, unexplainedEnds } from './health-gate.ts';
import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';
import { choose } from './likely-ends.ts';
import type { RequestDue, CandidateList } from './request-candidate.ts';
import { unseenStarts } from './unseen-starts.ts';
import { isOnView, paceOfView, type ViewPace } from './view-pace.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';

/**
 * A status read that has to leave within this goes before all others; one that is too late already may wait for those.
 */
const urgentMs = 15_000;
/** A job that has been due for this long stands in line with those on view, first come first served. */
const longOverdueMs = 15_000;
/** A job that is polled alone is read when its odds to have ended reach this; the second when there is no hurry. */
const likelyOdds = { near: 0.6, far: 0.85 };

/**
 * Candidates for reading the status of an endpoint's jobs. One behind its health is read when it is a likely one of
 * the unexplained ends, and by the slow sweep; any other one by its own cadence. Answers the earliest of their last
 * reads when everyone behind the health was read since counters moved, else null.
 */
export function addStatusReads(
  list: CandidateList,
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  gating: Gating,
  input: ScheduleInput,
): number | null {
  const { nowMs } = input;
  const { unexplained, sweepMs } = gating;
  const likelyEnds: LikelyEnds = { idle: [], busy: [] };
  const starts = gating.by === 'health' ? unseenStarts(endpoint, jobs, input) : new Set<PlannedJob>();
  let oldestStatusReadMs = Infinity;

  for (const job of jobs) {
    if (job.stage !== 'active') continue;
    const statusReadAtMs = lastStatusReadMs(job);
    const isGated = gating.isBehind(job);
    const mayHaveEnded = isGated && unexplained !== null && statusReadAtMs < unexplained.beforeMs;
    if (isGated) oldestStatusReadMs = Math.min(oldestStatusReadMs, statusReadAtMs);
    if (job.isBusy) {
      if (mayHaveEnded) likelyEnds.busy.push(job);
      continue;
    }
    const intervalMs = isGated
      ? sweepMs[job.operation]
      : ownIntervalMs(job, endpoint, gating.viewPace.get(job.key) ?? null, input);
    const turn = turnOf(job, starts.has(job) ? nowMs : statusReadAtMs + intervalMs, input);
    if (!mayHaveEnded || turn.dueAtMs <= nowMs) list.add('status', job, turn);
    else if (job.notBeforeMs > nowMs) list.add('status', job, { ...turn, dueAtMs: job.notBeforeMs });
    else likelyEnds.idle.push(job);
  }

  if (unexplained === null) return null;
  addLikelyEnds(list, endpoint, likelyEnds, unexplained, sweepMs, nowMs);
  return oldestStatusReadMs >= unexplained.sinceMs ? oldestStatusReadMs : null;
}

/** Those who may be one of the unexplained ends. */
interface LikelyEnds {
  idle: PlannedJob[];
  /** Their read is in progress. */
  busy: PlannedJob[];
}

/** The likeliest now, the others when those did not explain what the counters showed. */
function addLikelyEnds(
  list: CandidateList,
  endpoint: PlannedEndpoint,
  { idle, busy }: LikelyEnds,
  unexplained: UnexplainedEnds,
  sweepMs: Gating['sweepMs'],
  nowMs: number,
): void {
  const { now, restMs } = choose(idle, busy, unexplained, endpoint.errorsMs, nowMs);
  const chosen = new Set(now);
  for (const [index, job] of now.entries()) list.add('status', job, { dueAtMs: nowMs, rank: 2, order: index });
  for (const job of idle) {
    if (chosen.has(job)) continue;
    const statusReadAtMs = lastStatusReadMs(job);
    const dueAtMs = Math.min(
      statusReadAtMs + sweepMs[job.operation],
      readByMs(job),
      Math.max(unexplained.sinceMs, statusReadAtMs) + restMs,
    );
    list.add('status', job, { dueAtMs, rank: 2, order: now.length + statusReadAtMs });
  }
}

/**
 * When a job that is due at `cadenceAtMs` by its cadence is read: no later than its result can leave, and not in
 * its back-off.
 */
function turnOf(job: PlannedJob, cadenceAtMs: number, input: ScheduleInput): RequestDue {
  const { nowMs } = input;
  const byMs = readByMs(job);
  const dueAtMs = Math.max(Math.min(job.isStatusReadWanted ? nowMs : cadenceAtMs, byMs), job.notBeforeMs);
  const isUrgent = byMs - nowMs <= urgentMs && nowMs - byMs <= deadlineMarginMs;
  const rank = isUrgent ? 0 : job.isStatusReadWanted || isOnView(job, input) || dueAtMs < nowMs - longOverdueMs ? 1 : 2;
  // Nearest deadline first; for jobs of one kind that is the one read longest ago.
  return { dueAtMs, rank, order: byMs, leavesAtMs: byMs };
}

/** How long after its last read a job that is polled alone is read again. */
function ownIntervalMs(
  job: PlannedJob,
  { errorsMs }: PlannedEndpoint,
  viewIntervalMs: number | null,
  input: ScheduleInput,
): number {
  const { isStreamAwaited, endsAtMs, startedSeenAtMs } = job;
  const odds = isNear(input) ? likelyOdds.near : likelyOdds.far;
  // While somebody may look, one that is shown as queued is not left so until its forecast end.
  const isStartAwaited = isStreamAwaited || (startedSeenAtMs === null && isNear(input));
  const isUnknown = isStartAwaited || endsAtMs === null || errorsMs.length < fewestErrors;
  return statusIntervalMs(
    { ...job, viewIntervalMs },
    input,
    isUnknown ? null : likelyEndedAtMs(errorsMs, endsAtMs, lastStatusReadMs(job), odds),
    input.nowMs,
  );
}

/** How the jobs of an endpoint are asked about. */
export interface Gating {
  /**
   * `health`: one health call stands for all. `single`: one by one, they are few. `broken`: one by one, since health
   * cannot be read.
   */
  by: 'health' | 'single' | 'broken';
  /** Those that one health call stands for; empty while they are asked about one by one. */
  behind: readonly PlannedJob[];
  isBehind(job: PlannedJob): boolean;
  /** Ends that the counters showed and that are not found yet; null while there are none. */
  unexplained: UnexplainedEnds | null;
  /** How often rows on screen are read. */
  viewPace: ViewPace;
  /** How often each of them is read all the same. */
  sweepMs: Readonly<Record<SubmitOperation, number>>;
}

/**
 * This many jobs of an endpoint are polled one by one; more are asked about with one health call (ruling 20: one a
 * second at most).
 */
const mostWithoutHealth = 3;

/** Jobs on view are near-live, and never behind the health of their endpoint. */
export function gatingOf(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  input: Pick<ScheduleInput, 'isWindowVisible' | 'isOnBattery' | 'nowMs' | 'allowance'>,
): Gating {
  const { gate } = endpoint;
  const mayBeBehind = (job: PlannedJob): boolean => job.stage === 'active' && !isOnView(job, input);
  const candidates = jobs.filter(mayBeBehind);
  const by = candidates.length <= mostWithoutHealth ? 'single' : isReliable(gate) ? 'health' : 'broken';
  const isGated = by === 'health';
  return {
    by,
    behind: isGated ? candidates : [],
    isBehind: (job) => isGated && mayBeBehind(job),
    unexplained: isGated ? unexplainedEnds(gate, input.nowMs) : null,
    viewPace: paceOfView(endpoint, jobs, input),
    sweepMs: {
      run: sweepIntervalMs('run', candidates.length, input),
      runsync: sweepIntervalMs('runsync', candidates.length, input),
    },
  };
}
