import type { AlertNotification } from '../../src-preload/alert.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { createAlerts } from '../alerts/alerts.ts';
import type { Alerts, AlertsParts } from '../alerts/alerts.ts';
import { createMutes } from '../health/mutes.ts';
import { unpackSeries } from '../history/health/points.ts';
import type { History } from '../history/history.ts';
import { createJobKeys } from '../job/job-key.ts';
import type { News } from './news.ts';
import { fromHistory } from './storage.ts';

type AlertCall = Extract<keyof Handlers, `alert:${string}`>;

export interface EndpointAlerts extends Alerts {
  handlers: Pick<Handlers, AlertCall>;
  /** Who shows notifications, and answers whether one could be shown. Until then what is to be told waits. */
  showWith(show: (notification: AlertNotification) => boolean): void;
}

export interface EndpointAlertsParts extends Pick<
  AlertsParts,
  'liveJobs' | 'clock' | 'settings' | 'endpointName' | 'log'
> {
  history: AlertsParts['history'] & Pick<History, 'alerts' | 'healthSeries' | 'documents'>;
  emit: News['emit'];
}

/** Joins src-main/alerts with the history, the mutes of health, and the windows. */
export function createEndpointAlerts({
  history,
  liveJobs,
  clock,
  settings,
  endpointName,
  emit,
  log,
}: EndpointAlertsParts): EndpointAlerts {
  let show: ((notification: AlertNotification) => boolean) | null = null;
  const alerts = createAlerts({
    history,
    liveJobs,
    clock,
    settings,
    endpointName,
    log,
    // Ascending in time, as the history pages by it.
    newId: createJobKeys(clock.now, Math.random),
    pointsSince: async (connectionId, sinceMs) =>
      (await history.healthSeries(connectionId, null, sinceMs)).map(unpackSeries),
    // Read anew each time: the user mutes elsewhere, and alerts are few.
    mutedUntilMs: (connectionId, endpointId) =>
      createMutes({ documents: history, now: clock.now }).untilMs(connectionId, endpointId),
    show: (notification) => show?.(notification) ?? null,
    onChange: (overview) => emit('alert:changed', overview),
  });
  return {
    ...alerts,
    showWith(shower) {
      show = shower;
      alerts.tellingChanged();
    },
    handlers: {
      'alert:list': ({ connectionId }) => alerts.overview(connectionId),
      'alert:saveRule': (draft) => alerts.saveRule(draft),
      'alert:removeRule': ({ connectionId, ruleId }) => alerts.removeRule(connectionId, ruleId),
      'alert:restoreRule': ({ connectionId, rule, place }) => alerts.restoreRule(connectionId, rule, place),
      'alert:setOn': ({ connectionId, ruleId, endpointId, isOn }) =>
        alerts.setOn(connectionId, ruleId, endpointId, isOn),
      'alert:history': ({ connectionId, endpointId, beforeId, limit }) =>
        fromHistory(history.alerts(connectionId, endpointId, beforeId, limit)),
    },
  };
}
