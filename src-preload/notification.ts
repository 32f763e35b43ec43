import type { z } from 'zod';
import type { Destination } from './app.ts';
import { statusKind, type Job, type StatusKind } from './job.ts';
import { minuteMs } from './durations.ts';
import type { doNotDisturb, notifyChoice, notifyRules } from './notification-schema.ts';

export type NotifyChoice = z.infer<typeof notifyChoice>;
/** What a choice comes to for one outcome. */
export type NotifyWay = Exclude<NotifyChoice, 'over-a-minute'>;
export type NotifyRules = z.infer<typeof notifyRules>;
export type NotifyRow = NotifyRules['rows'][number];
export type DoNotDisturb = z.infer<typeof doNotDisturb>;

/** What rules tell apart: the columns of their table. */
export type NotifyOutcome = keyof NotifyRules['all'];

export const notifyOutcomes: readonly NotifyOutcome[] = ['completed', 'failed', 'timedOut', 'alerts'];

/** What an outcome is of. */
export interface NotifySubject {
  connectionId: string;
  /** Null: of the connection as a whole. */
  endpointId: string | null;
  tags: readonly string[];
}

/** What the rules say of an outcome: the lowest row that is about it and says anything, else `all`. Pure. */
export function choiceFor(rules: NotifyRules, subject: NotifySubject, outcome: NotifyOutcome): NotifyChoice {
  const row = rules.rows.findLast(({ of, cells }) => cells[outcome] !== null && isAbout(of, subject));
  return row?.cells[outcome] ?? rules.all[outcome];
}

/** How something that took so long is notified. Pure. */
export function wayFor(choice: NotifyChoice, tookMs: number): NotifyWay {
  if (choice !== 'over-a-minute') return choice;
  return tookMs > minuteMs ? 'notify' : 'off';
}

function isAbout(of: NotifyRow['of'], { connectionId, endpointId, tags }: NotifySubject): boolean {
  switch (of.kind) {
    case 'endpoint':
      return of.connectionId === connectionId && of.endpointId === endpointId;
    case 'tag':
      return tags.some((tag) => tag.toLowerCase() === of.tag.toLowerCase());
  }
}

/** Whether the same endpoint or tag is meant. */
export function isSameSubject(one: NotifyRow['of'], other: NotifyRow['of']): boolean {
  if (one.kind === 'endpoint' && other.kind === 'endpoint')
    return one.connectionId === other.connectionId && one.endpointId === other.endpointId;
  return one.kind === 'tag' && other.kind === 'tag' && one.tag.toLowerCase() === other.tag.toLowerCase();
}

/**
 * The column a job's end belongs to. A job that was cancelled ended as wanted; one without output has failed (ruling
 * 30), and so has one that is gone or of unknown outcome.
 */
export function outcomeOf(
  job: Pick<Job, 'phase' | 'status' | 'reason' | 'isWithoutOutput' | 'pendingStream'>,
): NotifyOutcome {
  const outcome = outcomeOfLook[statusKind(job)];
  return outcome === 'completed' && job.isWithoutOutput && job.pendingStream === undefined ? 'failed' : outcome;
}

const outcomeOfLook: Readonly<Record<StatusKind, NotifyOutcome>> = {
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

/** How a notification came to its user, or why it did not (yet). */
export type NotificationDelivery =
  /** About to be shown. */
  | 'due'
  /** Held back by quiet hours, shown after them. */
  | 'held'
  /** Gathered for the next digest. */
  | 'gathered'
  | 'shown'
  /** Shown in one notification with others that came at the same time. */
  | 'shown-together'
  | 'in-digest'
  | 'after-quiet-hours'
  /** Listed only: do-not-disturb was on. */
  | 'undisturbed'
  /** Listed only: its job was open in the window that had the focus. */
  | 'watched'
  /** Listed only: the user muted the cause of the failure. */
  | 'muted'
  /** Listed only: by the rules, or because the desktop shows none. */
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

/** Something Jobdeck had to say, as it is kept. */
export interface AppNotification {
  /** Ascending in time. */
  id: number;
  kind: NotificationKind;
  /** How it looks; null for what is no end of jobs. */
  look: StatusKind | null;
  title: string;
  body: string;
  atMs: number;
  connectionId: string;
  endpointId: string | null;
  jobKey: string | null;
  batchId: string | null;
  delivery: NotificationDelivery;
  deliveredAtMs: number | null;
  /** The first of those it was shown together with; null where it was shown alone, or not. */
  togetherId: number | null;
  isSeen: boolean;
}

/** Where a notification leads. */
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

/** What is not over yet and stays on top of the notification centre. */
export interface Ongoing {
  /** What tells it from the others. */
  id: string;
  kind: 'refusal' | 'alert' | 'stream' | 'unknown' | 'not-known';
  title: string;
  text: string;
  sinceMs: number;
  /** The jobs it is about, oldest first; the first few only. */
  jobs: Job[];
  connectionId: string;
  endpointId: string | null;
}

/** Whether a job that looks so needs a look of its user. */
export function isFailedLook(look: StatusKind): boolean {
  const outcome = outcomeOfLook[look];
  return outcome === 'failed' || outcome === 'timedOut';
}
