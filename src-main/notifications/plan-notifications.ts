import type { Job } from '../../src-preload/job.ts';
import type { AppNotification, NotificationDelivery, NotifyWay } from '../../src-preload/notification.ts';
import type { QuietHours } from '../../src-preload/settings.ts';
import { isQuiet, nextMinute } from '../time/quiet-hours.ts';

/** More than this many within this time become one. */
export const burst = { max: 3, withinMs: 5_000 } as const;

/** How a notification is shown, unless the rules switch it off. */
export type ShownWay = Exclude<NotifyWay, 'off'>;

/**
 * How an outcome is notified. Null if the rules switch it off. `watched`: it is only listed, because the user has its
 * job in front of them. `due`: it is shown when `planNotifications` says. Pure.
 */
export function onArrival(
  way: NotifyWay,
  isWatched: boolean,
): { delivery: Extract<NotificationDelivery, 'watched' | 'due'>; way: ShownWay } | null {
  return way === 'off' ? null : { delivery: isWatched ? 'watched' : 'due', way };
}

/** How long the user waited for a job's end, as far as is known: what `over-a-minute` compares. In milliseconds. */
export function tookMs(
  { acceptedAtMs, createdAtMs, finishedSeenAtMs }: Pick<Job, 'acceptedAtMs' | 'createdAtMs' | 'finishedSeenAtMs'>,
  nowMs: number,
): number {
  return (finishedSeenAtMs ?? nowMs) - (acceptedAtMs ?? createdAtMs);
}

/** A notification that is not decided yet. */
export interface Waiting {
  id: number;
  kind: AppNotification['kind'];
  atMs: number;
  /** Why it is waiting. */
  delivery: 'due' | 'held' | 'gathered';
  way: ShownWay;
}

export interface NotificationPlanInput {
  /** Oldest first. */
  waiting: readonly Waiting[];
  /** When the last ones were shown, oldest first. */
  shownAtMs: readonly number[];
  quietHours: QuietHours;
  /** What comes with a sound and is no end of a job is shown in quiet hours too. */
  areLoudAlertsLetThrough: boolean;
  isUndisturbed: boolean;
  digestMs: number;
  nowMs: number;
  minuteOf?: (atMs: number) => number;
}

/** One notification on the desktop, for one or several events. */
export interface Showing {
  ids: number[];
  delivery: NotificationDelivery;
  hasSound: boolean;
}

export interface NotificationPlan {
  /** Those that now wait for another reason, or that are never shown. */
  changes: { id: number; delivery: NotificationDelivery }[];
  /** Shown now, in this order. */
  show: Showing[];
  /** When to plan again if no event comes, or null. */
  wakeAtMs: number | null;
}

/**
 * Which waiting notifications are shown now, together or individually, and which wait. Pure. Do-not-disturb drops all.
 * Quiet hours hold them back, and everything is one notification after them. Gathered ones become one when the digest
 * is due. Of the rest at most three are shown within five seconds; more become one.
 */
export function planNotifications(input: NotificationPlanInput): NotificationPlan {
  const { waiting, quietHours, areLoudAlertsLetThrough, isUndisturbed, digestMs, nowMs, minuteOf } = input;
  const become = (delivery: NotificationDelivery, of: readonly Waiting[]): NotificationPlan['changes'] =>
    of.filter((one) => one.delivery !== delivery).map(({ id }) => ({ id, delivery }));

  if (isUndisturbed) return { changes: become('undisturbed', waiting), show: [], wakeAtMs: null };
  const isQuietNow = isQuiet(quietHours, nowMs, minuteOf);
  const isHeld = ({ kind, way }: Waiting): boolean =>
    isQuietNow && !(areLoudAlertsLetThrough && way === 'with-sound' && (kind === 'alert' || kind === 'refusal'));
  const kept = waiting.filter(isHeld);
  const open = waiting.filter((one) => !isHeld(one));
  const changes = become('held', kept);
  const loudAtMs = kept.length === 0 ? null : nextMinute(quietHours, 'loud', nowMs, minuteOf);
  const wakes = loudAtMs === null ? [] : [loudAtMs];

  const held = open.filter(({ delivery }) => delivery === 'held');
  const gathered = open.filter(({ delivery, way }) => delivery !== 'held' && way === 'digest');
  const direct = open.filter(({ delivery, way }) => delivery !== 'held' && way !== 'digest');
  const show: Showing[] = [];
  if (held.length > 0) show.push(together(held, 'after-quiet-hours'));
  const digestAtMs = digestDueAtMs(gathered, digestMs);
  if (digestAtMs !== null) {
    if (nowMs >= digestAtMs) show.push(together(gathered, 'in-digest'));
    else {
      changes.push(...become('gathered', gathered));
      wakes.push(digestAtMs);
    }
  }
  const recent = input.shownAtMs.filter((atMs) => nowMs - atMs < burst.withinMs);
  const allowed = burst.max - recent.length - show.length;
  if (direct.length <= allowed) show.push(...direct.map((one) => together([one], 'shown')));
  else if (allowed > 0) show.push(together(direct, 'shown-together'));
  else {
    changes.push(...become('due', direct));
    wakes.push((recent[0] ?? nowMs) + burst.withinMs);
  }
  return { changes, show, wakeAtMs: wakes.length === 0 ? null : Math.min(...wakes) };
}

/** When the digest of these is due, in epoch milliseconds. The first is the oldest. Null if there are none. Pure. */
export function digestDueAtMs([first]: readonly Pick<Waiting, 'atMs'>[], digestMs: number): number | null {
  return first === undefined ? null : first.atMs + digestMs;
}

function together(of: readonly Waiting[], delivery: NotificationDelivery): Showing {
  return { ids: of.map(({ id }) => id), delivery, hasSound: of.some(({ way }) => way === 'with-sound') };
}
