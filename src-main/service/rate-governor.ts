import { longestBackoffMs } from '../../src-preload/backoff.ts';
import type { Budget } from '../../src-preload/app.ts';
import { longestRetryAfterMs } from './reply-failure.ts';

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

/** What may be begun on a lane now, and when it is worth asking again (null: when one in progress has ended). */
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

/** A limit holds in any ten seconds (spec: Limits; ruling 21). */
const windowMs = 10_000;
/** Requests sent evenly arrive unevenly: the window is kept this much longer than the service's. */
const jitterMs = 250;
/** So long after it was begun, a request counts no more. */
const windowEndsAfterMs = windowMs + jitterMs;
/** The allowance comes back by this part of the share a second. */
const recoveryPerSecond = 0.01;

/**
 * After a 429 the allowance is halved, of the rate and of what is in progress at once, down to this part of the share.
 */
const smallestFactor = 1 / 32;

/** Wait before try `step` + 1: exponential with full jitter, base 500 ms, cap 30 s (ruling 10). */
export function backoffMs(step: number, random: () => number): number {
  return Math.floor(random() * longestBackoffMs(step));
}

/**
 * Wait after the `step` + 1st 429 in a row: what the service asks for, up to a day, never less than the back-off
 * (ruling 10).
 */
export function waitAfter429Ms(retryAfterMs: number | null, step: number, random: () => number): number {
  return Math.max(Math.min(retryAfterMs ?? 0, longestRetryAfterMs), backoffMs(step, random));
}

export interface RateGovernorParts {
  /** Read at each use, so a changed setting holds at once. */
  share: () => RateShare;
  random: () => number;
  /**
   * Whose limits a connection spends: connections with one account share them (ruling 42). Read at each use, for it
   * may be learned late; what was spent before counts from then on. Without it each connection is an account.
   */
  accountOf?: (connectionId: string) => string;
}

/**
 * Keeps every endpoint and operation inside the part of the service's limit that is ours (rulings 20 and 21), in any
 * ten seconds and at any moment. Deterministic: time and chance are passed in, and there are no timers.
 */
export class RateGovernor {
  readonly #parts: RateGovernorParts;
  readonly #accountOf: NonNullable<RateGovernorParts['accountOf']>;
  /** By endpoint and operation. */
  readonly #places = new Map<string, { lanes: Lane[]; uses: Map<string, LaneUse> }>();

  constructor(parts: RateGovernorParts) {
    this.#parts = parts;
    this.#accountOf = parts.accountOf ?? ((connectionId) => connectionId);
  }

  /** How many requests may be begun at `nowMs`, and when to ask again. */
  room(lane: Lane, nowMs: number): Room {
    const shared = this.#sharedBy(lane, nowMs);
    const heldUntilMs = heldUntil(shared);
    if (heldUntilMs > nowMs) return { free: 0, nextAtMs: heldUntilMs };
    const used = spentBy(shared);
    const allowed = this.#allowedNow(lane.operation, shared, nowMs);
    if (used >= allowed) {
      // The place that frees the first one is as far back as the allowance is small.
      return { free: 0, nextAtMs: (startFromLast(shared, allowed) ?? nowMs) + windowEndsAfterMs };
    }
    const concurrent = this.#concurrentNow(lane.operation, shared, nowMs) - inFlightOf(shared);
    if (concurrent <= 0) return { free: 0, nextAtMs: null };
    const { gapMs } = limits[lane.operation];
    if (gapMs === undefined) return { free: Math.min(allowed - used, concurrent), nextAtMs: nowMs };
    const last = startFromLast(shared, 1);
    const gapEndsAtMs = last === null ? nowMs : last + gapMs;
    return gapEndsAtMs > nowMs ? { free: 0, nextAtMs: gapEndsAtMs } : { free: 1, nextAtMs: nowMs };
  }

  /** How many requests may be begun in any ten seconds, as things stand at `nowMs`. */
  allowance(lane: Lane, nowMs: number): number {
    return this.#allowedNow(lane.operation, this.#sharedBy(lane, nowMs), nowMs);
  }

  /** Takes one place; false when there is none. */
  begin(lane: Lane, nowMs: number): boolean {
    if (this.room(lane, nowMs).free === 0) return false;
    const use = this.#ownUse(lane);
    use.starts.push(nowMs);
    use.inFlight += 1;
    return true;
  }

  /** Gives the place back and learns from the outcome. A 429 slows the whole lane (ruling 10). */
  end(lane: Lane, outcome: LaneOutcome, nowMs: number): void {
    const shared = this.#sharedBy(lane, nowMs);
    const use = this.#ownUse(lane);
    use.inFlight = Math.max(0, use.inFlight - 1);
    const isHeld = heldUntil(shared) > nowMs;
    if (outcome.kind === 'answered' && !isHeld) for (const each of shared) each.step = 0;
    if (outcome.kind !== 'rate-limited') return;
    // Several 429s of one burst are one event: only the first halves the allowance.
    if (!isHeld) {
      use.factor = Math.max(smallestFactor, factorNow(shared, nowMs) / 2);
      use.factorAtMs = nowMs;
      use.step = stepOf(shared) + 1;
    }
    const waitMs = waitAfter429Ms(outcome.retryAfterMs, stepOf(shared) - 1, this.#parts.random);
    if (!isHeld) use.heldSinceMs = nowMs;
    use.heldUntilMs = Math.max(use.heldUntilMs, nowMs + waitMs);
  }

  /**
   * For the status bar: lanes used in the last ten seconds or held back (ruling 21), with the figures of their account.
   */
  budgets(nowMs: number): Budget[] {
    const seen: Budget[] = [];
    for (const lane of [...this.#places.values()].flatMap(({ lanes }) => lanes)) {
      const shared = this.#sharedBy(lane, nowMs);
      const spent = spentBy(shared);
      const heldUntilMs = heldUntil(shared);
      const isHeld = heldUntilMs > nowMs;
      if (spent === 0 && !isHeld && inFlightOf(shared) === 0) continue;
      seen.push({
        ...lane,
        spent,
        allowed: this.#allowedNow(lane.operation, shared, nowMs),
        limit: limits[lane.operation].perWindow,
        heldUntilMs: isHeld ? heldUntilMs : null,
        heldSinceMs: isHeld ? heldSince(shared, heldUntilMs) : null,
        backoffStep: stepOf(shared),
        reason: reasonOf(isHeld, factorNow(shared, nowMs), lane.operation),
      });
    }
    return seen;
  }

  #placeOf({ endpointId, operation }: Lane): { lanes: Lane[]; uses: Map<string, LaneUse> } {
    const id = `${endpointId}\n${operation}`;
    const place = this.#places.get(id) ?? { lanes: [], uses: new Map<string, LaneUse>() };
    this.#places.set(id, place);
    return place;
  }

  #ownUse(lane: Lane): LaneUse {
    const { lanes, uses } = this.#placeOf(lane);
    const known = uses.get(lane.connectionId);
    if (known !== undefined) return known;
    const use = newLaneUse();
    lanes.push(lane);
    uses.set(lane.connectionId, use);
    return use;
  }

  /** What this connection and every other one of its account did here, as of `nowMs`. */
  #sharedBy(lane: Lane, nowMs: number): LaneUse[] {
    this.#ownUse(lane);
    const account = this.#accountOf(lane.connectionId);
    const shared: LaneUse[] = [];
    for (const [connectionId, use] of this.#placeOf(lane).uses) {
      if (this.#accountOf(connectionId) !== account) continue;
      forgetOld(use, nowMs);
      shared.push(use);
    }
    return shared;
  }

  #allowedNow(operation: GovernedOperation, shared: readonly LaneUse[], nowMs: number): number {
    return atLeastOne(
      limits[operation].perWindow * partOf(operation, this.#parts.share().rateShare) * factorNow(shared, nowMs),
    );
  }

  #concurrentNow(operation: GovernedOperation, shared: readonly LaneUse[], nowMs: number): number {
    return atLeastOne(
      limits[operation].concurrent * partOf(operation, this.#parts.share().concurrencyShare) * factorNow(shared, nowMs),
    );
  }
}

/** A cap of our own is not shared with anyone. */
function partOf(operation: GovernedOperation, part: number): number {
  return limits[operation].isOwnCap === true ? 1 : part;
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count));
}

function reasonOf(isHeld: boolean, factor: number, operation: GovernedOperation): string | null {
  if (isHeld) return `The service answered 429 to ${operation}; waiting before the next try`;
  if (factor < 1) return `Slowed to ${Math.round(factor * 100)} % of its share after a 429`;
  return null;
}

/** What one connection did with one operation of one endpoint. What may be spent is a matter of all of its account. */
interface LaneUse {
  /** Start times inside the window, oldest first, from `head` on. */
  starts: number[];
  head: number;
  inFlight: number;
  /** Part of the share that is used, as it was at `factorAtMs`. */
  factor: number;
  factorAtMs: number;
  heldUntilMs: number;
  /** When the current wait began, or the last one. */
  heldSinceMs: number;
  /** Step of the back-off ladder, 0 when calm. */
  step: number;
}

/** Nothing was done yet. */
function newLaneUse(): LaneUse {
  return { starts: [], head: 0, inFlight: 0, factor: 1, factorAtMs: 0, heldUntilMs: 0, heldSinceMs: 0, step: 0 };
}

/** Requests begun inside the window. */
function spentBy(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { starts, head }) => sum + starts.length - head, 0);
}

/** Requests in progress. */
function inFlightOf(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { inFlight }) => sum + inFlight, 0);
}

/** Until when a 429 to any of them stops all; in the past where none does. */
function heldUntil(shared: readonly LaneUse[]): number {
  return Math.max(...shared.map(({ heldUntilMs }) => heldUntilMs));
}

/** Since when the 429 stops all that does so until `heldUntilMs`. */
function heldSince(shared: readonly LaneUse[], heldUntilMs: number): number {
  return shared.find((use) => use.heldUntilMs === heldUntilMs)?.heldSinceMs ?? 0;
}

/** 429s in a row, whomever they were said to. */
function stepOf(shared: readonly LaneUse[]): number {
  return Math.max(...shared.map(({ step }) => step));
}

/** The part of the share that is used now: the smallest of them, for whichever was answered 429 slows all. */
function factorNow(shared: readonly LaneUse[], nowMs: number): number {
  // Nothing comes back while they are held.
  const heldUntilMs = heldUntil(shared);
  return Math.min(
    ...shared.map((use) => {
      if (use.factor >= 1) return 1;
      const calmMs = Math.max(0, nowMs - Math.max(use.factorAtMs, heldUntilMs));
      return Math.min(1, use.factor + (calmMs / 1_000) * recoveryPerSecond);
    }),
  );
}

/**
 * When the `place`th request from the last one was begun, counted over all of them; null where there are not so many.
 */
function startFromLast(shared: readonly LaneUse[], place: number): number | null {
  const latest = shared.map(({ starts, head }) => starts.slice(Math.max(head, starts.length - place)));
  // One alone is in order already, as nearly all are.
  const [only = []] = latest;
  const starts = latest.length === 1 ? only : latest.flat().toSorted((a, b) => a - b);
  return starts.at(-place) ?? null;
}

/** Takes out what counts no more. */
function forgetOld(use: LaneUse, nowMs: number): void {
  const oldest = nowMs - windowEndsAfterMs;
  while (use.head < use.starts.length && (use.starts[use.head] ?? nowMs) <= oldest) use.head += 1;
  // Moving the head is cheap; the array itself is cut when half of it is past.
  if (use.head > 256 && use.head * 2 > use.starts.length) {
    use.starts = use.starts.slice(use.head);
    use.head = 0;
  }
}
