import type { EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Job } from '../../src-preload/job.ts';
import { diagnose } from './diagnosis.ts';
import { createJudge } from './judge.ts';
import type { Judge } from './judge.ts';
import { createHealthMonitor } from './monitor.ts';
import type { HealthMonitor, HealthMonitorParts } from './monitor.ts';
import { createMutes } from './mutes.ts';
import { createHealthWatch } from './watch.ts';
import type { HealthWatch } from './watch.ts';
import { unpackSeries } from '../history/health/points.ts';
import type { History } from '../history/history.ts';
import type { Clock } from '../time/clock.ts';
import { createHealthAfterChange } from './health-after-change.ts';

/** Endpoints' health: what was read is kept, told and judged, and what moves or is on view is read again. */
export interface EndpointHealth extends HealthMonitor {
  watch: Pick<HealthWatch, 'set'>;
  judge: Pick<Judge, 'of' | 'mute'>;
  jobsChanged(jobs: readonly Job[]): void;
  windowClosed(windowId: number): void;
  /** Until when alerts of an endpoint are muted; null: they are not. */
  mutedUntilMs(connectionId: string, endpointId: string): Promise<number | null>;
  setWindowVisible(isVisible: boolean): void;
  connectionRemoved(connectionId: string): void;
  close(): void;
}

export interface EndpointHealthParts extends Pick<HealthMonitorParts, 'readHealth' | 'onChange' | 'onTrouble'> {
  history: Pick<
    History,
    | 'addHealth'
    | 'latestHealth'
    | 'healthTrends'
    | 'healthSeries'
    | 'runTimes'
    | 'recentEnds'
    | 'documents'
    | 'putDocument'
    | 'readDocument'
    | 'removeDocument'
  >;
  liveJobs: () => readonly Job[];
  clock: Clock;
  isPaused: () => boolean;
  /** An endpoint's findings are not as they were. */
  onDiagnosis: (diagnosis: EndpointDiagnosis) => void;
}

/** Joins what src-main/health is made of; its parts know each other only through what is passed here. */
export function createEndpointHealth(parts: EndpointHealthParts): EndpointHealth {
  const { history, liveJobs, clock, readHealth, isPaused, onDiagnosis, onTrouble } = parts;

  const mutes = createMutes({ documents: history, now: clock.now });
  const monitor = createHealthMonitor({
    history,
    now: clock.now,
    readHealth,
    onChange(health: Health) {
      watch.noted(health);
      parts.onChange(health);
      judge.noted(health);
    },
    onTrouble,
  });
  const watch = createHealthWatch({ clock, refresh: monitor.refresh, isPaused });
  const afterChange = createHealthAfterChange({ clock, refresh: monitor.refresh });
  const judge = createJudge({
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
    watch,
    judge,
    jobsChanged(jobs) {
      afterChange.jobsChanged(jobs);
      judge.jobsChanged(jobs);
    },
    mutedUntilMs: mutes.untilMs,
    windowClosed: watch.forget,
    setWindowVisible: watch.setVisible,
    connectionRemoved: judge.forget,
    close() {
      afterChange.close();
      watch.close();
      judge.close();
    },
  };
}
