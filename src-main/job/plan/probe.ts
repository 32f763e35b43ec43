import { deadlineMarginMs, lookByMs } from './cadence.ts';
import { headOfOutbox } from './outbox-turns.ts';
import type { Gateway, PlannedGroup, PlannedJob } from './plan.ts';
import { laneOf } from './wish.ts';
import type { Wish } from './wish.ts';

/**
 * The one request that finds out whether an unreachable connection is back: about the job nearest to its deadline
 * (ruling 11's results first), else the first submission of the outbox. Null while one is under way, or when nothing
 * can be asked.
 */
export function probeOf(gateway: Gateway, jobs: readonly PlannedJob[], groups: ReadonlyMap<string, PlannedGroup>): Wish | null {
  if (gateway.kind !== 'offline' || gateway.isProbing) return null;
  const onService = jobs.filter((job) => (job.stage === 'active' || job.stage === 'settling') && !job.isBusy && !job.isStreamBusy);
  const job = onService.toSorted((a, b) => leavesByMs(a) - leavesByMs(b))[0] ?? headOfOutbox(jobs);
  const group = job === null ? undefined : groups.get(job.groupId);
  if (job === null || group === undefined) return null;
  const kind = job.stage === 'active' ? 'status' : job.stage === 'settling' ? 'stream' : 'submit';
  return { request: { kind, key: job.key }, lane: laneOf(group, kind === 'submit' ? job.operation : kind), dueAtMs: gateway.probeAtMs, rank: 0, order: 0 };
}

/** Until when it has to be asked for what the service has of it; the rest of a finished job's stream leaves with its result. */
function leavesByMs(job: PlannedJob): number {
  return job.stage === 'settling' ? (job.retentionEndsAtMs ?? Infinity) - deadlineMarginMs : lookByMs(job);
}
