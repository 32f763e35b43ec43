import type { Budget } from '../../src-preload/app.ts';
import { longestRetryAfterMs } from './retry-after.ts';

/** The queue operations a budget is kept for. */
export type GovernedOperation = 'run' | 'runsync' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge-queue' | 'health';

/** Limits are per user per endpoint and operation (spec: Limits), so a budget is kept for each of these. */
export interface Lane {
  connectionId: string;
  endpointId: string;
  operation: GovernedOperation;
}

/** How a request that was begun ended. */
export type LaneOutcome =
  | { kind: 'answered' }
  | { kind: 'rate-limited'; retryAfterMs: number | null }
  /** No answer, or one that says nothing about the rate. */
  | { kind: 'failed' };

/** What may be begun on a lane now, and when it is worth asking again (null: when one under way has ended). */
export interface Room {
  free: number;
  nextAtMs: number | null;
}

export interface RateShare {
  /** Share of the base rate limit, 0.01 to 1 (ruling 21). */
  rateShare: number;
  /** Share of the concurrent limit, 0.01 to 1 (ruling 21). */
  concurrencyShare: number;
}

interface Limit {
  perWindow: number;
  concurrent: number;
  /** A cap of our own where the specification lists none (ruling 20): not shared with anyone. */
  isOwnCap?: true;
  /** Least time between two requests. */
  gapMs?: number;
}

/** spec: Limits; ruling 20 for retry (as cancel) and health (one a second an endpoint). */
const limits: Record<GovernedOperation, Limit> = {
  run: { perWindow: 1_000, concurrent: 200 },
  runsync: { perWindow: 2_000, concurrent: 400 },
  status: { perWindow: 2_000, concurrent: 400 },
  stream: { perWindow: 2_000, concurrent: 400 },
  cancel: { perWindow: 100, concurrent: 20 },
  retry: { perWindow: 100, concurrent: 20 },
  'purge-queue': { perWindow: 2, concurrent: 1 },
  health: { perWindow: 10, concurrent: 1, isOwnCap: true, gapMs: 1_000 },
};

/** spec: limits hold in any ten seconds. */
export const windowMs = 10_000;
/** Requests sent evenly arrive unevenly: the window is kept this much longer than the service's. */
const jitterMs = 250;
/** After a 429 the allowance is halved, of the rate and of what is under way at once, down to this part of the share. */
const smallestFactor = 1 / 32;
/** The allowance comes back by this part of the share a second. */
const recoveryPerSecond = 0.01;

/** Wait before try `step` + 1: exponential with full jitter, base 500 ms, cap 30 s (ruling 10). */
export function backoffMs(step: number, random: () => number): number {
  return Math.floor(random() * Math.min(30_000, 500 * 2 ** Math.min(step, 16)));
}

/** Wait after the 429 that came `step` + 1 in a row: what the service asks for, up to a day, and never less than the back-off (ruling 10). */
export function waitAfter429Ms(retryAfterMs: number | null, step: number, random: () => number): number {
  return Math.max(Math.min(retryAfterMs ?? 0, longestRetryAfterMs), backoffMs(step, random));
}

interface LaneState {
  lane: Lane;
  /** Start times inside the window, oldest first, from `head` on. */
  starts: number[];
  head: number;
  inFlight: number;
  /** Part of the share that is used, as it was at `factorAtMs`. */
  factor: number;
  factorAtMs: number;
  heldUntilMs: number;
  step: number;
  /** The time when it was last used or asked about. */
  seenAtMs: number;
}

export interface RateGovernor {
  /** How many requests may be begun at `nowMs`, and when to ask again. */
  room(lane: Lane, nowMs: number): Room;
  /** Takes one place; false when there is none. */
  begin(lane: Lane, nowMs: number): boolean;
  /** Gives the place back and learns from the outcome. A 429 slows the whole lane (ruling 10). */
  end(lane: Lane, outcome: LaneOutcome, nowMs: number): void;
  /** For the status bar: every lane used in the last ten seconds or held back (ruling 21). */
  budgets(nowMs: number): Budget[];
}

/**
 * Keeps every endpoint and operation inside the part of the service's limit that is ours (rulings 20 and 21), in any
 * ten seconds and at any moment. Deterministic: the time is told, chance is passed in, and there are no timers.
 * `share` is read at each use, so a changed setting holds at once.
 */
export function createRateGovernor(options: { share: () => RateShare; random: () => number }): RateGovernor {
  const lanes = new Map<string, LaneState>();

  function stateOf(lane: Lane, nowMs: number): LaneState {
    const id = `${lane.connectionId}\n${lane.endpointId}\n${lane.operation}`;
    let state = lanes.get(id);
    if (state === undefined) {
      state = { lane, starts: [], head: 0, inFlight: 0, factor: 1, factorAtMs: 0, heldUntilMs: 0, step: 0, seenAtMs: nowMs };
      lanes.set(id, state);
    }
    followClock(state, nowMs);
    return state;
  }

  function room(lane: Lane, nowMs: number): Room {
    const state = stateOf(lane, nowMs);
    const limit = limits[lane.operation];
    forgetOld(state, nowMs);
    if (state.heldUntilMs > nowMs) return { free: 0, nextAtMs: state.heldUntilMs };
    const used = state.starts.length - state.head;
    const allowed = allowedNow(state, nowMs);
    if (used >= allowed) {
      // The place that frees the first one is as far back as the allowance is small.
      const freeing = state.starts[state.starts.length - allowed] ?? nowMs;
      return { free: 0, nextAtMs: freeing + windowMs + jitterMs };
    }
    const concurrent = concurrentNow(state, nowMs) - state.inFlight;
    if (concurrent <= 0) return { free: 0, nextAtMs: null };
    if (limit.gapMs === undefined) return { free: Math.min(allowed - used, concurrent), nextAtMs: nowMs };
    const last = state.starts.at(-1);
    const gapEndsAtMs = used === 0 || last === undefined ? nowMs : last + limit.gapMs;
    return gapEndsAtMs > nowMs ? { free: 0, nextAtMs: gapEndsAtMs } : { free: 1, nextAtMs: nowMs };
  }

  function allowedNow(state: LaneState, nowMs: number): number {
    const limit = limits[state.lane.operation];
    const share = limit.isOwnCap === true ? 1 : options.share().rateShare;
    return Math.max(1, Math.floor(limit.perWindow * share * factorNow(state, nowMs)));
  }

  function concurrentNow(state: LaneState, nowMs: number): number {
    const limit = limits[state.lane.operation];
    const share = limit.isOwnCap === true ? 1 : options.share().concurrencyShare;
    return Math.max(1, Math.floor(limit.concurrent * share * factorNow(state, nowMs)));
  }

  return {
    room,

    begin(lane, nowMs) {
      if (room(lane, nowMs).free === 0) return false;
      const state = stateOf(lane, nowMs);
      state.starts.push(nowMs);
      state.inFlight += 1;
      return true;
    },

    end(lane, outcome, nowMs) {
      const state = stateOf(lane, nowMs);
      state.inFlight = Math.max(0, state.inFlight - 1);
      if (outcome.kind === 'answered' && nowMs >= state.heldUntilMs) state.step = 0;
      if (outcome.kind !== 'rate-limited') return;
      // Several 429s of one burst are one event: only the first halves the allowance.
      if (nowMs >= state.heldUntilMs) {
        state.factor = Math.max(smallestFactor, factorNow(state, nowMs) / 2);
        state.factorAtMs = nowMs;
        state.step += 1;
      }
      state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + waitAfter429Ms(outcome.retryAfterMs, state.step - 1, options.random));
    },

    budgets(nowMs) {
      const seen: Budget[] = [];
      for (const state of lanes.values()) {
        followClock(state, nowMs);
        forgetOld(state, nowMs);
        const spent = state.starts.length - state.head;
        const isHeld = state.heldUntilMs > nowMs;
        if (spent === 0 && !isHeld && state.inFlight === 0) continue;
        const factor = factorNow(state, nowMs);
        seen.push({
          ...state.lane,
          spent,
          allowed: allowedNow(state, nowMs),
          limit: limits[state.lane.operation].perWindow,
          heldUntilMs: isHeld ? state.heldUntilMs : null,
          backoffStep: state.step,
          reason: reasonOf(isHeld, factor, state.lane.operation),
        });
      }
      return seen;
    },
  };
}

function reasonOf(isHeld: boolean, factor: number, operation: GovernedOperation): string | null {
  if (isHeld) return `The service answered 429 to ${operation}; waiting before the next try`;
  if (factor < 1) return `Slowed to ${Math.round(factor * 100)} % of its share after a 429`;
  return null;
}

function factorNow(state: LaneState, nowMs: number): number {
  if (state.factor >= 1) return 1;
  // Nothing comes back while the lane is held.
  const calmMs = Math.max(0, nowMs - Math.max(state.factorAtMs, state.heldUntilMs));
  return Math.min(1, state.factor + (calmMs / 1_000) * recoveryPerSecond);
}

/** A clock that was put back takes everything with it: what was begun a moment ago was not begun in the future. */
function followClock(state: LaneState, nowMs: number): void {
  const backMs = state.seenAtMs - nowMs;
  state.seenAtMs = nowMs;
  if (backMs <= 0) return;
  state.starts = state.starts.map((atMs) => atMs - backMs);
  state.factorAtMs -= backMs;
  state.heldUntilMs -= backMs;
}

function forgetOld(state: LaneState, nowMs: number): void {
  const oldest = nowMs - windowMs - jitterMs;
  while (state.head < state.starts.length && (state.starts[state.head] ?? nowMs) <= oldest) state.head += 1;
  // Moving the head is cheap; the array itself is cut when half of it is past.
  if (state.head > 256 && state.head * 2 > state.starts.length) {
    state.starts = state.starts.slice(state.head);
    state.head = 0;
  }
}
