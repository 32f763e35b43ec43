import { failed, type ServiceFailure } from '../../src-preload/failure.ts';
import { waitAfter429Ms } from './rate-governor.ts';
import type { ManagementApi, Reply } from './reply.ts';
import { rateText } from '../messages/service/requests.ts';

/** ruling 20: our own limit on management requests, for each account (ruling 42). */
export const managementPerMinute = 60;
const windowMs = 60_000;

interface State {
  /** Start times of the last minute, oldest first. */
  starts: number[];
  heldUntilMs: number;
  /** 429s in a row. */
  step: number;
}

/** How many management requests may be sent. Deterministic: time and randomness are passed in, no timers. */
export interface ManagementAllowance {
  /**
   * Takes one place and returns null. If there is none: when to try again, and whether the service requested the pause.
   */
  begin(connectionId: string, nowMs: number): { atMs: number; isByService: boolean } | null;
  /**
   * Learns from the result: a 429 stops the connection's management requests for a while (ruling 10), and a request
   * that was never sent gives its place back.
   */
  end(connectionId: string, failure: ServiceFailure | null, nowMs: number): void;
}

/**
 * At most sixty requests per minute, and none while a 429 applies (rulings 10 and 20), for all connections of an
 * account together (ruling 42). `accountOf` is called at each use; without it each connection is an account.
 */
export function createManagementAllowance({
  random,
  accountOf = (connectionId) => connectionId,
}: {
  random: () => number;
  accountOf?: (connectionId: string) => string;
}): ManagementAllowance {
  const states = new Map<string, State>();

  function stateOf(connectionId: string, nowMs: number): State {
    const state = states.get(connectionId) ?? { starts: [], heldUntilMs: 0, step: 0 };
    state.starts = state.starts.filter((atMs) => atMs > nowMs - windowMs);
    states.set(connectionId, state);
    return state;
  }

  /** The requests of this connection and all others of its account. */
  function sharedBy(connectionId: string, nowMs: number): State[] {
    const own = stateOf(connectionId, nowMs);
    const account = accountOf(connectionId);
    const others = [...states.keys()].filter((id) => id !== connectionId && accountOf(id) === account);
    return [own, ...others.map((id) => stateOf(id, nowMs))];
  }

  return {
    begin(connectionId, nowMs) {
      const shared = sharedBy(connectionId, nowMs);
      const heldUntilMs = Math.max(...shared.map((state) => state.heldUntilMs));
      if (heldUntilMs > nowMs) return { atMs: heldUntilMs, isByService: true };
      const freeing = shared
        .flatMap(({ starts }) => starts)
        .toSorted((a, b) => a - b)
        .at(-managementPerMinute);
      if (freeing !== undefined) return { atMs: freeing + windowMs, isByService: false };
      stateOf(connectionId, nowMs).starts.push(nowMs);
      return null;
    },
    end(connectionId, failure, nowMs) {
      const shared = sharedBy(connectionId, nowMs);
      const state = stateOf(connectionId, nowMs);
      if (failure?.mayHaveArrived === false) state.starts.pop();
      if (failure?.kind !== 'rate-limited') {
        if (failure === null) for (const each of shared) each.step = 0;
        return;
      }
      state.step = Math.max(...shared.map(({ step }) => step)) + 1;
      const waitMs = waitAfter429Ms(failure.retryAfterMs ?? null, state.step - 1, random);
      state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + waitMs);
    },
  };
}

/** The same operations, which fail as with a 429 if the allowance is used up. Nothing is sent then. */
export function withAllowance(
  api: ManagementApi,
  connectionId: string,
  allowance: ManagementAllowance,
  now: () => number,
): ManagementApi {
  async function ask<T>(operation: string, method: 'GET' | 'POST', send: () => Promise<Reply<T>>): Promise<Reply<T>> {
    const wait = allowance.begin(connectionId, now());
    if (wait !== null) return refusal(operation, method, wait, now());
    const reply = await send();
    allowance.end(connectionId, reply.result.ok ? null : reply.result.failure, now());
    return reply;
  }
  return {
    getPod: (podId, include, options) => ask('get-pod', 'GET', () => api.getPod(podId, include, options)),
    updateTemplate: (templateId, update, options) =>
      ask('update-template', 'POST', () => api.updateTemplate(templateId, update, options)),
  };
}

function refusal<T>(
  operation: string,
  method: 'GET' | 'POST',
  wait: { atMs: number; isByService: boolean },
  nowMs: number,
): Reply<T> {
  const retryAfterMs = Math.max(0, wait.atMs - nowMs);
  return {
    result: failed({
      kind: 'rate-limited',
      message: wait.isByService
        ? rateText.managementHeld(retryAfterMs)
        : rateText.managementSpent(managementPerMinute, retryAfterMs),
      retryAfterMs,
      mayHaveArrived: false,
    }),
    exchange: { atMs: nowMs, method, operation, path: '', httpStatus: null, tookMs: 0, bytesReceived: 0 },
  };
}
