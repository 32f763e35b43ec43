import { fitBudgets } from './fit-budgets.ts';
import { outboxTurns } from './outbox-turns.ts';
import type { Plan, PlannedJob, ScheduleInput } from './plan.ts';
import { probeOf } from './probe.ts';
import type { Wish } from './wish.ts';
import { wishesOf } from './wishes.ts';

/**
 * What to send now and when to think again. Pure. Results closest to leaving the service go first, then what someone
 * waits for, then whatever has waited longest; each within the budget of its endpoint and operation. An endpoint with
 * many jobs costs one health call a tick, and status calls only when its finished counters moved, besides a slow
 * sweep. Nothing is planned while paused, and nothing wakes when nothing is active.
 */
export function schedule(input: ScheduleInput): Plan {
  if (input.isPaused || input.jobs.length === 0)
    return { requests: [], wakeAtMs: null, nextRequestAtMs: null, lookedThrough: [] };
  const turns = outboxTurns(input.jobs, input.groups);
  const due: Wish[] = [];
  let laterAtMs = Infinity;
  const lookedThrough: Plan['lookedThrough'] = [];
  const outOfReach = new Map<string, PlannedJob[]>();

  for (const [groupId, jobs] of Map.groupBy(input.jobs, (job) => job.groupId)) {
    const group = input.groups.get(groupId);
    if (group === undefined) continue;
    const gateway = input.gateway(group.connectionId);
    if (gateway.kind === 'offline' || gateway.kind === 'refused')
      outOfReach.set(group.connectionId, [...(outOfReach.get(group.connectionId) ?? []), ...jobs]);
    if (gateway.kind !== 'open') continue;
    const wishes = wishesOf(group, jobs, turns, input);
    for (const wish of wishes.due) due.push(wish);
    laterAtMs = Math.min(laterAtMs, wishes.laterAtMs);
    if (wishes.lookedSinceMs !== null) lookedThrough.push({ groupId, sinceMs: wishes.lookedSinceMs });
  }

  for (const [connectionId, jobs] of outOfReach) {
    const probe = probeOf(input.gateway(connectionId), jobs, input.groups, input.nowMs);
    if (probe === null) continue;
    if (probe.dueAtMs <= input.nowMs) due.push(probe);
    else laterAtMs = Math.min(laterAtMs, probe.dueAtMs);
  }
  return { ...fitBudgets(due, laterAtMs, input), lookedThrough };
}
