import type { Connection } from '../../src-preload/connection.ts';
import { endpointKey, type EndpointRef } from '../../src-preload/endpoint-key.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import { Alarm } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';
import {
  chooseEndpoints,
  maxInSecond,
  paceMs,
  planBackgroundReads,
  type BackgroundEndpoint,
  type WayTo,
} from './background-plan.ts';

/** The first reads wait this long, because windows and jobs come first at a start. */
const startMs = 10_000;
const secondMs = 1_000;

/** Reads the health of endpoints that no job and no window needs. See docs/decisions/115. */
export interface BackgroundReads {
  /** The current connections. Nothing is read before the first call. */
  connectionsChanged(connections: readonly Connection[]): void;
  /** A health was read for any reason, so the endpoint needs no read for a minute. */
  noted(health: Pick<Health, 'connectionId' | 'endpointId' | 'atMs'>): void;
  /** A job changed there, or its health was opened. */
  used(endpoint: EndpointRef): void;
  /** The setting may have changed. */
  settingsChanged(): void;
  close(): void;
}

export interface BackgroundReadsParts {
  clock: Clock;
  /** As the user chose. */
  isOn: () => boolean;
  /** Nothing is read while the user has paused tracking. */
  isPaused: () => boolean;
  wayTo: (connectionId: string) => WayTo;
  /** Whether an alert rule was made or switched on for this endpoint. */
  hasOwnRule: (endpoint: EndpointRef) => boolean;
  /** Reads an endpoint's health within all limits. The reading is also passed to `noted`. */
  refresh: (connectionId: string, endpointId: string) => Promise<Result<Health>>;
  /** The last saved reading of each endpoint of a connection. */
  latest: (connectionId: string) => Promise<Health[]>;
  onTrouble: (error: unknown) => void;
}

/** Runs the plan with one timer, which is set while the setting is on and there is an endpoint. */
export function createBackgroundReads(parts: BackgroundReadsParts): BackgroundReads {
  const { clock, isOn, isPaused, wayTo, hasOwnRule, refresh, latest, onTrouble } = parts;
  let endpoints = new Map<string, BackgroundEndpoint>();
  let connectionIds: ReadonlySet<string> = new Set();
  /** Chosen once a minute: there may be ten thousand. Null: to be chosen. */
  let chosen: { atMs: number; endpoints: readonly BackgroundEndpoint[] } | null = null;
  const alarm = new Alarm(clock, tick);
  /** The current second, and how many reads began in it. */
  let secondFromMs = -Infinity;
  let readsInSecond = 0;
  let isClosed = false;

  function planAtLatest(atMs: number): void {
    if (isClosed || !isOn() || endpoints.size === 0) alarm.cancel();
    else alarm.setAtLatest(atMs);
  }

  function tick(): void {
    const nowMs = clock.now();
    if (isPaused()) return planAtLatest(nowMs + paceMs);
    if (nowMs >= secondFromMs + secondMs) {
      secondFromMs = nowMs;
      readsInSecond = 0;
    }
    if (chosen === null || nowMs >= chosen.atMs + paceMs) chosen = { atMs: nowMs, endpoints: choose() };
    const room = maxInSecond - readsInSecond;
    const { reads, wakeAtMs } = planBackgroundReads({ nowMs, endpoints: chosen.endpoints, wayTo, room });
    readsInSecond += reads.length;
    for (const endpoint of reads) void read(endpoint);
    planAtLatest(wakeAtMs);
  }

  /** Endpoints that cannot be read now leave their place to others. */
  function choose(): readonly BackgroundEndpoint[] {
    const closed = new Set([...connectionIds].filter((id) => wayTo(id).kind === 'closed'));
    return chooseEndpoints(
      [...endpoints.values()].filter(({ connectionId }) => !closed.has(connectionId)),
      hasOwnRule,
    );
  }

  async function read(endpoint: BackgroundEndpoint): Promise<void> {
    endpoint.isBusy = true;
    endpoint.triedAtMs = clock.now();
    const wasOpen = wayTo(endpoint.connectionId).kind === 'open';
    try {
      const result = await refresh(endpoint.connectionId, endpoint.endpointId);
      if (result.ok) endpoint.failures = 0;
      // Refused by Jobdeck itself: nothing was sent.
      else if (result.failure.kind !== 'refused') endpoint.failures += 1;
      // The connection may have become reachable, or unreachable with a time of its next try.
      if (!wasOpen || !result.ok) planAtLatest(clock.now());
    } catch (error) {
      onTrouble(error);
    } finally {
      endpoint.isBusy = false;
    }
  }

  async function learn(connectionId: string): Promise<void> {
    for (const { endpointId, atMs } of await latest(connectionId)) {
      const endpoint = endpoints.get(endpointKey({ connectionId, endpointId }));
      if (endpoint === undefined) continue;
      const readAtMs = Math.min(atMs, clock.now());
      endpoint.triedAtMs = Math.max(endpoint.triedAtMs, readAtMs);
      // What was read in the last run was in use then.
      endpoint.usedAtMs = Math.max(endpoint.usedAtMs, readAtMs);
    }
  }

  return {
    connectionsChanged(connections) {
      const former = endpoints;
      const formerIds = connectionIds;
      endpoints = new Map();
      for (const { id: connectionId, endpoints: named } of connections) {
        for (const { id: endpointId } of named) {
          const key = endpointKey({ connectionId, endpointId });
          endpoints.set(
            key,
            former.get(key) ?? {
              connectionId,
              endpointId,
              triedAtMs: -Infinity,
              failures: 0,
              isBusy: false,
              usedAtMs: -Infinity,
            },
          );
        }
      }
      connectionIds = new Set(connections.map(({ id }) => id));
      chosen = null;
      for (const id of connectionIds) if (!formerIds.has(id)) learn(id).catch(onTrouble);
      planAtLatest(clock.now() + startMs);
    },
    noted({ connectionId, endpointId, atMs }) {
      const endpoint = endpoints.get(endpointKey({ connectionId, endpointId }));
      if (endpoint === undefined) return;
      endpoint.triedAtMs = Math.max(endpoint.triedAtMs, atMs);
      endpoint.failures = 0;
    },
    used({ connectionId, endpointId }) {
      const endpoint = endpoints.get(endpointKey({ connectionId, endpointId }));
      if (endpoint !== undefined) endpoint.usedAtMs = clock.now();
    },
    settingsChanged: () => planAtLatest(clock.now() + secondMs),
    close() {
      isClosed = true;
      alarm.cancel();
    },
  };
}
