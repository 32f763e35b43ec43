import { minuteMs } from '../../src-preload/durations.ts';
import type { AlertDelivery, AlertRecord } from '../../src-preload/alert.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { isQuiet, nextMinute } from '../time/quiet-hours.ts';

/** The least time between notifications. */
export const notifyEveryMs = minuteMs;

/** What happens to alerts that have not been shown. */
export interface AlertPlan {
  /** Alerts that now wait for another reason, or that are never shown. Without those of `now`. */
  changes: { id: string; delivery: AlertDelivery }[];
  /** Shown now in one notification, in the order they fired, with the delivery to save for each. */
  now: { id: string; delivery: AlertDelivery }[];
  /** When to plan again even if nothing fires, or null. */
  wakeAtMs: number | null;
}

type PendingAlert = Pick<AlertRecord, 'id' | 'connectionId' | 'endpointId' | 'firedAtMs' | 'delivery'>;

export interface AlertPlanInput {
  /** Alerts whose notification is not decided yet. */
  pending: readonly PendingAlert[];
  settings: Pick<Settings, 'quietHours' | 'digest'>;
  /** Whether its endpoint is muted. */
  isMuted: (alert: PendingAlert) => boolean;
  /** Whether notifications of its endpoint are disabled. */
  isOff: (alert: PendingAlert) => boolean;
  /** Whether it is shown in quiet hours too. */
  isLetThrough: (alert: PendingAlert) => boolean;
  /** When the last notification was shown, or null. */
  lastShownAtMs: number | null;
  nowMs: number;
  minuteOf?: (atMs: number) => number;
}

/** True until it is decided whether and how an alert is shown. */
export function isPending(delivery: AlertDelivery): boolean {
  return delivery === 'due' || delivery === 'held' || delivery === 'gathered';
}

function changing(changes: AlertPlan['changes']): (record: PendingAlert, delivery: AlertDelivery) => void {
  return (record, delivery) => {
    if (record.delivery !== delivery) changes.push({ id: record.id, delivery });
  };
}

/**
 * Which pending alerts are shown now, later or never. Pure. At most one notification per minute. Nothing in quiet
 * hours; everything together after them. With a digest, alerts are gathered for its period, starting with the first,
 * and then shown together.
 */
export function planAlerts(input: AlertPlanInput): AlertPlan {
  const { settings, isMuted, isOff, isLetThrough, nowMs, minuteOf } = input;
  const changes: AlertPlan['changes'] = [];
  const become = changing(changes);
  for (const record of input.pending.filter(isOff)) become(record, 'off');
  const pending = input.pending.filter((record) => !isOff(record));
  const muted = pending.filter(isMuted);
  for (const record of muted) become(record, 'muted');
  const open = pending.filter((record) => !muted.includes(record)).toSorted((a, b) => a.firedAtMs - b.firedAtMs);
  if (open.length === 0) return { changes, now: [], wakeAtMs: null };
  if (!isQuiet(settings.quietHours, nowMs, minuteOf)) return planOpen(input, open, changes);
  const quiet = open.filter((record) => !isLetThrough(record));
  for (const record of quiet) become(record, 'held');
  const loudAtMs = quiet.length === 0 ? null : nextMinute(settings.quietHours, 'loud', nowMs, minuteOf);
  const through = planOpen(input, open.filter(isLetThrough), changes);
  const wakes = [through.wakeAtMs, loudAtMs].filter((atMs) => atMs !== null);
  return { ...through, wakeAtMs: wakes.length === 0 ? null : Math.min(...wakes) };
}

/** Which of the alerts that nothing holds back are shown now. `open`: in the order they fired. Adds to `changes`. */
function planOpen(
  { settings, lastShownAtMs, nowMs }: AlertPlanInput,
  open: readonly PendingAlert[],
  changes: AlertPlan['changes'],
): AlertPlan {
  if (open.length === 0) return { changes, now: [], wakeAtMs: null };
  const become = changing(changes);
  const digestMs = settings.digest.isOn ? settings.digest.everyMinutes * minuteMs : null;
  const held = open.filter(({ delivery }) => delivery === 'held');
  const rest = open.filter(({ delivery }) => delivery !== 'held');
  const digestAtMs = digestMs === null || rest[0] === undefined ? null : rest[0].firedAtMs + digestMs;
  const isDigestDue = digestAtMs === null || nowMs >= digestAtMs || held.length > 0;
  const showable = isDigestDue ? open : held;
  if (!isDigestDue) for (const record of rest) become(record, 'gathered');
  const openAtMs = lastShownAtMs === null ? -Infinity : lastShownAtMs + notifyEveryMs;
  if (showable.length > 0 && nowMs >= openAtMs) {
    const shownAs = (delivery: AlertDelivery): AlertDelivery =>
      delivery === 'held' ? 'after-quiet-hours' : digestMs !== null ? 'in-digest' : 'notified';
    return {
      changes,
      now: showable.map(({ id, delivery }) => ({ id, delivery: shownAs(delivery) })),
      wakeAtMs: isDigestDue ? null : digestAtMs,
    };
  }
  if (isDigestDue) for (const record of rest) become(record, digestMs === null ? 'due' : 'gathered');
  return { changes, now: [], wakeAtMs: Math.max(openAtMs, isDigestDue ? nowMs : (digestAtMs ?? nowMs)) };
}
