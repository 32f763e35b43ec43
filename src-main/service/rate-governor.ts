import { rateLimits } from '../../src-preload/rate-limits.ts';
import { healthGapMs } from './health-reads.ts';
import { backoffMs } from '../../src-preload/backoff.ts';
import type { Budget } from '../../src-preload/app.ts';
import type { QueueOperation } from './reply.ts';
import { maxRetryAfterMs } from './reply-failure.ts';
import { rateText } from '../messages/service/requests.ts';

/** Limits are per user, endpoint and operation (spec: Limits), so each of these has a budget. */
export interface Lane {
  connectionId: string;
  endpointId: string;
  operation: QueueOperation;
}

/** How a request ended. */
export type LaneOutcome =
  | { kind: 'answered' }
  | { kind: 'rate-limited'; retryAfterMs: number | null }
  /** No answer, or one that says nothing about the rate. */
  | { kind: 'failed' };

/** How many requests may begin on a lane now, and when to ask again (null: when one in progress has ended). */
export interface Room {
  free: number;
  nextAtMs: number | null;
}

/** Gives a place back. A second call does nothing. */
export type Release = () => void;

export interface RateShare {
  /** Share of the base rate limit, 0.01 to 1 (ruling 21). */
  rateShare: number;
  /** Share of the concurrent limit, 0.01 to 1 (ruling 21). */
  concurrencyShare: number;
}

interface Limit {
  perWindow: number;
  concurrent: number;
  /** Our own limit if the specification has none (ruling 20). It is not shared with anyone. */
  isOwnCap?: true;
  /** Least time between two requests. */
  gapMs?: number;
}

/**
 * The service's limits, and ours where it has none (ruling 20): retry as cancel, health once a second for each
 * endpoint, and one purge at a time.
 */
const limits: Record<QueueOperation, Limit> = {
  ...rateLimits,
  retry: rateLimits.cancel,
  'purge-queue': { perWindow: 2, concurrent: 1 },
  health: { perWindow: 10, concurrent: 1, isOwnCap: true, gapMs: healthGapMs },
};

/** A limit applies to any ten seconds (spec: Limits; ruling 21). */
const windowMs = 10_000;
/** Requests sent evenly arrive unevenly, so our window is this much longer than the service's. */
const jitterMs = 250;
/** A request no longer counts this long after it began. */
const windowEndsAfterMs = windowMs + jitterMs;
/** The allowance recovers by this part of the share per second. */
const recoveryPerSecond = 0.01;

/** A 429 halves the allowance, of the rate and of simultaneous requests, down to this part of the share. */
const minFactor = 1 / 32;

/**
 * The wait after the `step` + 1st 429 in a row: what the service requests, up to a day, but never less than the
 * back-off (ruling 10).
 */
export function waitAfter429Ms(retryAfterMs: number | null, step: number, random: () => number): number {
  return Math.max(Math.min(retryAfterMs ?? 0, maxRetryAfterMs), backoffMs(step, random));
}

export interface RateGovernorParts {
  /** Read at each use, so that a changed setting applies immediately. */
  share: () => RateShare;
  random: () => number;
  /**
   * The account whose limits a connection uses: connections with the same account share them (ruling 42). Called at
   * each use, because it may become known late; what was used before counts from then on. Without it each connection is
   * an account.
   */
  accountOf?: (connectionId: string) => string;
}

/**
 * Keeps every endpoint and operation within our share of the service's limit (rulings 20 and 21), in any ten seconds
 * and at any moment. Deterministic: time and randomness are passed in, and there are no timers.
 */
export class RateGovernor {
  readonly #parts: RateGovernorParts;
  readonly #accountOf: NonNullable<RateGovernorParts['accountOf']>;
  /** By endpoint and operation. */
  readonly #usesByEndpoint = new Map<string, { lanes: Lane[]; uses: Map<string, LaneUse> }>();

  constructor(parts: RateGovernorParts) {
    this.#parts = parts;
    this.#accountOf = parts.accountOf ?? ((connectionId) => connectionId);
  }

  /** How many requests may begin at `nowMs`, and when to ask again. */
  room(lane: Lane, nowMs: number): Room {
    const shared = this.#sharedBy(lane, nowMs);
    const heldUntilMs = heldUntil(shared);
    if (heldUntilMs > nowMs) return { free: 0, nextAtMs: heldUntilMs };
    const allowed = this.#allowedNow(lane.operation, shared, nowMs) - reservedBy(shared);
    if (allowed <= 0) return { free: 0, nextAtMs: null };
    const spent = spentBy(shared);
    if (spent >= allowed) {
      // The smaller the allowance, the fewer requests back is the one whose end makes room.
      return { free: 0, nextAtMs: (startFromLast(shared, allowed) ?? nowMs) + windowEndsAfterMs };
    }
    const concurrent = this.#concurrentNow(lane.operation, shared, nowMs) - placesTaken(shared);
    if (concurrent <= 0) return { free: 0, nextAtMs: null };
    const { gapMs } = limits[lane.operation];
    if (gapMs === undefined) return { free: Math.min(allowed - spent, concurrent), nextAtMs: nowMs };
    const last = startFromLast(shared, 1);
    const gapEndsAtMs = last === null ? nowMs : last + gapMs;
    return gapEndsAtMs > nowMs ? { free: 0, nextAtMs: gapEndsAtMs } : { free: 1, nextAtMs: nowMs };
  }

  /** How many requests may begin in any ten seconds, as of `nowMs`. */
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

  /**
   * Takes the place of a request that is journalled before it begins. Null when there is none. Give it back immediately
   * before `begin`, or when nothing is to be sent.
   */
  reserve(lane: Lane, nowMs: number): Release | null {
    return this.room(lane, nowMs).free === 0 ? null : takePlace(this.#ownUse(lane), 'reserved');
  }

  /**
   * Takes the place of a request that has ended while its answer is being saved. It counts as simultaneous only: so no
   * more requests than may be simultaneous are without a saved outcome.
   */
  holdWhileSaving(lane: Lane): Release {
    return takePlace(this.#ownUse(lane), 'unsaved');
  }

  /** Releases the place and learns from the outcome. A 429 slows the whole lane (ruling 10). */
  end(lane: Lane, outcome: LaneOutcome, nowMs: number): void {
    const shared = this.#sharedBy(lane, nowMs);
    const use = this.#ownUse(lane);
    use.inFlight = Math.max(0, use.inFlight - 1);
    const isHeld = heldUntil(shared) > nowMs;
    if (outcome.kind === 'answered' && !isHeld) for (const each of shared) each.step = 0;
    if (outcome.kind !== 'rate-limited') return;
    // Several 429s of one burst are one event: only the first halves the allowance.
    if (!isHeld) {
      use.factor = Math.max(minFactor, factorNow(shared, nowMs) / 2);
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
    for (const lane of [...this.#usesByEndpoint.values()].flatMap(({ lanes }) => lanes)) {
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

  #usesOf({ endpointId, operation }: Lane): { lanes: Lane[]; uses: Map<string, LaneUse> } {
    const id = `${endpointId}\n${operation}`;
    const uses = this.#usesByEndpoint.get(id) ?? { lanes: [], uses: new Map<string, LaneUse>() };
    this.#usesByEndpoint.set(id, uses);
    return uses;
  }

  #ownUse(lane: Lane): LaneUse {
    const { lanes, uses } = this.#usesOf(lane);
    const known = uses.get(lane.connectionId);
    if (known !== undefined) return known;
    const use = newLaneUse();
    // Not the object itself: a caller may pass a whole job, and this stays in memory and is sent to windows.
    const { connectionId, endpointId, operation } = lane;
    lanes.push({ connectionId, endpointId, operation });
    uses.set(lane.connectionId, use);
    return use;
  }

  /** The use of this lane by all connections of its account, as of `nowMs`. */
  #sharedBy(lane: Lane, nowMs: number): LaneUse[] {
    this.#ownUse(lane);
    const account = this.#accountOf(lane.connectionId);
    const shared: LaneUse[] = [];
    for (const [connectionId, use] of this.#usesOf(lane).uses) {
      if (this.#accountOf(connectionId) !== account) continue;
      forgetOld(use, nowMs);
      shared.push(use);
    }
    return shared;
  }

  #allowedNow(operation: QueueOperation, shared: readonly LaneUse[], nowMs: number): number {
    return atLeastOne(
      limits[operation].perWindow * partOf(operation, this.#parts.share().rateShare) * factorNow(shared, nowMs),
    );
  }

  #concurrentNow(operation: QueueOperation, shared: readonly LaneUse[], nowMs: number): number {
    return atLeastOne(
      limits[operation].concurrent * partOf(operation, this.#parts.share().concurrencyShare) * factorNow(shared, nowMs),
    );
  }
}

/** Our own limit is not shared with anyone. */
function partOf(operation: QueueOperation, part: number): number {
  return limits[operation].isOwnCap === true ? 1 : part;
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count));
}

function reasonOf(isHeld: boolean, factor: number, operation: QueueOperation): string | null {
  if (isHeld) return rateText.heldAfter429(operation);
  if (factor < 1) return rateText.slowedAfter429(factor);
  return null;
}

/** One connection's use of one operation of one endpoint. The budget belongs to its whole account. */
interface LaneUse {
  /** Start times inside the window, oldest first, from `head` on. */
  starts: number[];
  head: number;
  inFlight: number;
  /** Places of requests that are about to begin. */
  reserved: number;
  /** Places of answers that are being saved. */
  unsaved: number;
  /** The part of the share that is used, as of `factorAtMs`. */
  factor: number;
  factorAtMs: number;
  heldUntilMs: number;
  /** When the current wait began, or the last one. */
  heldSinceMs: number;
  /** The step of the back-off. 0 without one. */
  step: number;
}

/** Nothing was done yet. */
function newLaneUse(): LaneUse {
  return {
    starts: [],
    head: 0,
    inFlight: 0,
    reserved: 0,
    unsaved: 0,
    factor: 1,
    factorAtMs: 0,
    heldUntilMs: 0,
    heldSinceMs: 0,
    step: 0,
  };
}

/** Requests begun inside the window. */
function spentBy(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { starts, head }) => sum + starts.length - head, 0);
}

/** Requests in progress. */
function inFlightOf(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { inFlight }) => sum + inFlight, 0);
}

/** Requests that are about to begin. */
function reservedBy(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { reserved }) => sum + reserved, 0);
}

/** Requests in progress, about to begin, or with an answer that is not saved yet. */
function placesTaken(shared: readonly LaneUse[]): number {
  return shared.reduce((sum, { inFlight, reserved, unsaved }) => sum + inFlight + reserved + unsaved, 0);
}

function takePlace(use: LaneUse, kind: 'reserved' | 'unsaved'): Release {
  let isTaken = true;
  use[kind] += 1;
  return () => {
    if (isTaken) use[kind] -= 1;
    isTaken = false;
  };
}

/** Until when a 429 to any of them holds all. In the past if none does. */
function heldUntil(shared: readonly LaneUse[]): number {
  return Math.max(...shared.map(({ heldUntilMs }) => heldUntilMs));
}

/** Since when the 429 stops all that does so until `heldUntilMs`. */
function heldSince(shared: readonly LaneUse[], heldUntilMs: number): number {
  return shared.find((use) => use.heldUntilMs === heldUntilMs)?.heldSinceMs ?? 0;
}

/** 429s in a row, to any of them. */
function stepOf(shared: readonly LaneUse[]): number {
  return Math.max(...shared.map(({ step }) => step));
}

/** The part of the share that is used now: the smallest of them, because a 429 to any of them slows all. */
function factorNow(shared: readonly LaneUse[], nowMs: number): number {
  // Nothing recovers while they are held.
  const heldUntilMs = heldUntil(shared);
  return Math.min(
    ...shared.map((use) => {
      if (use.factor >= 1) return 1;
      const calmMs = Math.max(0, nowMs - Math.max(use.factorAtMs, heldUntilMs));
      return Math.min(1, use.factor + (calmMs / 1_000) * recoveryPerSecond);
    }),
  );
}

/** When the `nth` request from the last one began, counted over all of them. Null if there are fewer. */
function startFromLast(shared: readonly LaneUse[], nth: number): number | null {
  const latest = shared.map(({ starts, head }) => starts.slice(Math.max(head, starts.length - nth)));
  // A single list, as in nearly all cases, is in order already.
  const [only = []] = latest;
  const starts = latest.length === 1 ? only : latest.flat().toSorted((a, b) => a - b);
  return starts.at(-nth) ?? null;
}

/** Drops requests that no longer count. */
function forgetOld(use: LaneUse, nowMs: number): void {
  const oldest = nowMs - windowEndsAfterMs;
  while (use.head < use.starts.length && (use.starts[use.head] ?? nowMs) <= oldest) use.head += 1;
  // Moving the head is fast. The array itself is cut when half of it is past.
  if (use.head > 256 && use.head * 2 > use.starts.length) {
    use.starts = use.starts.slice(use.head);
    use.head = 0;
  }
}
