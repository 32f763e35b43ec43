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

/**
 * Reads the health of endpoints that no job and no window needs (docs/decisions/115). It runs the plan with one timer,
 * which is set while the setting is on and there is an endpoint.
 */
export class BackgroundReads {
  readonly #parts: BackgroundReadsParts;
  readonly #alarm: Alarm;
  #endpoints = new Map<string, BackgroundEndpoint>();
  #connectionIds: ReadonlySet<string> = new Set();
  /** Chosen once a minute: there may be ten thousand. Null: to be chosen. */
  #chosen: { atMs: number; endpoints: readonly BackgroundEndpoint[] } | null = null;
  /** The current second, and how many reads began in it. */
  #secondFromMs = -Infinity;
  #readsInSecond = 0;
  #isClosed = false;

  constructor(parts: BackgroundReadsParts) {
    this.#parts = parts;
    this.#alarm = new Alarm(parts.clock, () => this.#tick());
  }

  /** The current connections. Nothing is read before the first call. */
  connectionsChanged(connections: readonly Connection[]): void {
    const former = this.#endpoints;
    const formerIds = this.#connectionIds;
    this.#endpoints = new Map();
    for (const { id: connectionId, endpoints: named } of connections) {
      for (const { id: endpointId } of named) {
        const key = endpointKey({ connectionId, endpointId });
        this.#endpoints.set(key, former.get(key) ?? unreadEndpoint({ connectionId, endpointId }));
      }
    }
    this.#connectionIds = new Set(connections.map(({ id }) => id));
    this.#chosen = null;
    for (const id of this.#connectionIds) if (!formerIds.has(id)) this.#learn(id).catch(this.#parts.onTrouble);
    this.#planAtLatest(this.#parts.clock.now() + startMs);
  }

  /** A health was read for any reason, so the endpoint needs no read for a minute. */
  noted({ connectionId, endpointId, atMs }: Pick<Health, 'connectionId' | 'endpointId' | 'atMs'>): void {
    const endpoint = this.#endpoints.get(endpointKey({ connectionId, endpointId }));
    if (endpoint === undefined) return;
    endpoint.triedAtMs = Math.max(endpoint.triedAtMs, atMs);
    endpoint.failures = 0;
  }

  /** A job changed there, or its health was opened. */
  used(ref: EndpointRef): void {
    const endpoint = this.#endpoints.get(endpointKey(ref));
    if (endpoint !== undefined) endpoint.usedAtMs = this.#parts.clock.now();
  }

  /** The setting may have changed. */
  settingsChanged(): void {
    this.#planAtLatest(this.#parts.clock.now() + secondMs);
  }

  /** Begins no further read. */
  close(): void {
    this.#isClosed = true;
    this.#alarm.cancel();
  }

  #planAtLatest(atMs: number): void {
    if (this.#isClosed || !this.#parts.isOn() || this.#endpoints.size === 0) this.#alarm.cancel();
    else this.#alarm.setAtLatest(atMs);
  }

  #tick(): void {
    const { clock, isPaused, wayTo } = this.#parts;
    const nowMs = clock.now();
    if (isPaused()) return this.#planAtLatest(nowMs + paceMs);
    if (nowMs >= this.#secondFromMs + secondMs) {
      this.#secondFromMs = nowMs;
      this.#readsInSecond = 0;
    }
    if (this.#chosen === null || nowMs >= this.#chosen.atMs + paceMs)
      this.#chosen = { atMs: nowMs, endpoints: this.#choose() };
    const room = maxInSecond - this.#readsInSecond;
    const { reads, wakeAtMs } = planBackgroundReads({ nowMs, endpoints: this.#chosen.endpoints, wayTo, room });
    this.#readsInSecond += reads.length;
    for (const endpoint of reads) void this.#read(endpoint);
    this.#planAtLatest(wakeAtMs);
  }

  /** Endpoints that cannot be read now leave their place to others. */
  #choose(): readonly BackgroundEndpoint[] {
    const { wayTo, hasOwnRule } = this.#parts;
    const closed = new Set([...this.#connectionIds].filter((id) => wayTo(id).kind === 'closed'));
    return chooseEndpoints(
      [...this.#endpoints.values()].filter(({ connectionId }) => !closed.has(connectionId)),
      hasOwnRule,
    );
  }

  async #read(endpoint: BackgroundEndpoint): Promise<void> {
    const { clock, wayTo, refresh, onTrouble } = this.#parts;
    endpoint.isBusy = true;
    endpoint.triedAtMs = clock.now();
    const wasOpen = wayTo(endpoint.connectionId).kind === 'open';
    try {
      const result = await refresh(endpoint.connectionId, endpoint.endpointId);
      if (result.ok) endpoint.failures = 0;
      // Refused by Jobdeck itself: nothing was sent.
      else if (result.failure.kind !== 'refused') endpoint.failures += 1;
      // The connection may have become reachable, or unreachable until a certain time.
      if (!wasOpen || !result.ok) this.#planAtLatest(clock.now());
    } catch (error) {
      onTrouble(error);
    } finally {
      endpoint.isBusy = false;
    }
  }

  async #learn(connectionId: string): Promise<void> {
    const { clock, latest } = this.#parts;
    for (const { endpointId, atMs } of await latest(connectionId)) {
      const endpoint = this.#endpoints.get(endpointKey({ connectionId, endpointId }));
      if (endpoint === undefined) continue;
      const readAtMs = Math.min(atMs, clock.now());
      endpoint.triedAtMs = Math.max(endpoint.triedAtMs, readAtMs);
      // What was read in the last run was in use then.
      endpoint.usedAtMs = Math.max(endpoint.usedAtMs, readAtMs);
    }
  }
}

function unreadEndpoint({ connectionId, endpointId }: EndpointRef): BackgroundEndpoint {
  return { connectionId, endpointId, triedAtMs: -Infinity, failures: 0, isBusy: false, usedAtMs: -Infinity };
}
