import type { Closure, ReachedConnection } from '../../../src-preload/app.ts';
import type { ConnectionState } from '../../../src-preload/connection.ts';
import { failed, ok, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import { backoffMs } from '../../../src-preload/backoff.ts';
import type { Lane } from '../../service/rate-governor.ts';
import { createClosures, nextTryAfterMs, type Closures, type Refusal } from './closures.ts';
import type { PlannedClosure, ConnectionAccess } from '../schedule/plan.ts';
import { laneId } from '../schedule/request-candidate.ts';
import { nothingSentText } from '../../messages/job.ts';

/** A connection counts as unreachable after this many failures in a row without any answer. */
const failuresUntilOffline = 3;

/** The public state, in which the next try is always known. */
type State =
  | Extract<ConnectionState, { kind: 'ready' | 'no-key' }>
  | (Extract<ConnectionState, { kind: 'key-refused' | 'offline' }> & { nextTryMs: number });

interface ReachState {
  state: State;
  failures: number;
  /** Failed probes in a row: the step of the back-off. */
  probes: number;
  /** The one request that is allowed is in progress. */
  isProbing: boolean;
  probedAtMs: number;
  /** It answered in this run, and the last request that ended was answered. */
  isAnswering: boolean;
  /** The first request that was refused since one was accepted. Null: none was. */
  firstRefusal: { lane: Lane; atMs: number } | null;
  /** Answers to requests that left before this belong to a former key. */
  changedAtMs: number;
  /** When a request that the service accepted was last answered. */
  acceptedAtMs: number | null;
}

export interface ReachabilityParts {
  now: () => number;
  random: () => number;
  onChange: (connectionId: string, state: ConnectionState) => void;
  /** An operation of an endpoint closed or opened. */
  onClosures: () => void;
  /** An operation was refused that was accepted before. A read of another one shows whether it is the key. */
  onRefused: (lane: Lane) => void;
}

/**
 * What keeps us from reaching each connection, learned from how its requests end.
 *
 * An unreachable connection is tried automatically with a single request at a time, with full-jitter back-off (ruling
 * 10), however many jobs are waiting. A refusal closes one operation of one endpoint. The connection as a whole counts
 * as refused only if all requests since were refused too, and it is open again with the first accepted request (ruling
 * 35).
 */
export class Reachability {
  readonly #parts: ReachabilityParts;
  readonly #reachStates = new Map<string, ReachState>();
  readonly #closures: Closures;

  constructor(parts: ReachabilityParts) {
    this.#parts = parts;
    this.#closures = createClosures({ now: this.#parts.now, onChange: this.#parts.onClosures });
  }

  /** What the schedule may send to a connection now: open, closed, offline with its next probe, or refused. */
  access(connectionId: string): ConnectionAccess {
    const { state, isProbing, probedAtMs, probes } = this.#of(connectionId);
    switch (state.kind) {
      case 'ready':
        return { kind: 'open' };
      case 'offline':
        return { kind: 'offline', probeAtMs: state.nextTryMs, probedAtMs, isProbing };
      case 'key-refused':
        return { kind: 'refused', probeAtMs: state.nextTryMs, probedAtMs, isProbing, isByHealth: probes % 2 === 0 };
      case 'no-key':
        return { kind: 'closed' };
    }
  }

  /**
   * When the last request left to a connection that has not answered in this run, or not to the last request; 0 if none
   * left. Null: it answers.
   */
  triedAtMs(connectionId: string): number | null {
    // Only read: a connection that was removed is not known again.
    const reach = this.#reachStates.get(connectionId);
    if (reach === undefined) return 0;
    return reach.isAnswering ? null : reach.probedAtMs;
  }

  /** What restricts requests of this lane alone, or null. */
  closure(lane: Lane): PlannedClosure | null {
    return this.#closures.closure(lane);
  }

  /** Whether a request of the user may leave now. A refused operation is tried once when it is due. */
  maySend(lane: Lane): Result<null> {
    const { state, isProbing } = this.#of(lane.connectionId);
    const isClosed = state.kind === 'key-refused' && (isProbing || state.nextTryMs > this.#parts.now());
    if (isClosed) return notSent(nothingSentText.keyRefused(state.httpStatus));
    const closure = this.#closures.of(lane);
    if (closure === null || (closure.nextTryMs !== null && closure.nextTryMs <= this.#parts.now())) return ok(null);
    return notSent(nothingSentText.operationRefused(lane.operation, closure.httpStatus));
  }

  /** What the last request to a connection showed. `ready` if nothing is known. */
  state(connectionId: string): ConnectionState {
    return this.#of(connectionId).state;
  }

  /** All connections of which something is known. */
  all(): ReachedConnection[] {
    return [...this.#reachStates].map(([connectionId, { state, acceptedAtMs }]) => ({
      connectionId,
      state,
      lastSyncAtMs: acceptedAtMs,
    }));
  }

  /** Refused operations of connections whose key is accepted elsewhere. */
  closures(): Closure[] {
    return this.#closures.all().filter(({ connectionId }) => this.#of(connectionId).state.kind !== 'key-refused');
  }

  /** A request leaves. While offline or refused it is the probe. */
  sent(lane: Lane): void {
    const reach = this.#of(lane.connectionId);
    this.#closures.sent(lane);
    reach.isProbing = true;
    reach.probedAtMs = this.#parts.now();
  }

  /** The service answered without saying anything about the key: an error, or a page of a proxy. */
  answered(lane: Lane): void {
    this.#closures.released(lane);
    const reach = this.#heard(lane);
    this.#probeAgain(lane.connectionId, reach);
  }

  /** The service accepted the key. */
  accepted(lane: Lane): void {
    const reach = this.#heard(lane);
    reach.acceptedAtMs = this.#parts.now();
    reach.firstRefusal = null;
    this.#closures.accepted(lane);
    if (reach.state.kind !== 'key-refused') return;
    reach.probes = 0;
    // They may have been refused for the same reason.
    this.#closures.tryNow(lane.connectionId);
    this.#become(lane.connectionId, { kind: 'ready' });
  }

  /** 401 or 403 to a request that left at `requestedAtMs`. Closes its lane, and the connection only under ruling 35. */
  keyRefused(lane: Lane, refusal: Refusal, requestedAtMs: number): void {
    const { connectionId } = lane;
    const reach = this.#of(connectionId);
    if (requestedAtMs < reach.changedAtMs) {
      this.#closures.released(lane);
      reach.isProbing = false;
      return;
    }
    const wasProbing = reach.isProbing;
    this.#heard(lane);
    const wasOpen = this.#closures.refused(lane, refusal);
    if (reach.state.kind === 'key-refused') {
      if (wasProbing) this.#probeAgain(connectionId, reach);
      return;
    }
    const { firstRefusal: first } = reach;
    if (first === null) {
      // A lane that was closed before says nothing about the others.
      if (!wasOpen) return;
      reach.firstRefusal = { lane, atMs: this.#parts.now() };
      this.#parts.onRefused(lane);
    } else if (requestedAtMs >= first.atMs && (wasOpen || this.#hasClosedWith(first, lane))) {
      reach.probes = 0;
      const { httpStatus, path } = refusal;
      this.#become(connectionId, {
        kind: 'key-refused',
        httpStatus,
        path,
        sinceMs: first.atMs,
        nextTryMs: this.#parts.now() + nextTryAfterMs(0),
      });
    }
  }

  /** Both were refused while the other was on its way, so that only a later try of this one says that it is the key. */
  #hasClosedWith(first: { lane: Lane; atMs: number }, lane: Lane): boolean {
    const closure = this.#closures.of(lane);
    return closure !== null && closure.sinceMs >= first.atMs && laneId(lane) !== laneId(first.lane);
  }

  /** The connection has no key. Nothing is sent until it has one. */
  noKey(connectionId: string): void {
    if (this.#of(connectionId).state.kind !== 'no-key') this.#become(connectionId, { kind: 'no-key' });
  }

  /** The request reported by `sent` was not sent, or was cancelled, so it says nothing. */
  released(lane: Lane): void {
    this.#of(lane.connectionId).isProbing = false;
    this.#closures.released(lane);
  }

  /** No answer. */
  unanswered(lane: Lane, failure: ServiceFailure): void {
    const { connectionId } = lane;
    this.#closures.released(lane);
    const reach = this.#of(connectionId);
    const nowMs = this.#parts.now();
    const wasProbing = reach.isProbing;
    reach.isProbing = false;
    reach.isAnswering = false;
    reach.failures += 1;
    if (reach.state.kind === 'no-key') return;
    if (reach.state.kind === 'key-refused') {
      if (wasProbing) this.#probeAgain(connectionId, reach);
      return;
    }
    if (reach.state.kind === 'offline') {
      // Requests that were in progress when the connection went offline say nothing new.
      if (!wasProbing) return;
      reach.probes += 1;
      this.#become(connectionId, {
        ...reach.state,
        nextTryMs: nowMs + backoffMs(reach.probes, this.#parts.random),
        message: failure.message,
      });
      return;
    }
    // A reset may concern a single job. A refused connection concerns all.
    if (failure.mayHaveArrived && reach.failures < failuresUntilOffline) return;
    reach.probes = 0;
    this.#become(connectionId, {
      kind: 'offline',
      sinceMs: nowMs,
      nextTryMs: nowMs + backoffMs(0, this.#parts.random),
      message: failure.message,
    });
  }

  /** The key or the address changed, or a test passed, so everything is open again. */
  reset(connectionId: string): void {
    this.#closures.forget(connectionId);
    const { acceptedAtMs } = this.#of(connectionId);
    this.#reachStates.set(connectionId, { ...newReachState(this.#parts.now()), acceptedAtMs });
    this.#parts.onChange(connectionId, { kind: 'ready' });
  }

  /** The connection was removed. */
  forget(connectionId: string): void {
    this.#closures.forget(connectionId);
    this.#reachStates.delete(connectionId);
  }

  /** Probes every unreachable or refused connection, and tries everything that is closed, immediately. */
  tryNow(): void {
    this.#closures.tryNow();
    for (const [connectionId, { state, isProbing }] of this.#reachStates) {
      if ((state.kind === 'offline' || state.kind === 'key-refused') && !isProbing)
        this.#become(connectionId, { ...state, nextTryMs: this.#parts.now() });
    }
  }

  #of(connectionId: string): ReachState {
    let reach = this.#reachStates.get(connectionId);
    if (reach === undefined) this.#reachStates.set(connectionId, (reach = newReachState(0)));
    return reach;
  }

  #become(connectionId: string, state: State): void {
    this.#of(connectionId).state = state;
    this.#parts.onChange(connectionId, state);
  }

  /** Any answer shows that the service is reachable. */
  #heard({ connectionId }: Lane): ReachState {
    const reach = this.#of(connectionId);
    reach.failures = 0;
    reach.isProbing = false;
    reach.isAnswering = true;
    if (reach.state.kind === 'offline') {
      reach.probes = 0;
      this.#become(connectionId, { kind: 'ready' });
    }
    return reach;
  }

  #probeAgain(connectionId: string, reach: ReachState): void {
    if (reach.state.kind !== 'key-refused') return;
    reach.probes += 1;
    this.#become(connectionId, { ...reach.state, nextTryMs: this.#parts.now() + nextTryAfterMs(reach.probes) });
  }
}

function newReachState(changedAtMs: number): ReachState {
  return {
    state: { kind: 'ready' },
    failures: 0,
    probes: 0,
    isProbing: false,
    probedAtMs: 0,
    isAnswering: false,
    firstRefusal: null,
    changedAtMs,
    acceptedAtMs: null,
  };
}

function notSent(message: string): Result<null> {
  return failed({ kind: 'refused', message });
}
