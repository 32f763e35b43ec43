import {
  beforeTtlMs,
  besideAfterMs,
  deadlineMarginMs,
  readByMs,
  streamLeavesByMs,
  tryAgainAtMs,
} from './read-deadlines.ts';
import { headOfOutbox } from './outbox-order.ts';
import { laneOf, type RequestCandidate } from './request-candidate.ts';
import type { ConnectionAccess, PlannedEndpoint, PlannedJob } from './plan.ts';

/** A probe in progress ends within this time, and then it is planned again. */
const maxProbeMs = 60_000;

/** A request that saves what the service has of a job. It must be made by `leavesAtMs`. */
interface Rescue {
  job: PlannedJob;
  kind: 'status' | 'stream';
  leavesAtMs: number;
}

/**
 * The request that tests whether an unreachable or refused connection is back: about the job nearest to its deadline
 * (ruling 11's results first), or else the first submission of the outbox. For a refused connection it is an endpoint's
 * health instead, because a submission would be refused for good. What expires soon is not delayed by the back-off, nor
 * by a probe that hangs. Null while one is in progress, or if there is nothing to request.
 */
export function probeOf(
  access: ConnectionAccess,
  jobs: readonly PlannedJob[],
  endpointStates: ReadonlyMap<string, PlannedEndpoint>,
  nowMs: number,
): RequestCandidate | null {
  if (access.kind !== 'offline' && access.kind !== 'refused') return null;
  const nearest = nearestRescue(jobs, nowMs);
  const job = nearest?.job ?? headOfOutbox(jobs);
  if (job === null) return null;
  const endpoint = endpointStates.get(job.addressKey);
  if (endpoint === undefined) return null;
  const dueAtMs = dueOf(access, nearest?.leavesAtMs ?? Infinity, nowMs);
  if (dueAtMs === null) return null;
  // A probe that is in time for a deadline is about what would be lost.
  const isByHealth =
    access.kind === 'refused' && (nearest === null || (access.isByHealth && dueAtMs === access.probeAtMs));
  if (isByHealth && !endpoint.isHealthBusy) return healthProbe(endpoint, dueAtMs);
  if (nearest !== null) return rescueProbe(nearest, endpoint, dueAtMs);
  return access.kind === 'refused' ? null : submitProbe(job, endpoint, dueAtMs);
}

/** Null: not before the probe in progress has ended. */
function dueOf(
  {
    isProbing,
    probeAtMs: nextTryMs,
    probedAtMs: triedAtMs,
  }: Extract<ConnectionAccess, { kind: 'offline' | 'refused' }>,
  leavesAtMs: number,
  nowMs: number,
): number | null {
  if (!isProbing) return tryAgainAtMs({ nextTryMs, triedAtMs }, leavesAtMs, nowMs);
  const isAboutToLeave = leavesAtMs <= nowMs + maxProbeMs && !isLost({ leavesAtMs }, nowMs);
  return isAboutToLeave ? Math.max(triedAtMs + besideAfterMs, leavesAtMs) : null;
}

/** First what expires next. What must have expired by now comes last. */
function nearestRescue(jobs: readonly PlannedJob[], nowMs: number): Rescue | null {
  let nearest: Rescue | null = null;
  for (const job of jobs)
    for (const rescue of rescuesOf(job)) if (nearest === null || isNearer(rescue, nearest, nowMs)) nearest = rescue;
  return nearest;
}

function isNearer(one: Rescue, other: Rescue, nowMs: number): boolean {
  const isOneLost = isLost(one, nowMs);
  return isOneLost === isLost(other, nowMs) ? one.leavesAtMs < other.leavesAtMs : !isOneLost;
}

function isLost({ leavesAtMs }: Pick<Rescue, 'leavesAtMs'>, nowMs: number): boolean {
  return nowMs >= leavesAtMs + deadlineMarginMs;
}

function rescuesOf(job: PlannedJob): Rescue[] {
  if (job.stage === 'settling')
    return job.streamReads > 0 && job.streamAtMs === null
      ? []
      : [{ job, kind: 'stream', leavesAtMs: streamLeavesByMs(job) }];
  if (job.stage !== 'active') return [];
  const rescues: Rescue[] = [];
  if (!job.isBusy) rescues.push({ job, kind: 'status', leavesAtMs: readByMs(job) });
  if (job.streamAtMs !== null && job.ttlEndsAtMs !== null)
    rescues.push({ job, kind: 'stream', leavesAtMs: Math.max(job.streamAtMs, beforeTtlMs(job)) });
  return rescues;
}

function healthProbe(endpoint: PlannedEndpoint, dueAtMs: number): RequestCandidate {
  return {
    request: { kind: 'health', addressKey: endpoint.id },
    lane: laneOf(endpoint, 'health'),
    dueAtMs,
    rank: 0,
    order: 0,
    leavesAtMs: Infinity,
  };
}

function rescueProbe({ job, kind, leavesAtMs }: Rescue, endpoint: PlannedEndpoint, dueAtMs: number): RequestCandidate {
  return { request: { kind, key: job.key }, lane: laneOf(endpoint, kind), dueAtMs, rank: 0, order: 0, leavesAtMs };
}

function submitProbe(job: PlannedJob, endpoint: PlannedEndpoint, dueAtMs: number): RequestCandidate {
  const lane = laneOf(endpoint, job.operation);
  return { request: { kind: 'submit', key: job.key }, lane, dueAtMs, rank: 0, order: 0, leavesAtMs: Infinity };
}
