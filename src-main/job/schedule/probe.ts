import { readByMs, streamLeavesByMs, tryAgainAtMs } from './deadlines.ts';
import { headOfOutbox } from './outbox-due-times.ts';
import type { Gateway, PlannedEndpoint, PlannedJob } from './plan.ts';
import { laneOf } from './request-candidate.ts';
import type { RequestCandidate } from './request-candidate.ts';

/**
 * The one request that finds out whether a connection that is out of reach or refused is back: about the job nearest to
 * its deadline (ruling 11's results first), else the first submission of the outbox; of one that is refused an
 * endpoint's health instead, because a submission would be refused for good. Null while one is under way, or when
 * nothing can be asked.
 */
export function probeOf(
  gateway: Gateway,
  jobs: readonly PlannedJob[],
  endpointStates: ReadonlyMap<string, PlannedEndpoint>,
  nowMs: number,
): RequestCandidate | null {
  if ((gateway.kind !== 'offline' && gateway.kind !== 'refused') || gateway.isProbing) return null;
  const onService = jobs.filter(
    (job) => (job.stage === 'active' || job.stage === 'settling') && !job.isBusy && !job.isStreamBusy,
  );
  const nearest = onService.toSorted((a, b) => leavesByMs(a) - leavesByMs(b))[0] ?? null;
  const job = nearest ?? headOfOutbox(jobs);
  if (job === null) return null;
  const endpoint = endpointStates.get(job.endpointKey);
  if (endpoint === undefined) return null;
  const leavesAtMs = nearest === null ? Infinity : leavesByMs(nearest);
  if (gateway.kind === 'refused') {
    const { probeAtMs: nextTryMs, probedAtMs: triedAtMs } = gateway;
    const dueAtMs = tryAgainAtMs({ nextTryMs, triedAtMs }, leavesAtMs, nowMs);
    // One in time for a deadline is about what would be lost.
    const isByHealth = nearest === null || (gateway.isByHealth && dueAtMs === nextTryMs);
    return isByHealth && !endpoint.isHealthBusy
      ? healthProbe(endpoint, dueAtMs)
      : nearest === null
        ? null
        : jobProbe(nearest, endpoint, dueAtMs, leavesAtMs);
  }
  return jobProbe(job, endpoint, gateway.probeAtMs, leavesAtMs);
}

function healthProbe(endpoint: PlannedEndpoint, dueAtMs: number): RequestCandidate {
  return {
    request: { kind: 'health', endpointKey: endpoint.id },
    lane: laneOf(endpoint, 'health'),
    dueAtMs,
    rank: 0,
    order: 0,
    leavesAtMs: Infinity,
  };
}

function jobProbe(job: PlannedJob, endpoint: PlannedEndpoint, dueAtMs: number, leavesAtMs: number): RequestCandidate {
  const kind = job.stage === 'active' ? 'status' : job.stage === 'settling' ? 'stream' : 'submit';
  const lane = laneOf(endpoint, kind === 'submit' ? job.operation : kind);
  return { request: { kind, key: job.key }, lane, dueAtMs, rank: 0, order: 0, leavesAtMs };
}

/** Until when it has to be asked for what the service has of it. */
function leavesByMs(job: PlannedJob): number {
  return job.stage === 'settling' ? streamLeavesByMs(job) : readByMs(job);
}
