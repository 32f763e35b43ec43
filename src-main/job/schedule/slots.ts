import type { PlannedEndpoint, PlannedJob } from './plan.ts';

/**
 * An endpoint holds no more than this part of the slots that are free or its own: one that does not answer holds each
 * for half a minute, and others have results that leave sooner.
 */
const mostOfSlots = 3 / 4;

/** Whose slots these are, be it at a former address of the same endpoint. */
export function endpointOf({ connectionId, endpointId }: Pick<PlannedEndpoint, 'connectionId' | 'endpointId'>): string {
  return `${connectionId}\n${endpointId}`;
}

/** Requests under way by endpoint. A runsync is open for as long as it waits and takes no slot. */
export function slotsHeld(
  jobs: readonly PlannedJob[],
  endpointStates: ReadonlyMap<string, PlannedEndpoint>,
): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  const add = (endpoint: PlannedEndpoint | undefined, count: number): void => {
    if (endpoint !== undefined && count > 0)
      held.set(endpointOf(endpoint), (held.get(endpointOf(endpoint)) ?? 0) + count);
  };
  for (const job of jobs) {
    const isWaitingRunsync = job.operation === 'runsync' && (job.stage === 'waiting' || job.stage === 'sending');
    const count = Number(job.isBusy && !isWaitingRunsync) + job.streamReads + Number(job.isCancelBusy);
    add(endpointStates.get(job.endpointKey), count);
  }
  for (const endpoint of endpointStates.values()) add(endpoint, Number(endpoint.isHealthBusy));
  return held;
}

/** How many of the free slots an endpoint may take that holds `held` already: one at least where it holds none. */
export function slotsFor(held: number, freeSlots: number): number {
  const most = Math.floor((freeSlots + held) * mostOfSlots) - held;
  return Math.max(held === 0 ? 1 : 0, most);
}
