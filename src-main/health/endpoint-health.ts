import { minuteMs } from '../../src-preload/durations.ts';
import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { Health, HealthReadFailure, HealthTrend } from '../../src-preload/health.ts';
import type { Connection } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import { diagnose } from './diagnosis/diagnose.ts';
import { DiagnosisUpdates } from './diagnosis-updates.ts';
import { createMutedEndpoints } from './muted-endpoints.ts';
import { createBackgroundReads, type BackgroundReadsParts } from './background-reads.ts';
import { createHealthWatch, type HealthWatch } from './watch.ts';
import { unpackSeries } from '../history/health/points.ts';
import type { History } from '../history/history.ts';
import type { Clock } from '../time/clock.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { createThrottle, type Throttle } from '../time/timers.ts';
import { ok, type Failure, type Result } from '../../src-preload/failure.ts';

/**
 * The health of endpoints: readings are saved, shown and diagnosed. Endpoints whose jobs changed or that are on screen
 * are read again, and the others once a minute.
 */
export interface EndpointHealth extends HealthMonitor {
  watch: Pick<HealthWatch, 'set'>;
  diagnoses: Pick<DiagnosisUpdates, 'of' | 'mute'>;
  jobsChanged(jobs: readonly Job[]): void;
  windowClosed(windowId: number): void;
  /** Until when alerts of an endpoint are muted, or null. */
  mutedUntilMs(connectionId: string, endpointId: string): Promise<number | null>;
  setWindowVisible(isVisible: boolean): void;
  /** The current connections, whose endpoints are read in the background. */
  connectionsChanged(connections: readonly Connection[]): void;
  connectionRemoved(connectionId: string): void;
  settingsChanged(): void;
  close(): void;
}

export interface EndpointHealthParts extends Pick<
  HealthMonitorParts,
  'readHealth' | 'onChange' | 'onReadFailed' | 'onTrouble'
> {
  history: History;
  liveJobs: () => readonly Job[];
  clock: Clock;
  isPaused: () => boolean;
  background: Pick<BackgroundReadsParts, 'isOn' | 'wayTo' | 'hasOwnRule'>;
  /** Called when an endpoint's findings changed. */
  onDiagnosis: (diagnosis: EndpointDiagnosis) => void;
}

/** Creates the parts of src-main/health, which know each other only through what is passed here. */
export function createEndpointHealth(parts: EndpointHealthParts): EndpointHealth {
  const { history, liveJobs, clock, readHealth, isPaused, onDiagnosis, onTrouble } = parts;

  const mutes = createMutedEndpoints({ documents: history, now: clock.now });
  const monitor = createHealthMonitor({
    history,
    clock,
    readHealth,
    onChange(health: Health) {
      watch.noted(health);
      background.noted(health);
      parts.onChange(health);
      diagnoses.noted(health);
    },
    onReadFailed: parts.onReadFailed,
    onTrouble,
  });
  const refresh: HealthMonitor['refresh'] = (connectionId, endpointId) =>
    monitor.refresh(connectionId, endpointId, { isAutomatic: true });
  const watch = createHealthWatch({ clock, refresh, isPaused });
  const background = createBackgroundReads({
    ...parts.background,
    clock,
    isPaused,
    refresh,
    latest: (connectionId) => history.latestHealth(connectionId),
    onTrouble,
  });
  const afterChange = createHealthAfterChange({ clock, refresh });
  const diagnoses = new DiagnosisUpdates({
    clock,
    diagnose,
    mutes,
    series: async (connectionId, endpointId, sinceMs) => {
      const [kept] = await history.healthSeries(connectionId, endpointId, sinceMs);
      return kept === undefined ? null : unpackSeries(kept);
    },
    latest: (connectionId) => history.latestHealth(connectionId),
    runTimes: (connectionId) => history.runTimes(connectionId),
    liveJobs,
    recentEnds: (connectionId, endpointId, sinceMs, limit) =>
      history.recentEnds(connectionId, endpointId, sinceMs, limit),
    onChange: onDiagnosis,
    onTrouble,
  });

  return {
    ...monitor,
    watch: {
      set(windowId, connectionId, endpointIds) {
        watch.set(windowId, connectionId, endpointIds);
        const [endpointId, ...others] = endpointIds;
        // The page of all endpoints does not show which of them matter to the user.
        if (endpointId !== undefined && others.length === 0) background.used({ connectionId, endpointId });
      },
    },
    diagnoses,
    jobsChanged(jobs) {
      for (const job of jobs) background.used(job);
      afterChange.jobsChanged(jobs);
      diagnoses.jobsChanged(jobs);
    },
    mutedUntilMs: mutes.untilMs,
    windowClosed: watch.forget,
    setWindowVisible: watch.setVisible,
    connectionsChanged: background.connectionsChanged,
    settingsChanged: background.settingsChanged,
    connectionRemoved: (connectionId) => diagnoses.forget(connectionId),
    close() {
      afterChange.close();
      watch.close();
      background.close();
      diagnoses.close();
    },
  };
}

/** An endpoint's health is read again after its jobs changed, at most this often. */
const gapMs = 5_000;

export interface HealthAfterChange {
  jobsChanged(jobs: readonly Job[]): void;
  close(): void;
}

/**
 * Keeps the worker counts in windows up to date while jobs change: one health read after jobs were accepted, started or
 * ended, and always one after the last change. Nothing is read while nothing changes.
 */
export function createHealthAfterChange(parts: {
  clock: Clock;
  refresh: (connectionId: string, endpointId: string) => Promise<unknown>;
}): HealthAfterChange {
  const { clock, refresh } = parts;
  /** The last known phase and status of each job. */
  const lastStates = new Map<string, string>();
  const reads = new Map<string, Throttle>();

  function readSoon({ connectionId, endpointId }: Job): void {
    const key = endpointKey({ connectionId, endpointId });
    // A failure is shown with the connection. It is not reported again for a sidebar figure.
    const run = (): void => void refresh(connectionId, endpointId).catch(() => undefined);
    const read = reads.get(key) ?? createThrottle({ clock, gapMs, run });
    reads.set(key, read);
    read.request();
  }

  return {
    jobsChanged(jobs) {
      for (const job of jobs) {
        const state = `${job.phase} ${job.status ?? ''}`;
        if (lastStates.get(job.key) === state) continue;
        // A job that was not sent changes nothing at the service.
        const isSent = job.jobId !== null;
        if (job.phase === 'active' || !isSent) lastStates.set(job.key, state);
        else lastStates.delete(job.key);
        if (isSent) readSoon(job);
      }
    },
    close() {
      for (const read of reads.values()) read.cancel();
      reads.clear();
    },
  };
}

/** How far back a trend reaches. */
export const trendSpanMs = 30 * minuteMs;
/**
 * A health that was read less than this ago is not read again (ruling 20: at most one read per second and endpoint).
 */
const freshForMs = 1_000;

/** How a health is read. */
interface ReadHow {
  /** No user asked for it, so it is not read while the service asks for a pause (ruling 10). */
  isAutomatic?: boolean;
}

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
  refresh(connectionId: string, endpointId: string, how?: ReadHow): Promise<Result<Health>>;
}

export interface HealthMonitorParts {
  history: Pick<History, 'addHealth' | 'latestHealth' | 'healthTrends'>;
  clock: Pick<Clock, 'now'>;
  /**
   * Reads an endpoint's health from the service. Waits if the last try was less than a second ago. The reader also
   * passes it to `note`.
   */
  readHealth: (connectionId: string, endpointId: string, how?: ReadHow) => Promise<Result<Health>>;
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

    async refresh(connectionId, endpointId, how) {
      const key = endpointKey({ connectionId, endpointId });
      const known = newest.get(key);
      if (known !== undefined && clock.now() - known.atMs < freshForMs) return ok(known);
      const shared = reads.get(key);
      if (shared !== undefined) return shared;
      const read = readHealth(connectionId, endpointId, how);
      reads.set(key, read);
      try {
        const answer = await read;
        // If Jobdeck did not ask, why the last real read failed is still true.
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
