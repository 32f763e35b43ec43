import type { TrackerState } from '../../src-preload/app.ts';
import type { RunTimes } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import type { RateGovernor } from '../service/rate-governor.ts';
import type { Actions } from './actions.ts';
import type { Clock, Timer } from './clock.ts';
import type { Dispatch } from './dispatch.ts';
import type { Follow, Follows } from './follow.ts';
import type { Forecasts } from './forecasts.ts';
import type { Groups } from './groups.ts';
import { allLookedAt } from './health-gate.ts';
import type { LeftBehind, WhyNotFollowed } from './left-behind.ts';
import type { Ledger } from './ledger.ts';
import type { Looks } from './looks.ts';
import type { Reachability } from './reachability.ts';
import { isSettling } from './reducer.ts';
import { schedule } from './schedule.ts';
import type { Plan, PlannedJob, PlannedRequest } from './schedule.ts';
import type { StreamReader } from './stream-reader.ts';
import type { Submit } from './submit.ts';

/** Requests under way at most, all connections together. */
const mostInFlight = 64;
/** Exchanges of quiet looks are committed together, this long after the first. */
const flushAfterMs = 2_000;
const stateEveryMs = 1_000;
/** Learned run times are read again this long after they were. */
const runTimesMs = 60_000;

export interface Tracker {
  /** Plans anew: something changed. */
  wake(): void;
  pause(): void;
  resume(): void;
  isPaused(): boolean;
  /** Forgets every wait and looks at once. */
  tryNow(): void;
  setWatched(keys: readonly string[]): void;
  setWindowVisible(isVisible: boolean): void;
  setOnBattery(isOnBattery: boolean): void;
  state(): TrackerState;
  /** Resolves when nothing that was begun is under way. */
  idle(): Promise<void>;
  close(): void;
}

export interface TrackerParts {
  ledger: Ledger;
  follows: Follows;
  groups: Groups;
  dispatch: Dispatch;
  governor: RateGovernor;
  reachability: Reachability;
  looks: Looks;
  forecasts: Forecasts;
  streams: StreamReader;
  submit: Submit;
  actions: Actions;
  clock: Clock;
  runTimes: (connectionId: string) => Promise<RunTimes[]>;
  outcomeUnknown: () => number;
  leftBehind: LeftBehind;
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /** Rows of such a batch are not sent, and hold up nobody. */
  isBatchPaused: (batchId: string) => boolean;
  onState: (state: TrackerState) => void;
  onTrouble: (error: unknown) => void;
}

/** Runs the schedule: one timer for everything, none when there is nothing to wait for. */
export function createTracker(parts: TrackerParts): Tracker {
  const { ledger, follows, groups, dispatch, governor, reachability, forecasts, clock } = parts;
  const underWay = new Set<Promise<void>>();
  const runTimesReadAtMs = new Map<string, number>();
  let watched: ReadonlySet<string> = new Set();
  let isWindowVisible = true;
  let isOnBattery = false;
  let isPaused = false;
  let isClosed = false;
  let timer: { timer: Timer; atMs: number } | null = null;
  let flushAtMs: number | null = null;
  let isFlushing = false;
  let lastTickAtMs = 0;
  let nextRequestAtMs: number | null = null;
  let lastSyncAtMs: number | null = null;
  let toldNews = '';
  let toldAtMs = 0;

  function arm(atMs: number): void {
    if (isClosed || (timer !== null && timer.atMs <= atMs)) return;
    timer?.timer.cancel();
    timer = { atMs, timer: clock.after(Math.max(0, atMs - clock.now()), tick) };
  }

  /** Answers arrive in swarms when many jobs are followed: one plan serves all of a swarm. */
  function wake(): void {
    const restMs = Math.min(100, ledger.live().size / 50);
    arm(Math.max(clock.now(), lastTickAtMs + restMs));
  }

  function tick(): void {
    timer = null;
    if (isClosed) return;
    lastTickAtMs = clock.now();
    const nowMs = lastTickAtMs;
    const plan = planNow(nowMs);
    for (const { groupId, sinceMs } of plan.lookedThrough) {
      const group = groups.find(groupId);
      if (group !== null) group.gate = allLookedAt(group.gate, sinceMs);
    }
    for (const request of plan.requests) begin(request);
    nextRequestAtMs = plan.nextRequestAtMs;
    flushIfDue(nowMs);
    const wakes = [plan.wakeAtMs, flushAtMs].filter((atMs) => atMs !== null);
    if (wakes.length > 0) arm(Math.min(...wakes));
    tellState();
  }

  function planNow(nowMs: number): Plan {
    const jobs = headsOfOutbox();
    for (const { job } of ledger.live().values()) {
      const stage = stageOf(job);
      if (stage === null || stage === 'waiting') continue;
      const why = parts.whyNotFollowed(job);
      if (why === 'no-connection' && stage !== 'sending') parts.leftBehind.mark(job);
      if (why === null) jobs.push(plannedJob(job, stage, follows.of(job)));
    }
    for (const group of groups.all()) group.errorsMs = forecasts.errorsMs(group);
    return schedule({
      nowMs, isPaused, isWindowVisible, isOnBattery, jobs,
      groups: groups.planned(),
      gateway: reachability.gateway,
      room: (lane) => governor.room(lane, nowMs),
      freeSlots: Math.max(0, mostInFlight - dispatch.inFlight()),
    });
  }

  /**
   * What could leave next: of each queue as many as may be under way at all. Those behind them cannot overtake, because
   * every queue is sent in the order of its keys.
   */
  function headsOfOutbox(): PlannedJob[] {
    const heads: PlannedJob[] = [];
    for (const { batchId, keys } of ledger.outbox()) {
      let free = batchId !== null && parts.isBatchPaused(batchId) ? 0 : mostInFlight;
      for (const key of keys) {
        const job = ledger.live().get(key)?.job;
        if (job === undefined) continue;
        // One that was not sent yet goes where its connection points now, as long as there is one.
        if (parts.whyNotFollowed(job) === 'no-connection') {
          parts.leftBehind.mark(job);
          continue;
        }
        if (free === 0) break;
        const follow = follows.of(job);
        heads.push(plannedJob(job, 'waiting', follow));
        if (!follow.isBusy) free -= 1;
      }
    }
    return heads;
  }

  function plannedJob(job: Job, stage: PlannedJob['stage'], follow: Follow): PlannedJob {
    const isWatched = watched.has(job.key);
    return {
      key: job.key,
      groupId: groups.of(job).id,
      operation: job.operation,
      isBatchRow: job.batchId !== null,
      stage,
      acceptedAtMs: job.acceptedAtMs ?? job.createdAtMs,
      startedSeenAtMs: job.startedSeenAtMs,
      lookedAtMs: job.lastCheckedAtMs,
      endsAtMs: stage === 'active' ? forecasts.endsAtMs(job, groups.of(job)) : null,
      ttlEndsAtMs: job.ttlEndsAtMs,
      retentionEndsAtMs: job.retentionEndsAtMs,
      isWatched,
      isLookWanted: follow.isLookWanted,
      notBeforeMs: follow.notBeforeMs,
      isStreamAwaited: parts.streams.isAwaited(job, follow),
      streamAtMs: parts.streams.dueAtMs(job, follow, { isWatched, isWindowVisible, startsAtMs: () => forecasts.startsAtMs(job, groups.of(job)) }),
      cancelAtMs: job.isCancelling ? follow.cancelAtMs : null,
      isBusy: follow.isBusy,
      isStreamBusy: follow.isStreamBusy,
      isCancelBusy: follow.isCancelBusy,
    };
  }

  function begin(request: PlannedRequest): void {
    if (request.kind === 'health') {
      const group = groups.find(request.groupId);
      if (group === null) return;
      run(async () => void (await parts.looks.readHealth(group)), () => undefined);
      return;
    }
    const job = ledger.live().get(request.key)?.job;
    if (job === undefined) return;
    const follow = follows.of(job);
    switch (request.kind) {
      case 'submit':
        follow.isBusy = true;
        return run(() => parts.submit.sendWaiting(job), () => { follow.isBusy = false; }, follow);
      case 'status':
        refreshRunTimes(job.connectionId);
        follow.isBusy = true;
        return run(() => parts.looks.look(job), () => { follow.isBusy = false; }, follow);
      case 'stream':
        follow.isStreamBusy = true;
        return run(() => parts.streams.read(job), () => { follow.isStreamBusy = false; }, follow);
      case 'cancel':
        follow.isCancelBusy = true;
        return run(async () => void (await parts.actions.sendCancel(job)), () => { follow.isCancelBusy = false; }, follow);
    }
  }

  function run(work: () => Promise<void>, after: () => void, follow?: Follow): void {
    const done: Promise<void> = work()
      .then(() => { lastSyncAtMs = clock.now(); })
      .catch((error: unknown) => {
        // The disk refused: nothing changed, so it is tried again, later and later.
        if (follow !== undefined) follows.backOff(follow, undefined);
        parts.onTrouble(error);
      })
      .finally(() => {
        after();
        underWay.delete(done);
        wake();
      });
    underWay.add(done);
  }

  function refreshRunTimes(connectionId: string): void {
    const nowMs = clock.now();
    const readAtMs = runTimesReadAtMs.get(connectionId);
    if (readAtMs !== undefined && nowMs - readAtMs < runTimesMs) return;
    runTimesReadAtMs.set(connectionId, nowMs);
    parts.runTimes(connectionId).then((times) => groups.setRunTimes(connectionId, times), parts.onTrouble);
  }

  function flushIfDue(nowMs: number): void {
    if (!ledger.hasUnflushed() || isFlushing) {
      flushAtMs = null;
      return;
    }
    flushAtMs ??= nowMs + flushAfterMs;
    if (flushAtMs > nowMs) return;
    flushAtMs = null;
    isFlushing = true;
    ledger.flush().catch(parts.onTrouble).finally(() => {
      isFlushing = false;
    });
  }

  function state(): TrackerState {
    const nowMs = clock.now();
    let tracked = 0;
    let waitingToSend = 0;
    for (const { job } of ledger.live().values()) {
      if (job.phase !== 'active') waitingToSend += 1;
      else if (parts.whyNotFollowed(job) === null) tracked += 1;
    }
    return {
      isPaused,
      tracked,
      waitingToSend,
      outcomeUnknown: parts.outcomeUnknown(),
      nextLookAtMs: tracked + waitingToSend === 0 || isPaused ? null : nextRequestAtMs,
      lastSyncAtMs,
      connections: reachability.all(),
      budgets: governor.budgets(nowMs),
    };
  }

  /** Figures move with every request: they are told once a second, and news at once. */
  function tellState(): void {
    const now = state();
    const news = JSON.stringify([now.isPaused, now.tracked, now.waitingToSend, now.outcomeUnknown, now.nextLookAtMs === null, now.connections]);
    const nowMs = clock.now();
    if (news === toldNews && nowMs - toldAtMs < stateEveryMs) return;
    toldNews = news;
    toldAtMs = nowMs;
    parts.onState(now);
  }

  return {
    wake,
    pause() {
      isPaused = true;
      timer?.timer.cancel();
      timer = null;
      tellState();
    },
    resume() {
      isPaused = false;
      wake();
      tellState();
    },
    isPaused: () => isPaused,
    tryNow() {
      follows.tryNow();
      reachability.tryNow();
      wake();
    },
    setWatched(keys) {
      watched = new Set(keys);
      wake();
    },
    setOnBattery(isOn) {
      isOnBattery = isOn;
      wake();
    },
    setWindowVisible(isVisible) {
      isWindowVisible = isVisible;
      wake();
    },
    state,
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    close() {
      isClosed = true;
      timer?.timer.cancel();
      timer = null;
    },
  };
}

/** Null for a job that is over: there is nothing to plan. */
function stageOf(job: Job): PlannedJob['stage'] | null {
  switch (job.phase) {
    case 'waiting':
      return 'waiting';
    case 'submitting':
      return 'sending';
    case 'active':
      return isSettling(job) ? 'settling' : 'active';
    default:
      return null;
  }
}
