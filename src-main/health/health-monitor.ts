import { minuteMs } from '../../src-preload/durations.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Health, HealthReadFailure, HealthTrend } from '../../src-preload/health.ts';
import type { History } from '../history/history.ts';
import { healthGapMs, type HealthReadOptions } from '../service/health-reads.ts';
import type { Clock } from '../time/clock.ts';

/** How far back a trend reaches. */
export const trendSpanMs = 30 * minuteMs;
/** What is known of endpoints: the last health, and a sparse history of it. */
export interface HealthMonitor {
  /** Takes a health reading of any origin: saves it, then calls `onChange`. */
  note(health: Health): Promise<void>;
  /** The last reading and the last half hour of a connection's endpoints, and why the last read of some failed. */
  latest(connectionId: string): Promise<{ health: Health[]; trends: HealthTrend[]; failures: HealthReadFailure[] }>;
  /**
   * For a window that shows an endpoint: reads it once, unless that was just done or is in progress. This object reads
   * nothing otherwise.
   */
  refresh(connectionId: string, endpointId: string, options?: HealthReadOptions): Promise<Result<Health>>;
}

export interface HealthMonitorParts {
  history: Pick<History, 'addHealth' | 'latestHealth' | 'healthTrends'>;
  clock: Pick<Clock, 'now'>;
  /**
   * Reads an endpoint's health from the service. Waits if the last try was less than a second ago. The reader also
   * passes it to `note`.
   */
  readHealth: (connectionId: string, endpointId: string, options?: HealthReadOptions) => Promise<Result<Health>>;
  /** Called after it is saved. */
  onChange: (health: Health) => void;
  /** Called for each request that `refresh` sent and that failed. */
  onReadFailed: (connectionId: string, endpointId: string, failure: Failure) => void;
  /** It could not be saved. `onChange` is called anyway. */
  onTrouble: (error: unknown) => void;
}

/** Saves, shares and reports health readings. */
export function createHealthMonitor(parts: HealthMonitorParts): HealthMonitor {
  const { history, clock, readHealth, onChange, onReadFailed, onTrouble } = parts;
  const reads = new Map<string, Promise<Result<Health>>>();
  const newest = new Map<string, Health>();
  const failures = new Map<string, HealthReadFailure & { connectionId: string }>();

  return {
    async note(health) {
      const key = endpointKey(health);
      // Answers can overtake each other. The newest is kept.
      if (health.atMs < (newest.get(key)?.atMs ?? 0)) return;
      newest.set(key, health);
      failures.delete(key);
      await history.addHealth(health).catch(onTrouble);
      onChange(health);
    },

    async latest(connectionId) {
      const [health, trends] = await Promise.all([
        history.latestHealth(connectionId),
        history.healthTrends(connectionId, clock.now() - trendSpanMs),
      ]);
      const failed = [...failures.values()].filter((one) => one.connectionId === connectionId);
      return { health, trends, failures: failed.map(({ endpointId, message }) => ({ endpointId, message })) };
    },

    async refresh(connectionId, endpointId, options) {
      const key = endpointKey({ connectionId, endpointId });
      const known = newest.get(key);
      if (known !== undefined && clock.now() - known.atMs < healthGapMs) return ok(known);
      const shared = reads.get(key);
      if (shared !== undefined) return shared;
      const read = readHealth(connectionId, endpointId, options);
      reads.set(key, read);
      try {
        const answer = await read;
        // Jobdeck itself sent nothing, so the reason why the last real read failed is still the right one.
        if (!answer.ok && answer.failure.kind !== 'refused') {
          failures.set(key, { connectionId, endpointId, message: answer.failure.message });
          onReadFailed(connectionId, endpointId, answer.failure);
        }
        return answer;
      } finally {
        reads.delete(key);
      }
    },
  };
}
