import { fitBudgets } from './fit-budgets.ts';
import { outboxDueTimes } from './outbox-due-times.ts';
import type { Plan, PlannedJob, ScheduleInput } from './plan.ts';
import { probeOf } from './probe.ts';
import type { RequestCandidate } from './request-candidate.ts';
import { candidatesOf } from './candidates.ts';

/**
 * What to send now and when to think again. Pure. Results closest to leaving the service go first, then what someone
 * waits for, then whatever has waited longest; each within the budget of its endpoint and operation. An endpoint with
 * many jobs costs one health call a tick, and status calls only when its finished counters moved, besides a slow
 * sweep. Nothing is planned while paused, and nothing wakes when nothing is active.
 */
export function schedule(input: ScheduleInput): Plan {
  if (input.isPaused) return { requests: [], wakeAtMs: null, nextRequestAtMs: null, readThrough: [] };
  const dueTimes = outboxDueTimes(input.jobs, input.endpointStates);
  const due: RequestCandidate[] = [];
  let laterAtMs = Infinity;
  const readThrough: Plan['readThrough'] = [];
  const outOfReach = new Map<string, PlannedJob[]>();

  for (const [endpointKey, jobs] of Map.groupBy(input.jobs, (job) => job.endpointKey)) {
    const endpoint = input.endpointStates.get(endpointKey);
    if (endpoint === undefined) continue;
    const gateway = input.gateway(endpoint.connectionId);
    if (gateway.kind !== 'open') {
      outOfReach.set(endpoint.connectionId, [...(outOfReach.get(endpoint.connectionId) ?? []), ...jobs]);
      continue;
    }
    const candidates = candidatesOf(endpoint, jobs, dueTimes, input);
    for (const candidate of candidates.due) due.push(candidate);
    laterAtMs = Math.min(laterAtMs, candidates.laterAtMs);
    if (candidates.allReadSinceMs !== null) readThrough.push({ endpointKey, sinceMs: candidates.allReadSinceMs });
  }

  for (const [connectionId, jobs] of outOfReach) {
    const probe = probeOf(input.gateway(connectionId), jobs, input.endpointStates, input.nowMs);
    if (probe === null) continue;
    if (probe.dueAtMs <= input.nowMs) due.push(probe);
    else laterAtMs = Math.min(laterAtMs, probe.dueAtMs);
  }
  return { ...fitBudgets(due, laterAtMs, input), readThrough };
}
