import type { Handlers } from '../../src-preload/contract.ts';
import { fromHistory, type History } from '../history/history.ts';
import type { Alerts } from './alerts.ts';

type AlertCall = Extract<keyof Handlers, `alert:${string}`>;

/** Handlers of the calls about alert rules and past alerts. */
export function alertHandlers(alerts: Alerts, history: Pick<History, 'alerts'>): Pick<Handlers, AlertCall> {
  return {
    'alert:list': ({ connectionId }) => alerts.overview(connectionId),
    'alert:saveRule': (draft) => alerts.saveRule(draft),
    'alert:removeRule': ({ connectionId, ruleId }) => alerts.removeRule(connectionId, ruleId),
    'alert:restoreRule': ({ connectionId, rule, place }) => alerts.restoreRule(connectionId, rule, place),
    'alert:setOn': ({ connectionId, ruleId, endpointId, isOn }) => alerts.setOn(connectionId, ruleId, endpointId, isOn),
    'alert:history': ({ connectionId, endpointId, beforeId, limit }) =>
      fromHistory(history.alerts(connectionId, endpointId, beforeId, limit)),
  };
}
