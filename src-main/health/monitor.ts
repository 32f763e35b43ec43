import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Health, HealthTrend } from '../../src-preload/health.ts';
import type { History } from '../history/history.ts';

/** How far back a trend reaches. */
export const trendSpanMs = 30 * 60_000;
/** A health read less than this ago is shown as it is (ruling 20: at most one read a second an endpoint). */
const freshForMs = 1_000;

/** What is known of endpoints: the health last read, and a thin history of it. */
export interface HealthMonitor {
  /** Takes a health that was read for whatever reason: keeps it, then calls `onChange`. */
  note(health: Health): Promise<void>;
  /** As last read, and the last half hour, of a connection's endpoints. */
  latest(connectionId: string): Promise<{ health: Health[]; trends: HealthTrend[] }>;
  /**
   * For a window that looks at an endpoint: reads it once, unless that was just done or is under way. Nothing is ever
   * read otherwise.
   */
  refresh(connectionId: string, endpointId: string): Promise<Result<Health>>;
}

export interface HealthMonitorParts {
  history: Pick<History, 'addHealth' | 'latestHealth' | 'healthTrends'>;
  now: () => number;
  /** Reads an endpoint's health from the service. Whoever does it also passes it to `note`. */
  readHealth: (connectionId: string, endpointId: string) => Promise<Result<Health>>;
  /** Told after it is kept. */
  onChange: (health: Health) => void;
  /** It could not be kept. `onChange` is called all the same. */
  onTrouble: (error: unknown) => void;
}

export function createHealthMonitor({
  history,
  now,
  readHealth,
  onChange,
  onTrouble,
}: HealthMonitorParts): HealthMonitor {
  const reads = new Map<string, Promise<Result<Health>>>();
  const newest = new Map<string, Health>();

  return {
    async note(health) {
      const key = endpointKey(health.connectionId, health.endpointId);
      // Answers can overtake each other; the newest stays.
      if (health.atMs < (newest.get(key)?.atMs ?? 0)) return;
      newest.set(key, health);
      await history.addHealth(health).catch(onTrouble);
      onChange(health);
    },

    async latest(connectionId) {
      const [health, trends] = await Promise.all([
        history.latestHealth(connectionId),
        history.healthTrends(connectionId, now() - trendSpanMs),
      ]);
      return { health, trends };
    },

    async refresh(connectionId, endpointId) {
      const key = endpointKey(connectionId, endpointId);
      const known = newest.get(key);
      if (known !== undefined && now() - known.atMs < freshForMs) return ok(known);
      const read = reads.get(key) ?? readHealth(connectionId, endpointId);
      reads.set(key, read);
      try {
        return await read;
      } finally {
        reads.delete(key);
      }
    },
  };
}
