import type { z } from 'zod';
import type { Destination } from './destination.ts';
import { statusKind, type Job, type StatusKind } from './job.ts';
import { minuteMs } from './durations.ts';
import type { doNotDisturb, notifyChoice, notifyRules } from './notification-schema.ts';

export type NotifyChoice = z.infer<typeof notifyChoice>;
/** The effect of a choice on one outcome. */
export type NotifyWay = Exclude<NotifyChoice, 'over-a-minute'>;
export type NotifyRules = z.infer<typeof notifyRules>;
export type NotifyRow = NotifyRules['rows'][number];
export type DoNotDisturb = z.infer<typeof doNotDisturb>;

/** The outcomes that rules distinguish: the columns of their table. */
export type NotifyOutcome = keyof NotifyRules['all'];

export const notifyOutcomes: readonly NotifyOutcome[] = ['completed', 'failed', 'timedOut', 'alerts'];

/** The subject of an outcome. */
export interface NotifySubject {
  connectionId: string;
  /** Null: the connection as a whole. */
  endpointId: string | null;
  tags: readonly string[];
}

/** The choice for an outcome: that of the last row that applies and has one, or else that of `all`. Pure. */
export function choiceFor(rules: NotifyRules, subject: NotifySubject, outcome: NotifyOutcome): NotifyChoice {
  const row = rules.rows.findLast(({ of, cells }) => cells[outcome] !== null && isAbout(of, subject));
  return row?.cells[outcome] ?? rules.all[outcome];
}

/** How an outcome is notified that took this long. Pure. */
export function wayFor(choice: NotifyChoice, tookMs: number): NotifyWay {
  if (choice !== 'over-a-minute') return choice;
  return tookMs > minuteMs ? 'notify' : 'off';
}

function isAbout(about: NotifyRow['of'], { connectionId, endpointId, tags }: NotifySubject): boolean {
  switch (about.kind) {
    case 'endpoint':
      return about.connectionId === connectionId && about.endpointId === endpointId;
    case 'tag':
      return tags.some((tag) => tag.toLowerCase() === about.tag.toLowerCase());
  }
}

/** Whether both mean the same endpoint or tag. */
export function isSameSubject(one: NotifyRow['of'], other: NotifyRow['of']): boolean {
  if (one.kind === 'endpoint' && other.kind === 'endpoint')
    return one.connectionId === other.connectionId && one.endpointId === other.endpointId;
  return one.kind === 'tag' && other.kind === 'tag' && one.tag.toLowerCase() === other.tag.toLowerCase();
}

/**
 * The column for a job's end. A cancelled job ended as wanted. One without output has failed (ruling 30), and so has
 * one that is gone or of unknown outcome.
 */
export function outcomeOf(
  job: Pick<Job, 'phase' | 'status' | 'reason' | 'isWithoutOutput' | 'pendingStream'>,
): NotifyOutcome {
  const outcome = outcomeOfKind[statusKind(job)];
  return outcome === 'completed' && job.isWithoutOutput && job.pendingStream === undefined ? 'failed' : outcome;
}

const outcomeOfKind: Readonly<Record<StatusKind, NotifyOutcome>> = {
  done: 'completed',
  cancel: 'completed',
  queue: 'completed',
  run: 'completed',
  'to-send': 'completed',
  orphaned: 'completed',
  fail: 'failed',
  gone: 'failed',
  unknown: 'failed',
  timeout: 'timedOut',
};

/** Whether do-not-disturb is on now. */
export function isUndisturbed({ isOn, untilMs }: DoNotDisturb, nowMs: number): boolean {
  return isOn && (untilMs === null || nowMs < untilMs);
}

/** How the user was notified, or why not (yet). */
export type NotificationDelivery =
  /** About to be shown. */
  | 'due'
  /** Held back by quiet hours, to be shown after them. */
  | 'held'
  /** Gathered for the next digest. */
  | 'gathered'
  | 'shown'
  /** Shown together with others that came at the same time. */
  | 'shown-together'
  | 'in-digest'
  | 'after-quiet-hours'
  /** Listed only: do-not-disturb was on. */
  | 'undisturbed'
  /** Listed only: its job was open in the window that had the focus. */
  | 'watched'
  /** Listed only: the user muted the cause of the failure. */
  | 'muted'
  /** Listed only: because of the rules, or because the desktop shows none. */
  | 'off';

export const notificationDeliveries: readonly NotificationDelivery[] = [
  'due',
  'held',
  'gathered',
  'shown',
  'shown-together',
  'in-digest',
  'after-quiet-hours',
  'undisturbed',
  'watched',
  'muted',
  'off',
];

export const notificationKinds = ['job', 'batch', 'alert', 'refusal'] as const;
type NotificationKind = (typeof notificationKinds)[number];

/** A notification as it is saved. */
export interface AppNotification {
  /** Ascending in time. */
  id: number;
  /** The identity of its subject: nothing is reported twice. See `reportedIds`. */
  about: string;
  kind: NotificationKind;
  /** Its status glyph. Null if it is not about the end of jobs. */
  statusKind: StatusKind | null;
  title: string;
  body: string;
  atMs: number;
  connectionId: string;
  endpointId: string | null;
  jobKey: string | null;
  batchId: string | null;
  /** Something of the output of its job is saved here now. */
  hasOutput: boolean;
  delivery: NotificationDelivery;
  deliveredAtMs: number | null;
  /** The first of those it was shown together with. Null if it was shown alone, or not at all. */
  togetherId: number | null;
  isSeen: boolean;
}

/** What a notification opens. */
export function destinationOf({
  jobKey,
  batchId,
  kind,
  connectionId,
  endpointId,
}: Pick<AppNotification, 'jobKey' | 'batchId' | 'kind' | 'connectionId' | 'endpointId'>): Destination {
  if (jobKey !== null) return { kind: 'job', key: jobKey };
  if (batchId !== null) return { kind: 'batch', id: batchId };
  if (kind === 'alert' && endpointId !== null) return { kind: 'health', connectionId, endpointId };
  return { kind: 'home' };
}

export interface NotificationPage {
  /** Newest first. */
  notifications: AppNotification[];
  hasMore: boolean;
}

/** What waits for the next digest. */
export interface GatheredNotifications {
  count: number;
  /** Epoch milliseconds; null while nothing waits. */
  dueAtMs: number | null;
}

/** What still continues and stays at the top of the notification centre. */
export interface Ongoing {
  /** Its identity among the others. For a refusal or an alert also one of the `reportedIds` of its notification. */
  id: string;
  kind: 'refusal' | 'alert' | 'stream' | 'unknown' | 'not-known';
  title: string;
  text: string;
  sinceMs: number;
  /** The first few of the jobs it is about, oldest first. */
  jobs: Job[];
  connectionId: string;
  endpointId: string | null;
}

const alertsPrefix = 'alerts/';

/** The `about` of a notification that reports these alerts. */
export function aboutAlerts(alertIds: readonly string[]): string {
  return `${alertsPrefix}${alertIds.join(',')}`;
}

/** The identities of what a notification reports: one for each of its alerts, otherwise its own. Pure. */
export function reportedIds({ about }: Pick<AppNotification, 'about'>): string[] {
  if (!about.startsWith(alertsPrefix)) return [about];
  return about
    .slice(alertsPrefix.length)
    .split(',')
    .map((id) => aboutAlerts([id]));
}

/** Whether the user should check a job with this status. */
export function isFailedKind(kind: StatusKind): boolean {
  const outcome = outcomeOfKind[kind];
  return outcome === 'failed' || outcome === 'timedOut';
}
