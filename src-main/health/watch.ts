import { endpointKey } from '../../src-preload/endpoint-key.ts';
import type { Health } from '../../src-preload/health.ts';
import { Alarm } from '../time/timers.ts';
import type { Clock } from '../time/clock.ts';

/** The figures of a watched endpoint are no older than this, even if nothing else reads them. */
const paceMs = 5_000;
/**
 * A connection may have two hundred endpoints. If more than ten are on screen, the time between reads grows by this for
 * each.
 */
const gapMs = 500;
/** How many are read per second; the others wait for the next second. */
const maxInSecond = 6;
const secondMs = 1_000;
/** An endpoint whose health cannot be read is tried less and less often, down to this. */
const slowestMs = 60_000;

/** Which endpoints' health is on screen and therefore kept up to date. See docs/decisions/012. */
export interface HealthWatch {
  /** Replaces what the window showed before. An empty list: it shows none. */
  set(windowId: number, connectionId: string, endpointIds: readonly string[]): void;
  /** The window was closed. */
  forget(windowId: number): void;
  /** A health was read for any reason, so the endpoint needs no read for a while. */
  noted(health: Pick<Health, 'connectionId' | 'endpointId' | 'atMs'>): void;
  /** While no window is visible, nothing counts as on screen. */
  setVisible(isVisible: boolean): void;
  close(): void;
}

export interface HealthWatchParts {
  clock: Clock;
  /**
   * Reads an endpoint's health within its limit of one per second (ruling 20). The reading is also passed to `noted`.
   */
  refresh: (connectionId: string, endpointId: string) => Promise<{ ok: boolean }>;
  /** Nothing is read while the user has paused tracking. */
  isPaused: () => boolean;
}

interface Watched {
  connectionId: string;
  endpointId: string;
  /** When its health was last read or tried. */
  atMs: number;
  /** Failed tries in a row. */
  failures: number;
}

/**
 * Times the reads of endpoints on screen, with one timer for all. It is set only while an endpoint is watched and a
 * window is visible. A reading that the tracker makes for its own purposes replaces the next one.
 */
export function createHealthWatch({ clock, refresh, isPaused }: HealthWatchParts): HealthWatch {
  const byWindow = new Map<number, { connectionId: string; endpointIds: readonly string[] }>();
  /** When each endpoint was last read. A window that opens needs no read if there is a recent one. */
  const readAtMs = new Map<string, number>();
  let watched = new Map<string, Watched>();
  let isVisible = true;
  const alarm = new Alarm(clock, tick);
  /** The current second, and how many reads began in it. */
  let secondFromMs = 0;
  let readsInSecond = 0;

  function dueAtMs({ atMs, failures }: Watched): number {
    return atMs + Math.max(gapMs * watched.size, failures === 0 ? paceMs : Math.min(slowestMs, paceMs * 2 ** failures));
  }

  function plan(): void {
    if (watched.size === 0 || !isVisible) return alarm.cancel();
    const nextAtMs = Math.min(...[...watched.values()].map(dueAtMs));
    alarm.set(Math.max(clock.now(), nextAtMs, readsInSecond < maxInSecond ? 0 : secondFromMs + secondMs));
  }

  function tick(): void {
    const nowMs = clock.now();
    if (nowMs >= secondFromMs + secondMs) {
      secondFromMs = nowMs;
      readsInSecond = 0;
    }
    for (const endpoint of watched.values()) {
      if (readsInSecond === maxInSecond || dueAtMs(endpoint) > nowMs) continue;
      endpoint.atMs = nowMs;
      readsInSecond += 1;
      if (!isPaused()) void read(endpoint);
    }
    plan();
  }

  async function read(endpoint: Watched): Promise<void> {
    // A failure is shown with the connection. The figures keep their age.
    const result = await refresh(endpoint.connectionId, endpoint.endpointId).catch(() => ({ ok: false }));
    endpoint.failures = result.ok ? 0 : endpoint.failures + 1;
  }

  function gather(): void {
    const former = watched;
    watched = new Map();
    for (const { connectionId, endpointIds } of byWindow.values()) {
      for (const endpointId of endpointIds) {
        const id = endpointKey({ connectionId, endpointId });
        watched.set(
          id,
          former.get(id) ?? { connectionId, endpointId, atMs: readAtMs.get(id) ?? -Infinity, failures: 0 },
        );
      }
    }
    plan();
  }

  return {
    set(windowId, connectionId, endpointIds) {
      if (endpointIds.length === 0) byWindow.delete(windowId);
      else byWindow.set(windowId, { connectionId, endpointIds });
      gather();
    },
    forget(windowId) {
      if (byWindow.delete(windowId)) gather();
    },
    noted(health) {
      const id = endpointKey(health);
      readAtMs.set(id, health.atMs);
      const endpoint = watched.get(id);
      if (endpoint === undefined) return;
      endpoint.atMs = Math.max(endpoint.atMs, health.atMs);
      endpoint.failures = 0;
    },
    setVisible(isNowVisible) {
      if (isVisible === isNowVisible) return;
      isVisible = isNowVisible;
      plan();
    },
    close() {
      byWindow.clear();
      gather();
    },
  };
}
