import { retentionMs } from '../../../../src-preload/job.ts';
import type { SubmitOperation } from '../../../../src-preload/job.ts';
import { allLookedAt, endSeen, healthAsked, healthRead, openGate } from '../../../../src-main/job/plan/health-gate.ts';
import { schedule } from '../../../../src-main/job/plan/schedule.ts';
import type { Door, Gateway, Plan, PlannedGroup, PlannedJob } from '../../../../src-main/job/plan/plan.ts';
import { createRateGovernor } from '../../../../src-main/service/rate-governor.ts';
import type { Lane } from '../../../../src-main/service/rate-governor.ts';

/** A planned job with what a test names. */
export function aPlannedJob(changes: Partial<PlannedJob> = {}): PlannedJob {
  return {
    key: 'job-1',
    groupId: 'a',
    operation: 'run',
    isBatchRow: false,
    stage: 'active',
    acceptedAtMs: 0,
    startedSeenAtMs: null,
    lookedAtMs: null,
    endsAtMs: null,
    ttlEndsAtMs: 86_400_000,
    retentionEndsAtMs: null,
    isWatched: false,
    isLookWanted: false,
    notBeforeMs: 0,
    isStreamAwaited: false,
    streamAtMs: null,
    cancelAtMs: null,
    isBusy: false,
    isStreamBusy: false,
    isCancelBusy: false,
    ...changes,
  };
}

export function aGroup(id = 'a', changes: Partial<PlannedGroup> = {}): PlannedGroup {
  return { id, connectionId: 'main', endpointId: id, gate: openGate, isHealthBusy: false, errorsMs: [], ...changes };
}

/** A plan over jobs of some groups with room for everything, unless a test says otherwise. */
export function planOf(
  jobs: PlannedJob[],
  options: {
    nowMs?: number;
    groups?: PlannedGroup[];
    isPaused?: boolean;
    isWindowVisible?: boolean;
    isOnBattery?: boolean;
    gateway?: (connectionId: string) => Gateway;
    door?: (lane: Lane) => Door | null;
    free?: (lane: Lane) => number;
    freeSlots?: number;
  } = {},
): Plan {
  const groups = options.groups ?? [aGroup()];
  return schedule({
    nowMs: options.nowMs ?? 0,
    isPaused: options.isPaused ?? false,
    isWindowVisible: options.isWindowVisible ?? true,
    isOnBattery: options.isOnBattery ?? false,
    jobs,
    groups: new Map(groups.map((group) => [group.id, group])),
    gateway: options.gateway ?? (() => ({ kind: 'open' })),
    door: options.door ?? (() => null),
    room: (lane) => ({ free: options.free?.(lane) ?? 1_000, nextAtMs: null }),
    freeSlots: options.freeSlots ?? 10_000,
  });
}

export interface SimulatedJob {
  key: string;
  groupId: string;
  operation: SubmitOperation;
  acceptedAtMs: number;
  /** When the service ends it. */
  endsAtMs: number;
  ttlMs: number;
  isWatched: boolean;
  /** When the schedule is told that it ends; left out: nothing is told. */
  forecastAtMs?: number;
}

export interface SimulationResult {
  /** By job: from its end to the look that saw it; null when its result had left the service. */
  seenAfterMs: Map<string, number | null>;
  statusRequests: number;
  healthRequests: number;
  /** Most requests of one lane begun within any ten seconds, over what was allowed. */
  isWithinBudget: boolean;
  endedAtMs: number;
}

/**
 * A service with a real clockwork but no time: requests take `latencyMs` and read the truth half-way. Others finish
 * jobs on the same endpoints too (`strangersEveryMs`), so that the counters move without our doing.
 */
export function simulate(
  jobs: readonly SimulatedJob[],
  options: {
    latencyMs: number;
    rateShare: number;
    strangersEveryMs: number | null;
    untilMs: number;
    isWindowVisible?: boolean;
    errorsMs?: readonly number[];
  },
): SimulationResult {
  const governor = createRateGovernor({
    share: () => ({ rateShare: options.rateShare, concurrencyShare: 0.5 }),
    random: () => 0.5,
  });
  const groups = new Map(
    [...new Set(jobs.map(({ groupId }) => groupId))].map((id) => [
      id,
      aGroup(id, { errorsMs: options.errorsMs ?? [] }),
    ]),
  );
  const live = new Map(
    jobs.map((job) => [
      job.key,
      { ...job, lookedAtMs: null as number | null, startedSeenAtMs: null as number | null, isBusy: false },
    ]),
  );
  const seenAfterMs = new Map<string, number | null>();
  const events: { atMs: number; run: () => void }[] = [];
  let nowMs = 0;
  let wakeAtMs: number | null = 0;
  let statusRequests = 0;
  let healthRequests = 0;
  let isWithinBudget = true;

  const laneOf = (group: PlannedGroup, operation: Lane['operation']): Lane => ({
    connectionId: group.connectionId,
    endpointId: group.endpointId,
    operation,
  });
  const finishedAt = (groupId: string, atMs: number): number =>
    jobs.filter((job) => job.groupId === groupId && job.endsAtMs <= atMs).length +
    (options.strangersEveryMs === null ? 0 : Math.floor(atMs / options.strangersEveryMs));
  const answerLater = (truth: () => () => void): void => {
    events.push({
      atMs: nowMs + options.latencyMs / 2,
      run: () => {
        const apply = truth();
        events.push({ atMs: nowMs + options.latencyMs / 2, run: apply });
      },
    });
  };

  function plan(): void {
    const result = schedule({
      nowMs,
      isPaused: false,
      isWindowVisible: options.isWindowVisible ?? true,
      isOnBattery: false,
      groups,
      freeSlots: 64,
      jobs: [...live.values()]
        .filter(({ acceptedAtMs }) => acceptedAtMs <= nowMs)
        .map((job) =>
          aPlannedJob({ ...job, endsAtMs: job.forecastAtMs ?? null, ttlEndsAtMs: job.acceptedAtMs + job.ttlMs }),
        ),
      gateway: () => ({ kind: 'open' }),
      door: () => null,
      room: (lane) => governor.room(lane, nowMs),
    });
    for (const { groupId, sinceMs } of result.lookedThrough) {
      const group = groups.get(groupId);
      if (group !== undefined) group.gate = allLookedAt(group.gate, sinceMs);
    }
    for (const request of result.requests) {
      if (request.kind === 'health') health(request.groupId);
      else look(request.key);
    }
    const nextArrival = Math.min(
      ...[...live.values()].filter(({ acceptedAtMs }) => acceptedAtMs > nowMs).map(({ acceptedAtMs }) => acceptedAtMs),
    );
    wakeAtMs = Math.min(result.wakeAtMs ?? Infinity, nextArrival);
  }

  function health(groupId: string): void {
    const group = groups.get(groupId);
    if (group === undefined) return;
    isWithinBudget &&= governor.begin(laneOf(group, 'health'), nowMs);
    healthRequests += 1;
    group.isHealthBusy = true;
    group.gate = healthAsked(group.gate);
    answerLater(() => {
      const completed = finishedAt(groupId, nowMs);
      return () => {
        governor.end(laneOf(group, 'health'), { kind: 'answered' }, nowMs);
        group.isHealthBusy = false;
        group.gate = healthRead(
          group.gate,
          {
            jobs: { completed, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
            workers: { idle: 0, running: 0 },
            extra: {},
          },
          nowMs,
        );
        plan();
      };
    });
  }

  function look(key: string): void {
    const job = live.get(key);
    const group = job === undefined ? undefined : groups.get(job.groupId);
    if (job === undefined || group === undefined) return;
    isWithinBudget &&= governor.begin(laneOf(group, 'status'), nowMs);
    statusRequests += 1;
    job.isBusy = true;
    const askedAtMs = nowMs;
    answerLater(() => {
      const isEnded = job.endsAtMs <= nowMs;
      const isGone = nowMs >= Math.min(job.endsAtMs + retentionMs[job.operation], job.acceptedAtMs + job.ttlMs);
      const seenMs = nowMs;
      return () => {
        governor.end(laneOf(group, 'status'), { kind: 'answered' }, nowMs);
        job.isBusy = false;
        const unfinishedAtMs = job.lookedAtMs ?? job.acceptedAtMs;
        job.lookedAtMs = askedAtMs;
        job.startedSeenAtMs ??= nowMs;
        if (isEnded || isGone) {
          live.delete(key);
          seenAfterMs.set(key, isGone ? null : seenMs - job.endsAtMs);
          if (!isGone) group.gate = endSeen(group.gate, 'COMPLETED', Math.max(unfinishedAtMs, job.endsAtMs - 250));
        }
        plan();
      };
    });
  }

  plan();
  while (live.size > 0 && nowMs < options.untilMs) {
    events.sort((a, b) => a.atMs - b.atMs);
    const event = events[0];
    if (event !== undefined && (wakeAtMs === null || event.atMs <= wakeAtMs)) {
      events.shift();
      nowMs = event.atMs;
      event.run();
    } else if (wakeAtMs !== null && wakeAtMs !== Infinity) {
      nowMs = Math.max(nowMs, wakeAtMs);
      plan();
    } else {
      break;
    }
  }
  return { seenAfterMs, statusRequests, healthRequests, isWithinBudget, endedAtMs: nowMs };
}
