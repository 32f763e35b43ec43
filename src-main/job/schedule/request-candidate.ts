import type { QueueOperation } from '../../service/reply.ts';
import type { Lane } from '../../service/rate-governor.ts';
import type { PlannedEndpoint, PlannedJob, PlannedRequest } from './plan.ts';

/** A request that is due, before it is known whether there is room for it. */
export interface RequestCandidate {
  request: PlannedRequest;
  lane: Lane;
  dueAtMs: number;
  /**
   * Lower goes first: 0 for a result that expires soon; 1 for what was requested, is on screen or long overdue, and for
   * counters that many wait for; 2 for the rest.
   */
  rank: number;
  /** Within a rank, lower goes first. */
  order: number;
  /** Its subject may expire on the service soon after this. Infinity if nothing can be lost. */
  leavesAtMs: number;
}

/** When a request about a job is due, and which go first. */
export interface DueAndRank {
  dueAtMs: number;
  rank: number;
  /** If left out: the one that is due first. */
  order?: number;
  /** If left out: nothing can be lost. */
  leavesAtMs?: number;
}

/**
 * Collects the requests that are due. It only notes when the first of the others is due, because hardly any of ten
 * thousand is due.
 */
export interface CandidateList {
  readonly due: RequestCandidate[];
  /** Infinity if nothing is left for later. */
  laterAtMs(): number;
  /** As `laterAtMs`, without reads that would only be sent beside one that hangs. */
  nextAtMs(): number;
  /** Adds a request for a job. A submission is counted under the job's own operation. */
  add(kind: 'submit' | 'status' | 'stream' | 'cancel', job: PlannedJob, dueAndRank: DueAndRank): void;
  addHealth(dueAndRank: DueAndRank): void;
}

/** Collects what an endpoint's jobs would send now, and when the next of them is due. Times are epoch milliseconds. */
export function createCandidateList(endpoint: PlannedEndpoint, nowMs: number): CandidateList {
  const due: RequestCandidate[] = [];
  let laterAtMs = Infinity;
  let nextAtMs = Infinity;

  function add(
    request: PlannedRequest,
    operation: QueueOperation,
    { dueAtMs, rank, order = dueAtMs, leavesAtMs = Infinity }: DueAndRank,
  ): void {
    due.push({ request, lane: laneOf(endpoint, operation), dueAtMs, rank, order, leavesAtMs });
  }

  return {
    due,
    laterAtMs: () => laterAtMs,
    nextAtMs: () => nextAtMs,
    add(kind, job, dueAndRank) {
      if (dueAndRank.dueAtMs > nowMs) {
        laterAtMs = Math.min(laterAtMs, dueAndRank.dueAtMs);
        if (kind !== 'stream' || job.streamReads === 0) nextAtMs = Math.min(nextAtMs, dueAndRank.dueAtMs);
      } else add({ kind, key: job.key }, kind === 'submit' ? job.operation : kind, dueAndRank);
    },
    addHealth(dueAndRank) {
      if (dueAndRank.dueAtMs > nowMs) {
        laterAtMs = Math.min(laterAtMs, dueAndRank.dueAtMs);
        nextAtMs = Math.min(nextAtMs, dueAndRank.dueAtMs);
      } else add({ kind: 'health', addressKey: endpoint.id }, 'health', dueAndRank);
    },
  };
}

/** The lane in which an endpoint's requests of this operation are counted. */
export function laneOf({ connectionId, endpointId }: PlannedEndpoint, operation: QueueOperation): Lane {
  return { connectionId, endpointId, operation };
}

/** A lane as a map key. In memory only. */
export function laneId({ connectionId, endpointId, operation }: Lane): string {
  return `${connectionId}\n${endpointId}\n${operation}`;
}
