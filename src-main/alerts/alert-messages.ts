import type { AlertCondition, AlertNotification, AlertRecord } from '../../src-preload/alert.ts';
import { alertNames, alertSpan, timesText } from '../../src-preload/messages/alert.ts';
import { formatCount, formatCountOf } from '../../src-preload/format.ts';
import { slowRunStandsMs, type Facts } from './evaluate.ts';

/** What made a rule fire, with the current figures. Pure. */
export function alertText(condition: AlertCondition, facts: Facts, nowMs: number): string {
  const newest = facts.readings.at(-1);
  const waiting = `${formatCountOf(newest?.inQueue ?? 0, 'job')} waiting`;
  switch (condition.kind) {
    case 'stuck-queue': {
      const idle = newest?.idle ?? 0;
      const workers = idle === 0 ? 'no idle worker' : `${idle} idle`;
      return `${waiting}, ${workers}, for ${alertSpan(condition.forMs)} or longer`;
    }
    case 'no-worker':
      return `${waiting} and no worker for ${alertSpan(condition.forMs)} or longer`;
    case 'failure-burst': {
      const own = facts.failures.filter(({ seenAtMs }) => seenAtMs > nowMs - condition.withinMs).length;
      return (
        `${formatCount(Math.max(own, risen(facts, nowMs - condition.withinMs)))} failed within ` +
        alertSpan(condition.withinMs)
      );
    }
    case 'slow-runs': {
      const slow = facts.longRuns.findLast(
        (run) => run.atMs > nowMs - slowRunStandsMs && run.executionMs > condition.timesP95 * run.p95Ms,
      );
      return slow === undefined
        ? `A run took over ${timesText(condition.timesP95)} p95`
        : `A run took ${alertSpan(slow.executionMs)}, over ${timesText(condition.timesP95)} the p95 of ` +
            alertSpan(slow.p95Ms);
    }
    case 'long-wait': {
      const waits = [...facts.queued.values()]
        .map(({ sinceMs }) => nowMs - sinceMs)
        .filter((ms) => ms >= condition.overMs);
      return (
        `${formatCountOf(waits.length, 'job')} ${waits.length === 1 ? 'waits' : 'wait'} longer than ` +
        alertSpan(condition.overMs)
      );
    }
  }
}

/** How much the counter of failures rose since then. A fall counts as a reset. */
function risen({ readings }: Facts, sinceMs: number): number {
  let sum = 0;
  for (let index = 1; index < readings.length; index += 1) {
    const before = readings[index - 1]?.failed;
    const after = readings[index];
    if (after !== undefined && after.atMs > sinceMs && after.failed !== null && before != null)
      sum += Math.max(0, after.failed - before);
  }
  return sum;
}

/** Title and body of one notification for all of these alerts. Pure. `clock` writes a local time. */
export function alertsMessage(
  alerts: readonly AlertRecord[],
  endpointName: (connectionId: string, endpointId: string) => string,
  clock: (atMs: number) => string,
): AlertNotification | null {
  const first = alerts[0];
  if (first === undefined) return null;
  const { connectionId, endpointId } = first;
  const isLate = alerts.some(({ delivery }) => delivery === 'held' || delivery === 'gathered');
  if (alerts.length === 1) {
    const over = first.endedAtMs === null ? '' : `, over since ${clock(first.endedAtMs)}`;
    const when = isLate ? ` At ${clock(first.firedAtMs)}${over}.` : '';
    return {
      title: `${alertNames[first.kind]} on ${endpointName(connectionId, endpointId)}`,
      body: `${first.text}.${when}`,
      connectionId,
      endpointId,
    };
  }
  const going = alerts.filter(({ endedAtMs }) => endedAtMs === null).length;
  const lines = alerts
    .slice(0, mostLines)
    .map(
      (alert) =>
        `${clock(alert.firedAtMs)} ${alertNames[alert.kind]} on ${endpointName(alert.connectionId, alert.endpointId)}`,
    );
  const more = alerts.length > mostLines ? [`and ${alerts.length - mostLines} more`] : [];
  const held = alerts.some(({ delivery }) => delivery === 'held') ? ' in quiet hours' : '';
  return {
    title: `${alerts.length} alerts${held}, ${going === 0 ? 'all ended' : `${going} still firing`}`,
    body: [...lines, ...more].join('\n'),
    connectionId,
    endpointId,
  };
}

/** How many lines of a notification desktops show. */
const mostLines = 4;
