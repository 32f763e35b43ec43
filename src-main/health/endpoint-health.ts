import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Connection } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import { diagnose } from './diagnosis/diagnose.ts';
import { DiagnosisUpdates } from './diagnosis-updates.ts';
import { createHealthAfterChange } from './health-after-change.ts';
import { createHealthMonitor, type HealthMonitor, type HealthMonitorParts } from './health-monitor.ts';
import { createMutedEndpoints } from './muted-endpoints.ts';
import { BackgroundReads, type BackgroundReadsParts } from './background-reads.ts';
import { createHealthWatch, type HealthWatch } from './watch.ts';
import { unpackSeries } from '../history/health/points.ts';
import type { History } from '../history/history.ts';
import type { Clock } from '../time/clock.ts';

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
  const background = new BackgroundReads({
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
    connectionsChanged: (connections) => background.connectionsChanged(connections),
    settingsChanged: () => background.settingsChanged(),
    connectionRemoved: (connectionId) => diagnoses.forget(connectionId),
    close() {
      afterChange.close();
      watch.close();
      background.close();
      diagnoses.close();
    },
  };
}
