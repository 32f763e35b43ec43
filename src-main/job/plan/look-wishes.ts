import { deadlineMarginMs, isNear, lastLookMs, lookByMs, lookIntervalMs } from './cadence.ts';
import { fewestErrors, likelyEndedAtMs } from '../forecast/end-odds.ts';
import type { Gating } from './gating.ts';
import type { Sought } from './health-gate.ts';
import type { PlannedGroup, PlannedJob, ScheduleInput } from './plan.ts';
import { choose } from './suspects.ts';
import type { Turn, WishList } from './wish.ts';

/** A look that has to leave within this goes before all others; one that is too late already may wait for those. */
const urgentMs = 15_000;
/** Whoever has been due for so long stands in line with those on view, first come first served. */
const longOverdueMs = 15_000;
/**
 * A job that is polled by itself is looked at when its odds to have ended reach this; the second when there is no
 * hurry.
 */
const likelyOdds = { near: 0.6, far: 0.85 };

/**
 * Wishes for the looks at an endpoint's jobs. One behind its health is looked at when it is a likely one of the ends
 * that are sought, and by the slow sweep; any other one by its own cadence. Answers the earliest of their last looks
 * when everyone behind the health was looked at since counters moved, else null.
 */
export function addLooks(
  list: WishList,
  group: PlannedGroup,
  jobs: readonly PlannedJob[],
  gating: Gating,
  input: ScheduleInput,
): number | null {
  const { nowMs } = input;
  const { sought, sweepMs } = gating;
  const suspects: Suspects = { idle: [], busy: [] };
  let oldestLookMs = Infinity;

  for (const job of jobs) {
    if (job.stage !== 'active') continue;
    const lookedAtMs = lastLookMs(job);
    const isGated = gating.isBehind(job);
    const isSuspect = isGated && sought !== null && lookedAtMs < sought.beforeMs;
    if (isGated) oldestLookMs = Math.min(oldestLookMs, lookedAtMs);
    if (job.isBusy) {
      if (isSuspect) suspects.busy.push(job);
      continue;
    }
    const turn = turnOf(job, lookedAtMs + (isGated ? sweepMs[job.operation] : ownIntervalMs(job, group, input)), nowMs);
    if (!isSuspect || turn.dueAtMs <= nowMs) list.add('status', job, turn);
    else if (job.notBeforeMs > nowMs) list.add('status', job, { ...turn, dueAtMs: job.notBeforeMs });
    else suspects.idle.push(job);
  }

  if (sought === null) return null;
  if (suspects.idle.length > 0) addSuspects(list, group, suspects, sought, sweepMs, nowMs);
  return oldestLookMs >= sought.sinceMs ? oldestLookMs : null;
}

/** Those who may be one of the ends that are sought. */
interface Suspects {
  idle: PlannedJob[];
  /** A look at them is under way. */
  busy: PlannedJob[];
}

/** The likeliest now, the others when those did not explain what the counters showed. */
function addSuspects(
  list: WishList,
  group: PlannedGroup,
  { idle, busy }: Suspects,
  sought: Sought,
  sweepMs: Gating['sweepMs'],
  nowMs: number,
): void {
  const { now, restMs } = choose(idle, busy, sought, group.errorsMs, nowMs);
  const chosen = new Set(now);
  for (const [index, job] of now.entries()) list.add('status', job, { dueAtMs: nowMs, rank: 2, order: index });
  for (const job of idle) {
    if (chosen.has(job)) continue;
    const lookedAtMs = lastLookMs(job);
    const dueAtMs = Math.min(
      lookedAtMs + sweepMs[job.operation],
      lookByMs(job),
      Math.max(sought.sinceMs, lookedAtMs) + restMs,
    );
    list.add('status', job, { dueAtMs, rank: 2, order: now.length + lookedAtMs });
  }
}

/**
 * When a job that is due at `cadenceAtMs` by its cadence is looked at: no later than its result can leave, and not in
 * its back-off.
 */
function turnOf(job: PlannedJob, cadenceAtMs: number, nowMs: number): Turn {
  const byMs = lookByMs(job);
  const dueAtMs = Math.max(Math.min(job.isLookWanted ? nowMs : cadenceAtMs, byMs), job.notBeforeMs);
  const isUrgent = byMs - nowMs <= urgentMs && nowMs - byMs <= deadlineMarginMs;
  const rank = isUrgent ? 0 : job.isLookWanted || job.isWatched || dueAtMs < nowMs - longOverdueMs ? 1 : 2;
  // Nearest deadline first; for jobs of one kind that is the one looked at longest ago.
  return { dueAtMs, rank, order: byMs, leavesAtMs: byMs };
}

/** How long after its last look a job that is polled by itself is looked at again. */
function ownIntervalMs(job: PlannedJob, { errorsMs }: PlannedGroup, input: ScheduleInput): number {
  const isForecast = !job.isStreamAwaited && job.endsAtMs !== null && errorsMs.length >= fewestErrors;
  const odds = isNear(input) ? likelyOdds.near : likelyOdds.far;
  const likelyAtMs =
    isForecast && job.endsAtMs !== null ? likelyEndedAtMs(errorsMs, job.endsAtMs, lastLookMs(job), odds) : null;
  return lookIntervalMs(job, input, likelyAtMs, input.nowMs);
}
