import type { SubmitOperation } from '../../../../src-preload/job.ts';
import { retentionMs } from '../../../../src-preload/service-retention.ts';
import {
  allRead,
  endSeen,
  healthRequested,
  healthRead,
  nothingCounted,
} from '../../../../src-main/job/schedule/counted-ends.ts';
import { schedule } from '../../../../src-main/job/schedule/schedule.ts';
import type {
  PlannedClosure,
  ConnectionAccess,
  Plan,
  PlannedEndpoint,
  PlannedJob,
} from '../../../../src-main/job/schedule/plan.ts';
import { RateGovernor, type Lane } from '../../../../src-main/service/rate-governor.ts';

/** A planned job with the given fields. */
export function aPlannedJob(changes: Partial<PlannedJob> = {}): PlannedJob {
  return {
    key: 'job-1',
    addressKey: 'a',
    operation: 'run',
    isBatchRow: false,
    stage: 'active',
    acceptedAtMs: 0,
    startedSeenAtMs: null,
    isStatusUnlisted: false,
    statusReadAtMs: null,
    endsAtMs: null,
    ttlEndsAtMs: 86_400_000,
    retentionEndsAtMs: null,
    isOpened: false,
    isRowOnScreen: false,
    isStatusReadWanted: false,
    notBeforeMs: 0,
    isStreamAwaited: false,
    streamAtMs: null,
    cancelAtMs: null,
    isBusy: false,
    streamReads: 0,
    isCancelBusy: false,
    ...changes,
  };
}

export function anEndpoint(id = 'a', changes: Partial<PlannedEndpoint> = {}): PlannedEndpoint {
  return {
    id,
    connectionId: 'main',
    endpointId: id,
    countedEnds: nothingCounted,
    isHealthBusy: false,
    errorsMs: [],
    ...changes,
  };
}

/** A plan over jobs of some groups, with enough budget for everything unless given otherwise. */
export function planOf(
  jobs: PlannedJob[],
  options: {
    nowMs?: number;
    endpointStates?: PlannedEndpoint[];
    isPaused?: boolean;
    isWindowVisible?: boolean;
    isOnBattery?: boolean;
    access?: (connectionId: string) => ConnectionAccess;
    closure?: (lane: Lane) => PlannedClosure | null;
    free?: (lane: Lane) => number;
    allowance?: (lane: Lane) => number;
    freeSlots?: number;
  } = {},
): Plan {
  const endpointStates = options.endpointStates ?? [anEndpoint()];
  return schedule({
    nowMs: options.nowMs ?? 0,
    isPaused: options.isPaused ?? false,
    isWindowVisible: options.isWindowVisible ?? true,
    isOnBattery: options.isOnBattery ?? false,
    jobs,
    endpointStates: new Map(endpointStates.map((endpoint) => [endpoint.id, endpoint])),
    access: options.access ?? (() => ({ kind: 'open' })),
    triedAtMs: () => null,
    closure: options.closure ?? (() => null),
    room: (lane) => ({ free: options.free?.(lane) ?? 1_000, nextAtMs: null }),
    allowance: options.allowance ?? (() => 500),
    freeSlots: options.freeSlots ?? 10_000,
  });
}

export interface SimulatedJob {
  key: string;
  addressKey: string;
  operation: SubmitOperation;
  acceptedAtMs: number;
  /** When the service ends it. */
  endsAtMs: number;
  ttlMs: number;
  isOpened: boolean;
  /** When the schedule expects its end. Default: it expects nothing. */
  forecastAtMs?: number;
}

export interface SimulationResult {
  /** By job: from its end to the read that saw it. Null if its result had expired. */
  seenAfterMs: Map<string, number | null>;
  statusRequests: number;
  healthRequests: number;
  /** No ten seconds had more requests of one lane than allowed. */
  isWithinBudget: boolean;
  endedAtMs: number;
}

/**
 * A simulated service without real time: requests take `latencyMs` and read the state half-way. Other clients finish
 * jobs on the same endpoints too (`strangersEveryMs`), so that the counters also change for jobs that are not ours.
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
  const governor = new RateGovernor({
    share: () => ({ rateShare: options.rateShare, concurrencyShare: 0.5 }),
    random: () => 0.5,
  });
  const endpointStates = new Map(
    [...new Set(jobs.map(({ addressKey }) => addressKey))].map((id) => [
      id,
      anEndpoint(id, { errorsMs: options.errorsMs ?? [] }),
    ]),
  );
  const live = new Map(
    jobs.map((job) => [
      job.key,
      { ...job, statusReadAtMs: null as number | null, startedSeenAtMs: null as number | null, isBusy: false },
    ]),
  );
  const seenAfterMs = new Map<string, number | null>();
  const events: { atMs: number; run: () => void }[] = [];
  let nowMs = 0;
  let wakeAtMs: number | null = 0;
  let statusRequests = 0;
  let healthRequests = 0;
  let isWithinBudget = true;

  const laneOf = (endpoint: PlannedEndpoint, operation: Lane['operation']): Lane => ({
    connectionId: endpoint.connectionId,
    endpointId: endpoint.endpointId,
    operation,
  });
  const finishedAt = (addressKey: string, atMs: number): number =>
    jobs.filter((job) => job.addressKey === addressKey && job.endsAtMs <= atMs).length +
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
      endpointStates,
      freeSlots: 64,
      jobs: [...live.values()]
        .filter(({ acceptedAtMs }) => acceptedAtMs <= nowMs)
        .map((job) =>
          aPlannedJob({ ...job, endsAtMs: job.forecastAtMs ?? null, ttlEndsAtMs: job.acceptedAtMs + job.ttlMs }),
        ),
      access: () => ({ kind: 'open' }),
      triedAtMs: () => null,
      closure: () => null,
      allowance: () => 500,
      room: (lane) => governor.room(lane, nowMs),
    });
    for (const { addressKey, sinceMs } of result.readThrough) {
      const endpoint = endpointStates.get(addressKey);
      if (endpoint !== undefined) endpoint.countedEnds = allRead(endpoint.countedEnds, sinceMs);
    }
    for (const request of result.requests) {
      if (request.kind === 'health') health(request.addressKey);
      else read(request.key);
    }
    const nextArrival = Math.min(
      ...[...live.values()].filter(({ acceptedAtMs }) => acceptedAtMs > nowMs).map(({ acceptedAtMs }) => acceptedAtMs),
    );
    wakeAtMs = Math.min(result.wakeAtMs ?? Infinity, nextArrival);
  }

  function health(addressKey: string): void {
    const endpoint = endpointStates.get(addressKey);
    if (endpoint === undefined) return;
    isWithinBudget &&= governor.begin(laneOf(endpoint, 'health'), nowMs);
    healthRequests += 1;
    endpoint.isHealthBusy = true;
    endpoint.countedEnds = healthRequested(endpoint.countedEnds);
    answerLater(() => {
      const completed = finishedAt(addressKey, nowMs);
      return () => {
        governor.end(laneOf(endpoint, 'health'), { kind: 'answered' }, nowMs);
        endpoint.isHealthBusy = false;
        endpoint.countedEnds = healthRead(
          endpoint.countedEnds,
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

  function read(key: string): void {
    const job = live.get(key);
    const endpoint = job === undefined ? undefined : endpointStates.get(job.addressKey);
    if (job === undefined || endpoint === undefined) return;
    isWithinBudget &&= governor.begin(laneOf(endpoint, 'status'), nowMs);
    statusRequests += 1;
    job.isBusy = true;
    const requestedAtMs = nowMs;
    answerLater(() => {
      const isEnded = job.endsAtMs <= nowMs;
      const isGone = nowMs >= Math.min(job.endsAtMs + retentionMs[job.operation], job.acceptedAtMs + job.ttlMs);
      const seenMs = nowMs;
      return () => {
        governor.end(laneOf(endpoint, 'status'), { kind: 'answered' }, nowMs);
        job.isBusy = false;
        const unfinishedAtMs = job.statusReadAtMs ?? job.acceptedAtMs;
        job.statusReadAtMs = requestedAtMs;
        job.startedSeenAtMs ??= nowMs;
        if (isEnded || isGone) {
          live.delete(key);
          seenAfterMs.set(key, isGone ? null : seenMs - job.endsAtMs);
          if (!isGone)
            endpoint.countedEnds = endSeen(
              endpoint.countedEnds,
              'COMPLETED',
              Math.max(unfinishedAtMs, job.endsAtMs - 250),
              false,
            );
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
