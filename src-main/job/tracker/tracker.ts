import type { TrackerState } from '../../../src-preload/app.ts';
import type { RateGovernor } from '../../service/rate-governor.ts';
import type { Actions } from '../commands/actions.ts';
import type { Clock, Timer } from '../../time/clock.ts';
import type { Dispatch } from '../context/dispatch.ts';
import type { JobPollingState } from '../context/job-polling-state.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import { allRead } from '../schedule/health-gate.ts';
import type { Ledger } from '../store/ledger.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import type { Plan, PlannedRequest } from '../schedule/plan.ts';
import { createPlannedJobs } from './planned-jobs.ts';
import type { PlannedJobsParts } from './planned-jobs.ts';
import type { Reachability } from '../context/reachability.ts';
import { schedule } from '../schedule/schedule.ts';
import type { StreamReader } from '../stream/stream-reader.ts';
import type { Submit } from '../submission/submit.ts';
import { createTrackerStates } from './tracker-state.ts';
import type { TrackerMoment } from './tracker-state.ts';

/** Requests under way at most, all connections together. */
const mostInFlight = 64;
/** Exchanges of quiet looks are committed together, this long after the first. */
const flushAfterMs = 2_000;
/** A clock that is set right by less than this holds up nothing that matters. */
const putBackMs = 1_000;

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

export interface TrackerParts extends Omit<PlannedJobsParts, 'mostInFlight'> {
  ledger: Ledger;
  dispatch: Dispatch;
  governor: RateGovernor;
  reachability: Reachability;
  statusReads: StatusReads;
  forecasts: Forecasts;
  streams: StreamReader;
  submit: Submit;
  actions: Actions;
  clock: Clock;
  outcomeUnknown: () => number;
  countOrphans: () => number;
  /** Everything that waits for a time waits for one that may be years ahead: whoever keeps some forgets it. */
  onClockPutBack: () => void;
  onState: (state: TrackerState) => void;
  onTrouble: (error: unknown) => void;
}

/** Runs the schedule: one timer for everything, none when there is nothing to wait for. */
export function createTracker(parts: TrackerParts): Tracker {
  const { ledger, pollingStates, endpointStates, dispatch, governor, reachability, forecasts, clock } = parts;
  const plannedJobs = createPlannedJobs({ ...parts, mostInFlight });
  const states = createTrackerStates({ ...parts, now: clock.now });
  const underWay = new Set<Promise<void>>();
  let watched: ReadonlySet<string> = new Set();
  let isWindowVisible = true;
  let isOnBattery = false;
  let isClosed = false;
  let timer: { timer: Timer; atMs: number } | null = null;
  let flushAtMs: number | null = null;
  let isFlushing = false;
  let lastTickAtMs = 0;
  let seenAtMs = 0;
  const moment: TrackerMoment = { isPaused: false, nextRequestAtMs: null, lastSyncAtMs: null };

  function arm(atMs: number): void {
    if (isClosed || (timer !== null && timer.atMs <= atMs)) return;
    timer?.timer.cancel();
    timer = { atMs, timer: clock.after(Math.max(0, atMs - clock.now()), tick) };
  }

  function disarm(): void {
    timer?.timer.cancel();
    timer = null;
  }

  function followClock(): void {
    const nowMs = clock.now();
    const isPutBack = nowMs < seenAtMs - putBackMs;
    seenAtMs = nowMs;
    if (!isPutBack) return;
    lastTickAtMs = 0;
    flushAtMs = null;
    endpointStates.clockPutBack();
    pollingStates.tryNow();
    reachability.tryNow();
    parts.onClockPutBack();
  }

  /** Answers arrive in swarms when many jobs are followed: one plan serves all of a swarm. */
  function wake(): void {
    followClock();
    const restMs = Math.min(100, ledger.live().size / 50);
    arm(Math.max(clock.now(), lastTickAtMs + restMs));
  }

  function tick(): void {
    timer = null;
    if (isClosed) return;
    followClock();
    lastTickAtMs = clock.now();
    const plan = planNow(lastTickAtMs);
    for (const { endpointKey, sinceMs } of plan.lookedThrough) {
      const endpoint = endpointStates.find(endpointKey);
      if (endpoint !== null) endpoint.gate = allRead(endpoint.gate, sinceMs);
    }
    for (const request of plan.requests) begin(request);
    moment.nextRequestAtMs = plan.nextRequestAtMs;
    flushIfDue(lastTickAtMs);
    const wakes = [plan.wakeAtMs, flushAtMs].filter((atMs) => atMs !== null);
    if (wakes.length > 0) arm(Math.min(...wakes));
    states.tell(moment);
  }

  function planNow(nowMs: number): Plan {
    const jobs = plannedJobs({ watched, isWindowVisible });
    for (const endpoint of endpointStates.all()) endpoint.errorsMs = forecasts.errorsMs(endpoint);
    return schedule({
      nowMs,
      isPaused: moment.isPaused,
      isWindowVisible,
      isOnBattery,
      jobs,
      endpointStates: endpointStates.planned(),
      gateway: reachability.gateway,
      door: reachability.door,
      room: (lane) => governor.room(lane, nowMs),
      freeSlots: Math.max(0, mostInFlight - dispatch.inFlight()),
    });
  }

  function begin(request: PlannedRequest): void {
    if (request.kind === 'health') {
      const endpoint = endpointStates.find(request.endpointKey);
      if (endpoint !== null)
        run(
          async () => void (await parts.statusReads.readHealth(endpoint)),
          () => undefined,
        );
      return;
    }
    const job = ledger.live().get(request.key)?.job;
    if (job === undefined) return;
    const polling = pollingStates.of(job);
    switch (request.kind) {
      case 'submit':
        polling.isBusy = true;
        return run(
          () => parts.submit.sendWaiting(job),
          () => {
            polling.isBusy = false;
          },
          polling,
        );
      case 'status':
        polling.isBusy = true;
        return run(
          () => parts.statusReads.read(job),
          () => {
            polling.isBusy = false;
          },
          polling,
        );
      case 'stream':
        polling.isStreamBusy = true;
        return run(
          () => parts.streams.read(job),
          () => {
            polling.isStreamBusy = false;
          },
          polling,
        );
      case 'cancel':
        polling.isCancelBusy = true;
        return run(
          async () => void (await parts.actions.sendCancel(job)),
          () => {
            polling.isCancelBusy = false;
          },
          polling,
        );
    }
  }

  function run(work: () => Promise<void>, after: () => void, polling?: JobPollingState): void {
    const done: Promise<void> = work()
      .then(() => {
        moment.lastSyncAtMs = clock.now();
      })
      .catch((error: unknown) => {
        // The disk refused: nothing changed, so it is tried again, later and later.
        if (polling !== undefined) pollingStates.backOff(polling, undefined);
        parts.onTrouble(error);
      })
      .finally(() => {
        after();
        underWay.delete(done);
        wake();
      });
    underWay.add(done);
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
    ledger
      .flush()
      .catch(parts.onTrouble)
      .finally(() => {
        isFlushing = false;
      });
  }

  return {
    wake,
    pause() {
      moment.isPaused = true;
      // One plan more, of nothing: what was asked before is still to be written down.
      wake();
      states.tell(moment);
    },
    resume() {
      moment.isPaused = false;
      wake();
      states.tell(moment);
    },
    isPaused: () => moment.isPaused,
    tryNow() {
      pollingStates.tryNow();
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
    state: () => states.read(moment),
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    close() {
      isClosed = true;
      disarm();
    },
  };
}
