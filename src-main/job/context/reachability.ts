import type { Closure } from '../../../src-preload/app.ts';
import type { ConnectionState } from '../../../src-preload/connection.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Result, ServiceFailure } from '../../../src-preload/failure.ts';
import { backoffMs } from '../../service/rate-governor.ts';
import type { Lane } from '../../service/rate-governor.ts';
import { createClosures, nextTryAfterMs } from './closures.ts';
import type { Refusal } from './closures.ts';
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
  /** A request is under way; it matters where only one may be. */
  isProbing: boolean;
  probedAtMs: number;
  /** A request was refused then, and none was taken since. */
  refusedAtMs: number | null;
  /** Answers to requests that left before this belong to a former key. */
  changedAtMs: number;
}

/** What stands between us and each connection, learned from how its requests end. */
export interface Reachability {
  gateway(connectionId: string): Gateway;
  /** What stands before a request of this lane alone; null where nothing does. */
  door(lane: Lane): Door | null;
  /** Whether somebody's own request may leave now: what is refused is tried once, when its time has come. */
  mayAsk(lane: Lane): Result<null>;
  state(connectionId: string): ConnectionState;
  /** All connections something is known of. */
  all(): { connectionId: string; state: ConnectionState }[];
  /** Operations that are refused on connections whose key is taken elsewhere. */
  closures(): Closure[];
  /** A request leaves; while offline or refused it is the probe. */
  asked(lane: Lane): void;
  /** The service answered in a way that says nothing about the key: an error of its own, or a page of a proxy. */
  answered(lane: Lane): void;
  /** The service took the key. */
  taken(lane: Lane): void;
  /** 401 or 403 to a request that left at `askedAtMs`: closes its lane, and the connection only as ruling 35 has it. */
  keyRefused(lane: Lane, refusal: Refusal, askedAtMs: number): void;
  noKey(connectionId: string): void;
  /** The request that `asked` told of was never sent, or called off: it tells nothing. */
  released(lane: Lane): void;
  /** No answer. */
  unanswered(lane: Lane, failure: ServiceFailure): void;
  /** The key or the address changed, or a test passed: all is open again. */
  reset(connectionId: string): void;
  /** The connection was removed. */
  forget(connectionId: string): void;
  /** Probes every unreachable or refused connection, and tries everything that is closed, at once. */
  tryNow(): void;
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
 * An unreachable connection is tried again on its own with a single request at a time, at full-jitter back-off (ruling
 * 10), however many jobs wait behind it. A refusal closes one operation of one endpoint; the whole connection counts
 * as refused only when whatever was asked since was refused too, and opens with the first request that is taken
 * (ruling 35).
 */
export function createReachability(parts: ReachabilityParts): Reachability {
  const { now, random } = parts;
  const standings = new Map<string, Standing>();
  const closures = createClosures({ now, onChange: parts.onClosures });

  function of(connectionId: string): Standing {
    let standing = standings.get(connectionId);
    if (standing === undefined) standings.set(connectionId, (standing = newStanding(0)));
    return standing;
  }

  function become(connectionId: string, state: State): void {
    of(connectionId).state = state;
    parts.onChange(connectionId, state);
  }

  /** Whatever it said, it is there. */
  function heard({ connectionId }: Lane): Standing {
    const standing = of(connectionId);
    standing.failures = 0;
    standing.isProbing = false;
    if (standing.state.kind === 'offline') {
      standing.probes = 0;
      become(connectionId, { kind: 'ready' });
    }
    return standing;
  }

  function probeAgain(connectionId: string, standing: Standing): void {
    if (standing.state.kind !== 'key-refused') return;
    standing.probes += 1;
    become(connectionId, { ...standing.state, nextTryMs: now() + nextTryAfterMs(standing.probes) });
  }

  return {
    gateway(connectionId) {
      const { state, isProbing, probedAtMs, probes } = of(connectionId);
      switch (state.kind) {
        case 'ready':
          return { kind: 'open' };
        case 'offline':
          return { kind: 'offline', probeAtMs: state.nextTryMs, isProbing };
        case 'key-refused':
          return { kind: 'refused', probeAtMs: state.nextTryMs, probedAtMs, isProbing, isByHealth: probes % 2 === 0 };
        case 'no-key':
          return { kind: 'closed' };
      }
    },

    door: closures.door,

    mayAsk(lane) {
      const { state, isProbing } = of(lane.connectionId);
      const isClosed = state.kind === 'key-refused' && (isProbing || state.nextTryMs > now());
      if (isClosed) return notSent('the key of this connection', state.httpStatus);
      const closure = closures.of(lane);
      if (closure === null || (closure.nextTryMs !== null && closure.nextTryMs <= now())) return ok(null);
      return notSent(`${lane.operation} for this endpoint`, closure.httpStatus);
    },

    state: (connectionId) => of(connectionId).state,
    all: () => [...standings].map(([connectionId, { state }]) => ({ connectionId, state })),
    closures: () => closures.all().filter(({ connectionId }) => of(connectionId).state.kind !== 'key-refused'),

    asked(lane) {
      const standing = of(lane.connectionId);
      closures.asked(lane);
      standing.isProbing = true;
      standing.probedAtMs = now();
    },

    answered(lane) {
      closures.released(lane);
      const standing = heard(lane);
      probeAgain(lane.connectionId, standing);
    },

    taken(lane) {
      const standing = heard(lane);
      standing.refusedAtMs = null;
      closures.taken(lane);
      if (standing.state.kind !== 'key-refused') return;
      standing.probes = 0;
      // They may have been refused for the same reason.
      closures.tryNow(lane.connectionId);
      become(lane.connectionId, { kind: 'ready' });
    },

    keyRefused(lane, refusal, askedAtMs) {
      const { connectionId } = lane;
      const standing = of(connectionId);
      if (askedAtMs < standing.changedAtMs) {
        closures.released(lane);
        standing.isProbing = false;
        return;
      }
      const wasProbing = standing.isProbing;
      heard(lane);
      const wasOpen = closures.refused(lane, refusal);
      if (standing.state.kind === 'key-refused') {
        if (wasProbing) probeAgain(connectionId, standing);
        return;
      }
      // A lane that was closed before says nothing of the others.
      if (!wasOpen) return;
      if (standing.refusedAtMs === null) {
        standing.refusedAtMs = now();
        parts.onRefused(lane);
      } else if (askedAtMs >= standing.refusedAtMs) {
        standing.probes = 0;
        const { httpStatus, path } = refusal;
        become(connectionId, {
          kind: 'key-refused',
          httpStatus,
          path,
          sinceMs: standing.refusedAtMs,
          nextTryMs: now() + nextTryAfterMs(0),
        });
      }
    },

    noKey(connectionId) {
      if (of(connectionId).state.kind !== 'no-key') become(connectionId, { kind: 'no-key' });
    },

    released(lane) {
      of(lane.connectionId).isProbing = false;
      closures.released(lane);
    },

    unanswered(lane, failure) {
      const { connectionId } = lane;
      closures.released(lane);
      const standing = of(connectionId);
      const nowMs = now();
      const wasProbing = standing.isProbing;
      standing.isProbing = false;
      standing.failures += 1;
      if (standing.state.kind === 'no-key') return;
      if (standing.state.kind === 'key-refused') {
        if (wasProbing) probeAgain(connectionId, standing);
        return;
      }
      if (standing.state.kind === 'offline') {
        // Requests that were under way when it went offline tell nothing new.
        if (!wasProbing) return;
        standing.probes += 1;
        become(connectionId, {
          ...standing.state,
          nextTryMs: nowMs + backoffMs(standing.probes, random),
          message: failure.message,
        });
        return;
      }
      // One reset may be the job's own bad luck; a refused connection is everyone's.
      if (failure.mayHaveArrived && standing.failures < failuresUntilOffline) return;
      standing.probes = 0;
      become(connectionId, {
        kind: 'offline',
        sinceMs: nowMs,
        nextTryMs: nowMs + backoffMs(0, random),
        message: failure.message,
      });
    },

    reset(connectionId) {
      closures.forget(connectionId);
      standings.set(connectionId, newStanding(now()));
      parts.onChange(connectionId, { kind: 'ready' });
    },

    forget(connectionId) {
      closures.forget(connectionId);
      standings.delete(connectionId);
    },

    tryNow() {
      closures.tryNow();
      for (const [connectionId, { state, isProbing }] of standings) {
        if ((state.kind === 'offline' || state.kind === 'key-refused') && !isProbing)
          become(connectionId, { ...state, nextTryMs: now() });
      }
    },
  };
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
    `Nothing was sent: the service refuses ${what} (${httpStatus}) at the moment. It is tried again by itself; ` +
    '"Try now" does it at once.';
  return failed({ kind: 'refused', message });
}
