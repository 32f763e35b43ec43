import { beforeTtlMs, streamLeavesByMs } from './deadlines.ts';
import { gatingOf } from './gating.ts';
import type { Gating } from './gating.ts';
import { brokenDueAtMs, countersDueAtMs, whyItWaitsDueAtMs } from './health-due.ts';
import { addStatusReads } from './status-candidates.ts';
import type { PlannedEndpoint, PlannedJob, ScheduleInput } from './plan.ts';
import { createCandidateList, laneOf } from './request-candidate.ts';
import type { RequestDue, RequestCandidate, CandidateList } from './request-candidate.ts';

/** What the jobs of an endpoint would send now, and when the next of the rest is due. */
export interface RequestCandidates {
  due: readonly RequestCandidate[];
  /** Infinity when nothing is left for later. */
  laterAtMs: number;
  /** Set when every job was read since counters moved: the earliest of those reads. */
  allReadSinceMs: number | null;
}

/** `dueTimes`: when each job of the outbox may be sent (see outbox-dueTimes.ts). */
export function candidatesOf(
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
  const allReadSinceMs = addStatusReads(list, endpoint, jobs, gating, input);
  if (!endpoint.isHealthBusy) addHealth(list, endpoint, jobs, gating, input);
  return { due: list.due, laterAtMs: list.laterAtMs(), allReadSinceMs };
}

/** What is left of a finished job's stream leaves the service with its result; of one that goes on, with its ttl. */
function streamDue(job: PlannedJob, dueAtMs: number, nowMs: number): RequestDue {
  const { stage, retentionEndsAtMs, ttlEndsAtMs } = job;
  if (stage !== 'settling') {
    const leavesAtMs = beforeTtlMs(job);
    const isUrgent = ttlEndsAtMs !== null && leavesAtMs <= nowMs && nowMs < ttlEndsAtMs;
    return { dueAtMs, leavesAtMs, ...(isUrgent ? { rank: 0, order: ttlEndsAtMs } : { rank: 1 }) };
  }
  return { dueAtMs, rank: 0, order: retentionEndsAtMs ?? dueAtMs, leavesAtMs: streamLeavesByMs(job) };
}

/**
 * When the endpoint's health is read to find out whether the key is taken again for the submissions that wait behind a
 * refusal; never where none do.
 */
function forOutbox(endpoint: PlannedEndpoint, jobs: readonly PlannedJob[], { door }: ScheduleInput): RequestDue {
  let dueAtMs = Infinity;
  for (const { stage, operation } of jobs) {
    if (stage !== 'waiting') continue;
    const closed = door(laneOf(endpoint, operation));
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
  list.addHealth(outboxDue.dueAtMs < gatingDue.dueAtMs ? outboxDue : gatingDue);
}

function forGating(
  endpoint: PlannedEndpoint,
  jobs: readonly PlannedJob[],
  gating: Gating,
  input: ScheduleInput,
): RequestDue {
  switch (gating.by) {
    case 'health':
      return { dueAtMs: countersDueAtMs(endpoint, gating.behind, input, input.nowMs), rank: 1 };
    case 'broken':
      return { dueAtMs: brokenDueAtMs(endpoint, input, input.nowMs), rank: 1 };
    case 'single':
      return { dueAtMs: whyItWaitsDueAtMs(endpoint, jobs, input), rank: 2 };
  }
}
