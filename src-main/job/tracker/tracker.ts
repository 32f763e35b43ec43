import type { TrackerState } from '../../../src-preload/app.ts';
import type { Actions } from '../commands/actions.ts';
import type { Timer } from '../../time/clock.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import { allRead } from '../schedule/counted-ends.ts';
import type { StatusReads } from '../polling/status-reads.ts';
import type { Plan, PlannedRequest } from '../schedule/plan.ts';
import { PlannedJobs } from './planned-jobs.ts';
import type { OnView, PlannedJobsParts } from './planned-jobs.ts';
import { freeSlots } from '../schedule/fit-budgets.ts';
import { schedule } from '../schedule/schedule.ts';
import type { Submit } from '../submission/submit.ts';
import { createTrackerStates } from './tracker-state.ts';
import type { TrackerMoment, TrackerStates } from './tracker-state.ts';
import type { JobContext } from '../context/job-context.ts';
import type { UnresolvedCounts } from '../store/unresolved-counts.ts';
import type { StreamReader } from '../stream/stream-reader.ts';

/** The most requests in progress, over all connections. */
const maxInFlight = 64;
/** Exchanges that changed nothing are committed together, this long after the first. */
const flushAfterMs = 2_000;

export interface TrackerParts extends PlannedJobsParts {
  statusReads: StatusReads;
  forecasts: Forecasts;
  streams: StreamReader;
  submit: Submit;
  actions: Actions;
  unresolvedCounts: UnresolvedCounts;
  onState: (state: TrackerState) => void;
}

/** Runs the schedule: one timer for everything, and none if there is nothing to wait for. */
export class Tracker {
  readonly #context: JobContext;
  readonly #parts: TrackerParts;
  readonly #plannedJobs: PlannedJobs;
  readonly #states: TrackerStates;
  readonly #inProgress = new Set<Promise<void>>();
  #onView: OnView = { opened: new Set(), rows: new Set(), isWindowVisible: true };
  #isOnBattery = false;
  #isClosed = false;
  #timer: { timer: Timer; atMs: number } | null = null;
  #flushAtMs: number | null = null;
  #isFlushing = false;
  #lastTickAtMs = 0;
  readonly #moment: TrackerMoment = { nextRequestAtMs: null };

  constructor(context: JobContext, parts: TrackerParts) {
    this.#context = context;
    this.#parts = parts;
    this.#plannedJobs = new PlannedJobs(context, { ...parts, maxInFlight });
    this.#states = createTrackerStates(context, parts);
    context.events.on('plan-outdated', () => this.wake());
  }

  /** Plans again after a change. */
  wake(): void {
    const restMs = Math.min(100, this.#context.ledger.live().size / 50);
    this.#arm(Math.max(this.#context.clock.now(), this.#lastTickAtMs + restMs));
  }

  /** Stops sending planned requests. The answers to earlier ones are still saved. */
  pause(): void {
    this.#context.pausing.isPaused = true;
    // One more, empty plan, which saves what was requested before.
    this.wake();
    this.#states.report(this.#moment);
  }

  /** Plans and sends again. */
  resume(): void {
    this.#context.pausing.isPaused = false;
    this.wake();
    this.#states.report(this.#moment);
  }

  /** Whether the user paused tracking. */
  isPaused(): boolean {
    return this.#context.pausing.isPaused;
  }

  /** Drops every wait and sends immediately. */
  tryNow(): void {
    this.#context.pollingStates.tryNow();
    this.#context.endpointStates.tryNow();
    this.#context.reachability.tryNow();
    this.wake();
  }

  /** Tests unreachable connections and reads every job, but not before the time that a service named (ruling 10). */
  wokeUp(): void {
    this.#context.pollingStates.readAgain();
    this.#context.reachability.tryNow();
    this.wake();
  }

  /** The jobs that are open in windows, and those whose rows are on screen. */
  setOnView(openedKeys: readonly string[], rowKeys: readonly string[]): void {
    this.#onView = { ...this.#onView, opened: new Set(openedKeys), rows: new Set(rowKeys) };
    this.wake();
  }

  /** Whether the machine runs on battery. The plan is made again. */
  setOnBattery(isOn: boolean): void {
    this.#isOnBattery = isOn;
    this.wake();
  }

  /** Whether any window is visible. The plan is made again. */
  setWindowVisible(isVisible: boolean): void {
    this.#onView = { ...this.#onView, isWindowVisible: isVisible };
    this.wake();
  }

  /** What the tracker does now. */
  state(): TrackerState {
    return this.#states.read(this.#moment);
  }

  /** Resolves when no request is in progress. */
  async idle(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.allSettled(this.#inProgress);
  }

  /** Sends nothing after this. Answers to earlier requests are still saved. */
  close(): void {
    this.#isClosed = true;
    this.#disarm();
  }

  #arm(atMs: number): void {
    if (this.#isClosed || (this.#timer !== null && this.#timer.atMs <= atMs)) return;
    this.#timer?.timer.cancel();
    this.#timer = {
      atMs,
      timer: this.#context.clock.after(Math.max(0, atMs - this.#context.clock.now()), () => this.#tick()),
    };
  }

  #disarm(): void {
    this.#timer?.timer.cancel();
    this.#timer = null;
  }

  #tick(): void {
    this.#timer = null;
    if (this.#isClosed) return;
    this.#lastTickAtMs = this.#context.clock.now();
    const plan = this.#planNow(this.#lastTickAtMs);
    for (const { addressKey, sinceMs } of plan.readThrough) {
      const endpoint = this.#context.endpointStates.find(addressKey);
      if (endpoint !== null) endpoint.countedEnds = allRead(endpoint.countedEnds, sinceMs);
    }
    for (const request of plan.requests) this.#begin(request);
    this.#moment.nextRequestAtMs = plan.nextRequestAtMs;
    this.#flushIfDue(this.#lastTickAtMs);
    const wakes = [plan.wakeAtMs, this.#flushAtMs].filter((atMs) => atMs !== null);
    if (wakes.length > 0) this.#arm(Math.min(...wakes));
    this.#states.report(this.#moment);
  }

  #planNow(nowMs: number): Plan {
    const { reachability, governor } = this.#context;
    const jobs = this.#plannedJobs.read(this.#onView);
    for (const endpoint of this.#context.endpointStates.all())
      endpoint.errorsMs = this.#parts.forecasts.errorsMs(endpoint);
    return schedule({
      nowMs,
      isPaused: this.#context.pausing.isPaused,
      isWindowVisible: this.#onView.isWindowVisible,
      isOnBattery: this.#isOnBattery,
      jobs,
      endpointStates: this.#context.endpointStates.planned(),
      access: (connectionId) => reachability.access(connectionId),
      triedAtMs: (connectionId) => reachability.triedAtMs(connectionId),
      closure: (lane) => reachability.closure(lane),
      room: (lane) => governor.room(lane, nowMs),
      allowance: (lane) => governor.allowance(lane, nowMs),
      freeSlots: freeSlots(maxInFlight, this.#context.dispatch.inFlight(), (id) => reachability.triedAtMs(id)),
    });
  }

  #begin(request: PlannedRequest): void {
    if (request.kind === 'health') {
      const endpoint = this.#context.endpointStates.find(request.addressKey);
      if (endpoint !== null)
        this.#run(
          async () => void (await this.#parts.statusReads.readHealth(endpoint)),
          () => undefined,
        );
      return;
    }
    const job = this.#context.ledger.live().get(request.key)?.job;
    if (job === undefined) return;
    const polling = this.#context.pollingStates.of(job);
    switch (request.kind) {
      case 'submit':
        polling.isBusy = true;
        return this.#run(
          () => this.#parts.submit.sendWaiting(job),
          () => {
            polling.isBusy = false;
          },
          () => this.#context.pollingStates.backOff(polling, undefined),
        );
      case 'status':
        polling.isBusy = true;
        return this.#run(
          () => this.#parts.statusReads.read(job),
          () => {
            polling.isBusy = false;
          },
        );
      case 'stream':
        return this.#run(
          () => this.#parts.streams.read(job),
          () => undefined,
        );
      case 'cancel':
        polling.isCancelBusy = true;
        return this.#run(
          async () => void (await this.#parts.actions.sendCancel(job)),
          () => {
            polling.isCancelBusy = false;
          },
        );
    }
  }

  /** `onRefused`: the disk refused, so nothing changed. Reads have a back-off of their own. */
  #run(work: () => Promise<void>, after: () => void, onRefused?: () => void): void {
    const done: Promise<void> = work()
      .catch((error: unknown) => {
        onRefused?.();
        this.#context.onTrouble(error);
      })
      .finally(() => {
        after();
        this.#inProgress.delete(done);
        this.wake();
      });
    this.#inProgress.add(done);
  }

  #flushIfDue(nowMs: number): void {
    if (!this.#context.ledger.hasUnflushed() || this.#isFlushing) {
      this.#flushAtMs = null;
      return;
    }
    this.#flushAtMs ??= nowMs + flushAfterMs;
    if (this.#flushAtMs > nowMs) return;
    this.#flushAtMs = null;
    this.#isFlushing = true;
    this.#context.ledger
      .flush()
      .catch(this.#context.onTrouble)
      .finally(() => {
        this.#isFlushing = false;
      });
  }
}
