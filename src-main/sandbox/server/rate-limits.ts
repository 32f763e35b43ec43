import type { Clock } from '../clock.ts';
import { isUnservedOperation, RATE_LIMITS, RATE_WINDOW_MS, UNSERVED_OPERATIONS } from '../specification.ts';
import type { LimitedOperation } from '../specification.ts';

/** What is known of a request before it is routed. */
interface RequestFacts {
  endpointId: string;
  operation: LimitedOperation;
}

/** `release` must be called once, when the request is answered or gone, for limits on concurrency. */
export type Admission =
  | { isAdmitted: true; release: () => void }
  | { isAdmitted: false; retryAfterS: number; reason: string };

/** Decides about every authorised queue request before it is routed, by the rate limits. */
export type Admit = (request: RequestFacts) => Admission;

const ADMITTED: Admission = { isAdmitted: true, release: () => undefined };

/** `limits: 'off'`. */
export const admitEveryone: Admit = () => ADMITTED;

export interface RateLimitOptions {
  clock: Clock;
  /** How many times faster than the client's time the service's time runs. */
  timeScale(): number;
  /** For the dynamic rule. 0 keeps the base limits. */
  requestsPerWorker: number;
  runningWorkers(endpointId: string): number;
}

interface Limit {
  perWindow: number;
  concurrent: number;
}

/** The requests of one operation of one endpoint. */
interface Lane {
  limit: Limit;
  window: SlidingWindow;
  atWork: number;
  /** The same object for every accepted request: a lane counts requests and does not distinguish them. */
  admission: Admission;
}

function nameOf(operation: LimitedOperation): string {
  return isUnservedOperation(operation) ? UNSERVED_OPERATIONS[operation].path : operation;
}

function createLane(limit: Limit): Lane {
  const release = (): void => void (lane.atWork -= 1);
  const lane: Lane = {
    limit,
    window: createSlidingWindow(RATE_WINDOW_MS),
    atWork: 0,
    admission: { isAdmitted: true, release },
  };
  return lane;
}

/**
 * Enforces the table of limits per endpoint and operation: requests in a sliding window of 10 s, and simultaneous
 * requests, including a waiting runsync. Only accepted requests count. The dynamic rule raises the rate; the concurrent
 * limit stays that of the table, because the specification names no other. Spec: Limits; rulings 10, 20, 21.
 */
export function createRateLimits({ clock, timeScale, requestsPerWorker, runningWorkers }: RateLimitOptions): Admit {
  const lanes = new Map<string, Map<LimitedOperation, Lane | null>>();

  function laneOf(endpointId: string, operation: LimitedOperation): Lane | null {
    let endpointLanes = lanes.get(endpointId);
    if (endpointLanes === undefined) lanes.set(endpointId, (endpointLanes = new Map()));
    let lane = endpointLanes.get(operation);
    if (lane === undefined) {
      const limit = RATE_LIMITS[operation];
      endpointLanes.set(operation, (lane = limit === null ? null : createLane(limit)));
    }
    return lane;
  }

  /** Whole seconds of the client's time, because it waits by its own clock, however fast the service's time runs. */
  function inClientSeconds(serviceMs: number): number {
    return Math.max(1, Math.ceil(serviceMs / timeScale() / 1_000));
  }

  return ({ endpointId, operation }) => {
    const lane = laneOf(endpointId, operation);
    if (lane === null) return ADMITTED;
    const nowMs = clock.now();
    const { limit, window } = lane;
    const byWorkers = requestsPerWorker === 0 ? 0 : runningWorkers(endpointId) * requestsPerWorker;
    const perWindow = Math.max(limit.perWindow, byWorkers);
    if (window.count(nowMs) >= perWindow) {
      const limit = `is limited to ${perWindow} requests per 10 seconds`;
      const reason = `${nameOf(operation)} on endpoint ${endpointId} ${limit}.`;
      return { isAdmitted: false, retryAfterS: inClientSeconds(window.untilCountIs(perWindow - 1, nowMs)), reason };
    }
    if (lane.atWork >= limit.concurrent) {
      // It is not known when one of the simultaneous requests will end.
      const reason =
        `${nameOf(operation)} on endpoint ${endpointId} is limited to ${limit.concurrent} requests at the same ` +
        'time.';
      return { isAdmitted: false, retryAfterS: 1, reason };
    }
    window.add(nowMs);
    lane.atWork += 1;
    return lane.admission;
  };
}

/** Counts exactly how many events there were in the last `windowMs`. Its memory depends on the highest count so far. */
export interface SlidingWindow {
  /** The events of the last `windowMs`. One that is exactly `windowMs` old does not count. */
  count(nowMs: number): number;
  add(nowMs: number): void;
  /** Milliseconds until at most `maxCount` of the events are left. 0 if that is true now. */
  untilCountIs(maxCount: number, nowMs: number): number;
}

const FIRST_CAPACITY = 16;

/** A ring of times in order: every event is written once and skipped once, nothing is moved. */
export function createSlidingWindow(windowMs: number): SlidingWindow {
  let times = new Float64Array(FIRST_CAPACITY);
  let head = 0;
  let size = 0;

  function at(index: number): number {
    return times[(head + index) % times.length] ?? 0;
  }

  function forgetOld(nowMs: number): void {
    while (size > 0 && at(0) <= nowMs - windowMs) {
      head = (head + 1) % times.length;
      size -= 1;
    }
  }

  function grow(): void {
    const larger = new Float64Array(times.length * 2);
    for (let index = 0; index < size; index += 1) larger[index] = at(index);
    times = larger;
    head = 0;
  }

  return {
    count: (nowMs) => {
      forgetOld(nowMs);
      return size;
    },
    add: (nowMs) => {
      forgetOld(nowMs);
      if (size === times.length) grow();
      times[(head + size) % times.length] = nowMs;
      size += 1;
    },
    untilCountIs: (maxCount, nowMs) => {
      forgetOld(nowMs);
      return size <= maxCount ? 0 : at(size - maxCount - 1) + windowMs - nowMs;
    },
  };
}
