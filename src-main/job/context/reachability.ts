import type { Closure } from '../../../src-preload/app.ts';
import type { ConnectionState } from '../../../src-preload/connection.ts';
import { failed, ok, type Result, type ServiceFailure } from '../../../src-preload/failure.ts';
import { backoffMs, type Lane } from '../../service/rate-governor.ts';
import { createClosures, nextTryAfterMs, type Closures, type Refusal } from './closures.ts';
import type { Door, Gateway } from '../schedule/plan.ts';

/** Failures in a row, without any answer between them, after which a connection counts as unreachable. */
const failuresUntilOffline = 3;

/** As everybody sees it. Here the next try is always known. */
type State =
  | Extract<ConnectionState, { kind: 'ready' | 'no-key' }>
  | (Extract<ConnectionState, { kind: 'key-refused' | 'offline' }> & { nextTryMs: number });

interface Standing {
  state: State;
  failures: number;
  /** Probes that failed in a row: the step of the back-off. */
  probes: number;
  /** A request is in progress; it matters where only one may be. */
  isProbing: boolean;
  probedAtMs: number;
  /** A request was refused then, and none was taken since. */
  refusedAtMs: number | null;
  /** Answers to requests that left before this belong to a former key. */
  changedAtMs: number;
}

export interface ReachabilityParts {
  now: () => number;
  random: () => number;
  onChange: (connectionId: string, state: ConnectionState) => void;
  /** An operation of an endpoint closed or opened. */
  onClosures: () => void;
  /** An operation was refused that was taken until now: a read of another one tells whether it is the key. */
  onRefused: (lane: Lane) => void;
}

/**
 * What stands between us and each connection, learned from how its requests end.
 *
 * An unreachable connection is tried again on its own with a single request at a time, at full-jitter back-off (ruling
 * 10), however many jobs wait behind it. A refusal closes one operation of one endpoint; the whole connection counts
 * as refused only when whatever was asked since was refused too, and opens with the first request that is taken
 * (ruling 35).
 */
export class Reachability {
  readonly #parts: ReachabilityParts;
  readonly #standings = new Map<string, Standing>();
  readonly #closures: Closures;

  constructor(parts: ReachabilityParts) {
    this.#parts = parts;
    this.#closures = createClosures({ now: this.#parts.now, onChange: this.#parts.onClosures });
  }

  /** What the schedule may send to a connection now: open, closed, offline with its next probe, or refused. */
  gateway(connectionId: string): Gateway {
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

  /** What stands before a request of this lane alone; null where nothing does. */
  door(lane: Lane): Door | null {
    return this.#closures.door(lane);
  }

  /** Whether somebody's own request may leave now: what is refused is tried once, when its time has come. */
  mayAsk(lane: Lane): Result<null> {
    const { state, isProbing } = this.#of(lane.connectionId);
    const isClosed = state.kind === 'key-refused' && (isProbing || state.nextTryMs > this.#parts.now());
    if (isClosed) return notSent('the key of this connection', state.httpStatus);
    const closure = this.#closures.of(lane);
    if (closure === null || (closure.nextTryMs !== null && closure.nextTryMs <= this.#parts.now())) return ok(null);
    return notSent(`${lane.operation} for this endpoint`, closure.httpStatus);
  }

  /** What talking to a connection showed last; `ready` where nothing is known. */
  state(connectionId: string): ConnectionState {
    return this.#of(connectionId).state;
  }

  /** All connections something is known of. */
  all(): { connectionId: string; state: ConnectionState }[] {
    return [...this.#standings].map(([connectionId, { state }]) => ({ connectionId, state }));
  }

  /** Operations that are refused on connections whose key is taken elsewhere. */
  closures(): Closure[] {
    return this.#closures.all().filter(({ connectionId }) => this.#of(connectionId).state.kind !== 'key-refused');
  }

  /** A request leaves; while offline or refused it is the probe. */
  asked(lane: Lane): void {
    const standing = this.#of(lane.connectionId);
    this.#closures.asked(lane);
    standing.isProbing = true;
    standing.probedAtMs = this.#parts.now();
  }

  /** The service answered in a way that says nothing about the key: an error of its own, or a page of a proxy. */
  answered(lane: Lane): void {
    this.#closures.released(lane);
    const standing = this.#heard(lane);
    this.#probeAgain(lane.connectionId, standing);
  }

  /** The service took the key. */
  taken(lane: Lane): void {
    const standing = this.#heard(lane);
    standing.refusedAtMs = null;
    this.#closures.taken(lane);
    if (standing.state.kind !== 'key-refused') return;
    standing.probes = 0;
    // They may have been refused for the same reason.
    this.#closures.tryNow(lane.connectionId);
    this.#become(lane.connectionId, { kind: 'ready' });
  }

  /** 401 or 403 to a request that left at `askedAtMs`: closes its lane, and the connection only as ruling 35 has it. */
  keyRefused(lane: Lane, refusal: Refusal, askedAtMs: number): void {
    const { connectionId } = lane;
    const standing = this.#of(connectionId);
    if (askedAtMs < standing.changedAtMs) {
      this.#closures.released(lane);
      standing.isProbing = false;
      return;
    }
    const wasProbing = standing.isProbing;
    this.#heard(lane);
    const wasOpen = this.#closures.refused(lane, refusal);
    if (standing.state.kind === 'key-refused') {
      if (wasProbing) this.#probeAgain(connectionId, standing);
      return;
    }
    // A lane that was closed before says nothing of the others.
    if (!wasOpen) return;
    if (standing.refusedAtMs === null) {
      standing.refusedAtMs = this.#parts.now();
      this.#parts.onRefused(lane);
    } else if (askedAtMs >= standing.refusedAtMs) {
      standing.probes = 0;
      const { httpStatus, path } = refusal;
      this.#become(connectionId, {
        kind: 'key-refused',
        httpStatus,
        path,
        sinceMs: standing.refusedAtMs,
        nextTryMs: this.#parts.now() + nextTryAfterMs(0),
      });
    }
  }

  /** The connection has no key: nothing is sent until it gets one. */
  noKey(connectionId: string): void {
    if (this.#of(connectionId).state.kind !== 'no-key') this.#become(connectionId, { kind: 'no-key' });
  }

  /** The request announced by `asked` was never sent, or was cancelled: it says nothing. */
  released(lane: Lane): void {
    this.#of(lane.connectionId).isProbing = false;
    this.#closures.released(lane);
  }

  /** No answer. */
  unanswered(lane: Lane, failure: ServiceFailure): void {
    const { connectionId } = lane;
    this.#closures.released(lane);
    const standing = this.#of(connectionId);
    const nowMs = this.#parts.now();
    const wasProbing = standing.isProbing;
    standing.isProbing = false;
    standing.failures += 1;
    if (standing.state.kind === 'no-key') return;
    if (standing.state.kind === 'key-refused') {
      if (wasProbing) this.#probeAgain(connectionId, standing);
      return;
    }
    if (standing.state.kind === 'offline') {
      // Requests that were in progress when it went offline say nothing new.
      if (!wasProbing) return;
      standing.probes += 1;
      this.#become(connectionId, {
        ...standing.state,
        nextTryMs: nowMs + backoffMs(standing.probes, this.#parts.random),
        message: failure.message,
      });
      return;
    }
    // One reset may be the job's own bad luck; a refused connection is everyone's.
    if (failure.mayHaveArrived && standing.failures < failuresUntilOffline) return;
    standing.probes = 0;
    this.#become(connectionId, {
      kind: 'offline',
      sinceMs: nowMs,
      nextTryMs: nowMs + backoffMs(0, this.#parts.random),
      message: failure.message,
    });
  }

  /** The key or the address changed, or a test passed: all is open again. */
  reset(connectionId: string): void {
    this.#closures.forget(connectionId);
    this.#standings.set(connectionId, newStanding(this.#parts.now()));
    this.#parts.onChange(connectionId, { kind: 'ready' });
  }

  /** The connection was removed. */
  forget(connectionId: string): void {
    this.#closures.forget(connectionId);
    this.#standings.delete(connectionId);
  }

  /** Probes every unreachable or refused connection, and tries everything that is closed, at once. */
  tryNow(): void {
    this.#closures.tryNow();
    for (const [connectionId, { state, isProbing }] of this.#standings) {
      if ((state.kind === 'offline' || state.kind === 'key-refused') && !isProbing)
        this.#become(connectionId, { ...state, nextTryMs: this.#parts.now() });
    }
  }

  #of(connectionId: string): Standing {
    let standing = this.#standings.get(connectionId);
    if (standing === undefined) this.#standings.set(connectionId, (standing = newStanding(0)));
    return standing;
  }

  #become(connectionId: string, state: State): void {
    this.#of(connectionId).state = state;
    this.#parts.onChange(connectionId, state);
  }

  /** Whatever it said, it is there. */
  #heard({ connectionId }: Lane): Standing {
    const standing = this.#of(connectionId);
    standing.failures = 0;
    standing.isProbing = false;
    if (standing.state.kind === 'offline') {
      standing.probes = 0;
      this.#become(connectionId, { kind: 'ready' });
    }
    return standing;
  }

  #probeAgain(connectionId: string, standing: Standing): void {
    if (standing.state.kind !== 'key-refused') return;
    standing.probes += 1;
    this.#become(connectionId, { ...standing.state, nextTryMs: this.#parts.now() + nextTryAfterMs(standing.probes) });
  }
}

function newStanding(changedAtMs: number): Standing {
  return {
    state: { kind: 'ready' },
    failures: 0,
    probes: 0,
    isProbing: false,
    probedAtMs: 0,
    refusedAtMs: null,
    changedAtMs,
  };
}

function notSent(what: string, httpStatus: number): Result<null> {
  const message =
    `Nothing was sent: the service refuses ${what} (${httpStatus}) right now. Jobdeck will try again ` +
    'automatically; "Try now" does it immediately.';
  return failed({ kind: 'refused', message });
}
