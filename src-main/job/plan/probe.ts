import { deadlineMarginMs, lookByMs, tryAgainAtMs } from './cadence.ts';
import { headOfOutbox } from './outbox-turns.ts';
import type { Gateway, PlannedGroup, PlannedJob } from './plan.ts';
import { laneOf } from './wish.ts';
import type { Wish } from './wish.ts';

/**
 * The one request that finds out whether a connection that is out of reach or refused is back: about the job nearest to
 * its deadline (ruling 11's results first), else the first submission of the outbox; of one that is refused an
 * endpoint's health instead, because a submission would be refused for good. Null while one is under way, or when
 * nothing can be asked.
 */
export function probeOf(
  gateway: Gateway,
  jobs: readonly PlannedJob[],
  groups: ReadonlyMap<string, PlannedGroup>,
  nowMs: number,
): Wish | null {
  if ((gateway.kind !== 'offline' && gateway.kind !== 'refused') || gateway.isProbing) return null;
  const onService = jobs.filter(
    (job) => (job.stage === 'active' || job.stage === 'settling') && !job.isBusy && !job.isStreamBusy,
  );
  const nearest = onService.toSorted((a, b) => leavesByMs(a) - leavesByMs(b))[0] ?? null;
  const job = nearest ?? headOfOutbox(jobs);
  const group = job === null ? undefined : groups.get(job.groupId);
  if (job === null || group === undefined) return null;
  const leavesAtMs = nearest === null ? Infinity : leavesByMs(nearest);
  if (gateway.kind === 'refused') {
    const { probeAtMs: nextTryMs, probedAtMs: triedAtMs } = gateway;
    const dueAtMs = tryAgainAtMs({ nextTryMs, triedAtMs }, leavesAtMs, nowMs);
    // One in time for a deadline is about what would be lost.
    const isByHealth = nearest === null || (gateway.isByHealth && dueAtMs === nextTryMs);
    return isByHealth && !group.isHealthBusy
      ? healthProbe(group, dueAtMs)
      : nearest === null
        ? null
        : jobProbe(nearest, group, dueAtMs, leavesAtMs);
  }
  return jobProbe(job, group, gateway.probeAtMs, leavesAtMs);
}

function healthProbe(group: PlannedGroup, dueAtMs: number): Wish {
  return {
    request: { kind: 'health', groupId: group.id },
    lane: laneOf(group, 'health'),
    dueAtMs,
    rank: 0,
    order: 0,
    leavesAtMs: Infinity,
  };
}

function jobProbe(job: PlannedJob, group: PlannedGroup, dueAtMs: number, leavesAtMs: number): Wish {
  const kind = job.stage === 'active' ? 'status' : job.stage === 'settling' ? 'stream' : 'submit';
  const lane = laneOf(group, kind === 'submit' ? job.operation : kind);
  return { request: { kind, key: job.key }, lane, dueAtMs, rank: 0, order: 0, leavesAtMs };
}

/**
 * Until when it has to be asked for what the service has of it; the rest of a finished job's stream leaves with its
 * result.
 */
function leavesByMs(job: PlannedJob): number {
  return job.stage === 'settling' ? (job.retentionEndsAtMs ?? Infinity) - deadlineMarginMs : lookByMs(job);
}
