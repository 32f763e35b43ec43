import type { ConnectionState } from '../../src-preload/connection.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { backoffMs } from '../service/rate-governor.ts';
import type { Gateway } from './plan/plan.ts';

/** Failures in a row, without any answer between them, after which a connection counts as unreachable. */
const failuresUntilOffline = 3;

interface Standing {
  state: ConnectionState;
  failures: number;
  /** Probes that failed in a row: the step of the back-off. */
  probes: number;
  isProbing: boolean;
  /** Answers to requests that left before this belong to a former key. */
  changedAtMs: number;
}

/** What stands between us and each connection, learned from how its requests end. */
export interface Reachability {
  gateway(connectionId: string): Gateway;
  state(connectionId: string): ConnectionState;
  /** All connections something is known of. */
  all(): { connectionId: string; state: ConnectionState }[];
  /** A request leaves; while offline it is the probe. */
  asked(connectionId: string): void;
  /** The service answered, whatever it said. */
  answered(connectionId: string): void;
  /** 401 or 403 to a request that left at `askedAtMs`: no more requests until the user changes something. */
  keyRefused(connectionId: string, httpStatus: number, path: string, askedAtMs: number): void;
  noKey(connectionId: string): void;
  /** The request that `asked` told of was never sent, or called off: it tells nothing. */
  released(connectionId: string): void;
  /** No answer. */
  unanswered(connectionId: string, failure: ServiceFailure): void;
  /** The key or the address changed, or a test passed: all is open again. */
  reset(connectionId: string): void;
  /** The connection was removed. */
  forget(connectionId: string): void;
  /** Probes every unreachable connection at once. */
  tryNow(): void;
}

/**
 * A refused key closes one connection only; an unreachable one is tried again on its own with a single request at a
 * time, at full-jitter back-off (ruling 10), however many jobs wait behind it.
 */
export function createReachability(parts: { now: () => number; random: () => number; onChange: (connectionId: string, state: ConnectionState) => void }): Reachability {
  const standings = new Map<string, Standing>();

  function of(connectionId: string): Standing {
    let standing = standings.get(connectionId);
    if (standing === undefined) {
      standing = { state: { kind: 'ready' }, failures: 0, probes: 0, isProbing: false, changedAtMs: 0 };
      standings.set(connectionId, standing);
    }
    return standing;
  }

  function become(connectionId: string, state: ConnectionState): void {
    of(connectionId).state = state;
    parts.onChange(connectionId, state);
  }

  return {
    gateway(connectionId) {
      const standing = of(connectionId);
      switch (standing.state.kind) {
        case 'ready':
          return { kind: 'open' };
        case 'offline':
          return { kind: 'offline', probeAtMs: standing.state.nextTryMs ?? parts.now(), isProbing: standing.isProbing };
        case 'no-key':
        case 'key-refused':
          return { kind: 'closed' };
      }
    },

    state: (connectionId) => of(connectionId).state,
    all: () => [...standings].map(([connectionId, { state }]) => ({ connectionId, state })),

    asked(connectionId) {
      const standing = of(connectionId);
      if (standing.state.kind === 'offline') standing.isProbing = true;
    },

    answered(connectionId) {
      const standing = of(connectionId);
      standing.failures = 0;
      standing.isProbing = false;
      if (standing.state.kind !== 'offline') return;
      standing.probes = 0;
      become(connectionId, { kind: 'ready' });
    },

    keyRefused(connectionId, httpStatus, path, askedAtMs) {
      const standing = of(connectionId);
      standing.isProbing = false;
      if (askedAtMs < standing.changedAtMs || standing.state.kind === 'key-refused') return;
      become(connectionId, { kind: 'key-refused', httpStatus, path, sinceMs: askedAtMs, nextTryMs: null });
    },

    noKey(connectionId) {
      of(connectionId).isProbing = false;
      if (of(connectionId).state.kind !== 'no-key') become(connectionId, { kind: 'no-key' });
    },

    released(connectionId) {
      of(connectionId).isProbing = false;
    },

    unanswered(connectionId, failure) {
      const standing = of(connectionId);
      const nowMs = parts.now();
      const wasProbing = standing.isProbing;
      standing.isProbing = false;
      standing.failures += 1;
      if (standing.state.kind === 'no-key' || standing.state.kind === 'key-refused') return;
      if (standing.state.kind === 'offline') {
        // Requests that were under way when it went offline tell nothing new.
        if (!wasProbing) return;
        standing.probes += 1;
        become(connectionId, { ...standing.state, nextTryMs: nowMs + backoffMs(standing.probes, parts.random), message: failure.message });
        return;
      }
      // One reset may be the job's own bad luck; a refused connection is everyone's.
      if (failure.mayHaveArrived && standing.failures < failuresUntilOffline) return;
      become(connectionId, { kind: 'offline', sinceMs: nowMs, nextTryMs: nowMs + backoffMs(0, parts.random), message: failure.message });
    },

    reset(connectionId) {
      standings.set(connectionId, { state: { kind: 'ready' }, failures: 0, probes: 0, isProbing: false, changedAtMs: parts.now() });
      parts.onChange(connectionId, { kind: 'ready' });
    },

    forget: (connectionId) => void standings.delete(connectionId),

    tryNow() {
      for (const [connectionId, standing] of standings) {
        if (standing.state.kind === 'offline' && !standing.isProbing) become(connectionId, { ...standing.state, nextTryMs: parts.now() });
      }
    },
  };
}
