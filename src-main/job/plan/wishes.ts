import { beforeTtlMs, streamLeavesByMs } from './cadence.ts';
import { gatingOf } from './gating.ts';
import type { Gating } from './gating.ts';
import { brokenDueAtMs, countersDueAtMs, whyItWaitsDueAtMs } from './health-due.ts';
import { addLooks } from './look-wishes.ts';
import type { PlannedGroup, PlannedJob, ScheduleInput } from './plan.ts';
import { createWishList, laneOf } from './wish.ts';
import type { Turn, Wish, WishList } from './wish.ts';

/** What the jobs of an endpoint would send now, and when the next of the rest is due. */
export interface Wishes {
  due: readonly Wish[];
  /** Infinity when nothing is left for later. */
  laterAtMs: number;
  /** Set when every job was looked at since counters moved: the earliest of those looks. */
  lookedSinceMs: number | null;
}

/** `turns`: when each job of the outbox may be sent (see outbox-turns.ts). */
export function wishesOf(
  group: PlannedGroup,
  jobs: readonly PlannedJob[],
  turns: ReadonlyMap<string, number>,
  input: ScheduleInput,
): Wishes {
  const list = createWishList(group, input.nowMs);
  const gating = gatingOf(group, jobs, input);
  for (const job of jobs) {
    if (job.stage === 'sending') continue;
    if (job.stage === 'waiting') {
      if (!job.isBusy)
        list.add('submit', job, {
          dueAtMs: turns.get(job.key) ?? job.notBeforeMs,
          rank: 1,
          order: Number(job.isBatchRow),
        });
      continue;
    }
    if (job.cancelAtMs !== null && !job.isCancelBusy) list.add('cancel', job, { dueAtMs: job.cancelAtMs, rank: 1 });
    if (job.streamAtMs !== null && !job.isStreamBusy)
      list.add('stream', job, streamTurn(job, job.streamAtMs, input.nowMs));
  }
  const lookedSinceMs = addLooks(list, group, jobs, gating, input);
  if (!group.isHealthBusy) addHealth(list, group, jobs, gating, input);
  return { due: list.due, laterAtMs: list.laterAtMs(), lookedSinceMs };
}

/** What is left of a finished job's stream leaves the service with its result; of one that goes on, with its ttl. */
function streamTurn(job: PlannedJob, dueAtMs: number, nowMs: number): Turn {
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
function forOutbox(group: PlannedGroup, jobs: readonly PlannedJob[], { door }: ScheduleInput): Turn {
  let dueAtMs = Infinity;
  for (const { stage, operation } of jobs) {
    if (stage !== 'waiting') continue;
    const closed = door(laneOf(group, operation));
    if (closed?.isWaitingForRead === true) dueAtMs = Math.min(dueAtMs, closed.nextTryMs);
  }
  return { dueAtMs, rank: 1 };
}

function addHealth(
  list: WishList,
  group: PlannedGroup,
  jobs: readonly PlannedJob[],
  gating: Gating,
  input: ScheduleInput,
): void {
  const [gatingTurn, outboxTurn] = [forGating(group, jobs, gating, input), forOutbox(group, jobs, input)];
  list.addHealth(outboxTurn.dueAtMs < gatingTurn.dueAtMs ? outboxTurn : gatingTurn);
}

function forGating(group: PlannedGroup, jobs: readonly PlannedJob[], gating: Gating, input: ScheduleInput): Turn {
  switch (gating.by) {
    case 'health':
      return { dueAtMs: countersDueAtMs(group, gating.behind, input, input.nowMs), rank: 1 };
    case 'broken':
      return { dueAtMs: brokenDueAtMs(group, input, input.nowMs), rank: 1 };
    case 'single':
      return { dueAtMs: whyItWaitsDueAtMs(group, jobs, input), rank: 2 };
  }
}
