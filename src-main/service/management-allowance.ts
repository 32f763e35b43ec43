import { failed } from '../../src-preload/failure.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { waitAfter429Ms } from './rate-governor.ts';
import type { ManagementApi, Reply } from './reply.ts';

/** ruling 20: our own cap on management requests, for each connection. */
export const managementPerMinute = 60;
const windowMs = 60_000;

interface State {
  /** Start times of the last minute, oldest first. */
  starts: number[];
  heldUntilMs: number;
  /** 429s in a row. */
  step: number;
  /** The time when it was last used or asked about. */
  seenAtMs: number;
}

/** What may be asked of the management interface. Deterministic: the time is told, chance is passed in, no timers. */
export interface ManagementAllowance {
  /** Takes one place and answers null; where there is none, when to ask again and whether the service asked for the pause. */
  begin(connectionId: string, nowMs: number): { atMs: number; isServicesWish: boolean } | null;
  /** Learns from what came: a 429 stops the connection's management requests for a while (ruling 10). */
  end(connectionId: string, failure: ServiceFailure | null, nowMs: number): void;
}

/** At most sixty requests in any minute a connection, and none while a 429 holds (rulings 10 and 20). */
export function createManagementAllowance({ random }: { random: () => number }): ManagementAllowance {
  const states = new Map<string, State>();

  function stateOf(connectionId: string, nowMs: number): State {
    const state = states.get(connectionId) ?? { starts: [], heldUntilMs: 0, step: 0, seenAtMs: nowMs };
    // A clock that was set back takes everything with it.
    const backMs = Math.max(0, state.seenAtMs - nowMs);
    state.starts = state.starts.map((atMs) => atMs - backMs).filter((atMs) => atMs > nowMs - windowMs);
    state.heldUntilMs -= backMs;
    state.seenAtMs = nowMs;
    states.set(connectionId, state);
    return state;
  }

  return {
    begin(connectionId, nowMs) {
      const state = stateOf(connectionId, nowMs);
      if (state.heldUntilMs > nowMs) return { atMs: state.heldUntilMs, isServicesWish: true };
      const [first = nowMs] = state.starts;
      if (state.starts.length >= managementPerMinute) return { atMs: first + windowMs, isServicesWish: false };
      state.starts.push(nowMs);
      return null;
    },
    end(connectionId, failure, nowMs) {
      const state = stateOf(connectionId, nowMs);
      if (failure?.kind !== 'rate-limited') {
        if (failure === null) state.step = 0;
        return;
      }
      state.step += 1;
      state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + waitAfter429Ms(failure.retryAfterMs ?? null, state.step - 1, random));
    },
  };
}

/** The same operations, which refuse as a 429 would where the allowance is spent: nothing is sent then. */
export function withAllowance(api: ManagementApi, connectionId: string, allowance: ManagementAllowance, now: () => number): ManagementApi {
  async function ask<T>(operation: string, method: 'GET' | 'POST', send: () => Promise<Reply<T>>): Promise<Reply<T>> {
    const wait = allowance.begin(connectionId, now());
    if (wait !== null) return refusal(operation, method, wait, now());
    const reply = await send();
    // A refusal before sending says nothing about the service; its place is given up all the same.
    allowance.end(connectionId, reply.result.ok ? null : reply.result.failure, now());
    return reply;
  }
  return {
    getPod: (podId, include, options) => ask('get-pod', 'GET', () => api.getPod(podId, include, options)),
    updateTemplate: (templateId, update, options) => ask('update-template', 'POST', () => api.updateTemplate(templateId, update, options)),
  };
}

function refusal<T>(operation: string, method: 'GET' | 'POST', wait: { atMs: number; isServicesWish: boolean }, nowMs: number): Reply<T> {
  const retryAfterMs = Math.max(0, wait.atMs - nowMs);
  const why = wait.isServicesWish ? 'The service asked for fewer requests' : `Jobdeck sends at most ${managementPerMinute} management requests a minute`;
  return {
    result: failed({ kind: 'rate-limited', message: `${why}; the next one may leave in ${Math.ceil(retryAfterMs / 1_000)} s. Nothing was sent.`, retryAfterMs, mayHaveArrived: false }),
    exchange: { atMs: nowMs, method, operation, path: '', httpStatus: null, tookMs: 0, bytesReceived: 0 },
  };
}
