import { fitBudgets } from './fit-budgets.ts';
import { outboxDueTimes } from './outbox-order.ts';
import {
  type RequestCandidate,
  createCandidateList,
  laneOf,
  type DueAndRank,
  type CandidateList,
} from './request-candidate.ts';
import type { Plan, PlannedJob, ScheduleInput, PlannedEndpoint } from './plan.ts';
import { probeOf } from './probe.ts';
import { beforeTtlMs, streamLeavesByMs } from './read-deadlines.ts';
import { gatingOf, type Gating, addStatusReads } from './status-candidates.ts';
import { brokenDueAtMs, countersDueAtMs, whyItWaitsDueAtMs } from './health-due.ts';

/**
 * What to send now, and when to plan again. Pure. Results that expire next go first, then what a user waits for, then
 * what has waited longest; each within the budget of its endpoint and operation. An endpoint with many jobs costs one
 * health request per tick, and status requests only when its finished counters moved, apart from a slow sweep. Nothing
 * is planned while paused, and there is no wake-up if no job is active.
 */
export function schedule(input: ScheduleInput): Plan {
  if (input.isPaused) return { requests: [], wakeAtMs: null, nextRequestAtMs: null, readThrough: [] };
  const dueTimes = outboxDueTimes(input.jobs, input.endpointStates);
  const due: RequestCandidate[] = [];
  let laterAtMs = Infinity;
  let nextAtMs = Infinity;
  const readThrough: Plan['readThrough'] = [];
  const outOfReach = new Map<string, PlannedJob[]>();

  for (const [addressKey, jobs] of Map.groupBy(input.jobs, (job) => job.addressKey)) {
    const endpoint = input.endpointStates.get(addressKey);
    if (endpoint === undefined) continue;
    const access = input.access(endpoint.connectionId);
    if (access.kind !== 'open') {
      outOfReach.set(endpoint.connectionId, [...(outOfReach.get(endpoint.connectionId) ?? []), ...jobs]);
      continue;
    }
    const candidates = candidatesOf(endpoint, jobs, dueTimes, input);
    for (const candidate of candidates.due) due.push(candidate);
    laterAtMs = Math.min(laterAtMs, candidates.laterAtMs);
    nextAtMs = Math.min(nextAtMs, candidates.nextAtMs);
    if (candidates.allReadSinceMs !== null) readThrough.push({ addressKey, sinceMs: candidates.allReadSinceMs });
  }

  for (const [connectionId, jobs] of outOfReach) {
    const probe = probeOf(input.access(connectionId), jobs, input.endpointStates, input.nowMs);
    if (probe === null) continue;
    if (probe.dueAtMs <= input.nowMs) due.push(probe);
    else {
      laterAtMs = Math.min(laterAtMs, probe.dueAtMs);
      nextAtMs = Math.min(nextAtMs, probe.dueAtMs);
    }
  }
  // A read in progress is the next check until it ends, even if it hangs.
  if (nextAtMs === Infinity && input.jobs.some(isBeingRead)) nextAtMs = input.nowMs;
  return { ...fitBudgets(due, laterAtMs, input, nextAtMs), readThrough };
}

function isBeingRead({ stage, isBusy, streamReads }: PlannedJob): boolean {
  return (stage === 'active' && isBusy) || (stage === 'settling' && streamReads > 0);
}

/** What the jobs of an endpoint would send now, and when the next of the others is due. */
interface RequestCandidates {
  due: readonly RequestCandidate[];
  /** Infinity if nothing is left for later. */
  laterAtMs: number;
  /** As `laterAtMs`, without reads that would only be sent beside one that hangs. */
  nextAtMs: number;
  /** Set if every job was read since the counters moved: the earliest of those reads. */
  allReadSinceMs: number | null;
}

/** `dueTimes`: when each job of the outbox may be sent (see outbox-order.ts). */
function candidatesOf(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  dueTimes: ReadonlyMap<string, number>,
  input: ScheduleInput,
): RequestCandidates {
  const list = createCandidateList(endpoint, input.nowMs);
  const gating = gatingOf(endpoint, jobs, input);
  for (const job of jobs) {
    if (job.stage === 'sending') continue;
    if (job.stage === 'waiting') {
      if (!job.isBusy)
        list.add('submit', job, {
          dueAtMs: dueTimes.get(job.key) ?? job.notBeforeMs,
          rank: 1,
          order: Number(job.isBatchRow),
        });
      continue;
    }
    if (job.cancelAtMs !== null && !job.isCancelBusy) list.add('cancel', job, { dueAtMs: job.cancelAtMs, rank: 1 });
    if (job.streamAtMs !== null) list.add('stream', job, streamDue(job, job.streamAtMs, input.nowMs));
  }
  const allReadSinceMs = addStatusReads(list, { endpoint, jobs, gating }, input);
  if (!endpoint.isHealthBusy) addHealth(list, endpoint, jobs, gating, input);
  return { due: list.due, laterAtMs: list.laterAtMs(), nextAtMs: list.nextAtMs(), allReadSinceMs };
}

/** The rest of a finished job's stream expires with its result, that of a running job with its ttl. */
function streamDue(job: PlannedJob, dueAtMs: number, nowMs: number): DueAndRank {
  const { stage, retentionEndsAtMs, ttlEndsAtMs } = job;
  if (stage !== 'settling') {
    const leavesAtMs = beforeTtlMs(job);
    const isUrgent = ttlEndsAtMs !== null && leavesAtMs <= nowMs && nowMs < ttlEndsAtMs;
    return { dueAtMs, leavesAtMs, ...(isUrgent ? { rank: 0, order: ttlEndsAtMs } : { rank: 1 }) };
  }
  return { dueAtMs, rank: 0, order: retentionEndsAtMs ?? dueAtMs, leavesAtMs: streamLeavesByMs(job) };
}

/**
 * When the endpoint's health is read to test whether the key is accepted again for the submissions that wait behind a
 * refusal. Never if none do.
 */
function forOutbox(endpoint: PlannedEndpoint, jobs: readonly PlannedJob[], { closure }: ScheduleInput): DueAndRank {
  let dueAtMs = Infinity;
  for (const { stage, operation } of jobs) {
    if (stage !== 'waiting') continue;
    const closed = closure(laneOf(endpoint, operation));
    if (closed?.isWaitingForRead === true) dueAtMs = Math.min(dueAtMs, closed.nextTryMs);
  }
  return { dueAtMs, rank: 1 };
}

function addHealth(
  list: CandidateList,
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  gating: Gating,
  input: ScheduleInput,
): void {
  const [gatingDue, outboxDue] = [forGating(endpoint, jobs, gating, input), forOutbox(endpoint, jobs, input)];
  const { dueAtMs, ...rank } = outboxDue.dueAtMs < gatingDue.dueAtMs ? outboxDue : gatingDue;
  list.addHealth({ ...rank, dueAtMs: Math.max(dueAtMs, endpoint.countedEnds.notBeforeMs) });
}

function forGating(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  gating: Gating,
  input: ScheduleInput,
): DueAndRank {
  switch (gating.by) {
    case 'health':
      return { dueAtMs: countersDueAtMs(endpoint, gating.behind, input, input.nowMs), rank: 1 };
    case 'broken':
      return { dueAtMs: brokenDueAtMs(endpoint, input, input.nowMs), rank: 1 };
    case 'single':
      return { dueAtMs: whyItWaitsDueAtMs(endpoint, jobs, input), rank: 2 };
  }
}
