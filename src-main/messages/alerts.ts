import { maxAlertRules, type AlertNotification, type AlertRecord } from '../../src-preload/alert.ts';
import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import { formatCount, formatCountOf, formatMinute, formatTimes } from '../../src-preload/format.ts';
import { alertNames, alertSpan } from '../../src-preload/messages/alert.ts';

/** What made a rule fire, with the current figures. */
export const firedText = {
  stuckQueue: (waiting: number, idle: number, forMs: number): string =>
    `${formatCountOf(waiting, 'job')} waiting, ${idle === 0 ? 'no idle worker' : `${idle} idle`}, for ` +
    `${alertSpan(forMs)} or longer`,
  noWorker: (waiting: number, forMs: number): string =>
    `${formatCountOf(waiting, 'job')} waiting and no worker for ${alertSpan(forMs)} or longer`,
  failureBurst: (failures: number, withinMs: number): string =>
    `${formatCount(failures)} failed within ${alertSpan(withinMs)}`,
  slowRun: (executionMs: number, p95Ms: number, timesP95: number): string =>
    `A run took ${alertSpan(executionMs)}, more than ${formatTimes(timesP95)} the p95 of ${alertSpan(p95Ms)}`,
  someSlowRun: (timesP95: number): string => `A run took more than ${formatTimes(timesP95)} the p95`,
  longWait: (jobs: number, overMs: number): string =>
    `${formatCountOf(jobs, 'job')} ${jobs === 1 ? 'waits' : 'wait'} longer than ${alertSpan(overMs)}`,
};

/** Why alert rules cannot be changed. */
export const alertRuleText = {
  noEndpoint: 'This endpoint no longer belongs to the connection.',
  noConnection: 'This connection no longer exists.',
  noRule: 'This alert rule no longer exists.',
  tooMany: `A connection has at most ${maxAlertRules} alert rules. Delete one you do not need.`,
  couldNotRead: 'The alert rules of this connection cannot be read now. Jobdeck tries again every 30 seconds.',
  couldNotSave: 'Could not save the alert rules. Check that the disk is not full, then try again.',
};

/** Title and body of one notification for all of these alerts. Pure. */
export function alertsMessage(
  alerts: readonly AlertRecord[],
  endpointName: (endpoint: EndpointRef) => string,
): AlertNotification | null {
  const first = alerts[0];
  if (first === undefined) return null;
  const { connectionId, endpointId } = first;
  const isLate = alerts.some(({ delivery }) => delivery === 'held' || delivery === 'gathered');
  if (alerts.length === 1) {
    const over = first.endedAtMs === null ? '' : `, over since ${formatMinute(first.endedAtMs)}`;
    const when = isLate ? ` At ${formatMinute(first.firedAtMs)}${over}.` : '';
    return {
      title: `${alertNames[first.kind]} on ${endpointName(first)}`,
      body: `${first.text}.${when}`,
      connectionId,
      endpointId,
    };
  }
  const going = alerts.filter(({ endedAtMs }) => endedAtMs === null).length;
  const lines = alerts
    .slice(0, maxLines)
    .map((alert) => `${formatMinute(alert.firedAtMs)} ${alertNames[alert.kind]} on ${endpointName(alert)}`);
  const more = alerts.length > maxLines ? [`and ${alerts.length - maxLines} more`] : [];
  const held = alerts.some(({ delivery }) => delivery === 'held') ? ' in quiet hours' : '';
  return {
    title: `${alerts.length} alerts${held}, ${going === 0 ? 'all ended' : `${going} still firing`}`,
    body: [...lines, ...more].join('\n'),
    connectionId,
    endpointId,
  };
}

/** How many lines of a notification desktops show. */
const maxLines = 4;
