import { dayMs, weekMs } from './durations.ts';

/**
 * A health reading older than this says nothing about the endpoint's present state. The sidebar also treats it as old.
 */
export const readingValidMs = 90_000;

/** When a rule fires, with its figures. Durations are milliseconds. */
export type AlertCondition =
  /** More than `overJobs` jobs wait for `forMs`. With `isNoneIdle`: only while no worker is idle. */
  | { kind: 'stuck-queue'; overJobs: number; forMs: number; isNoneIdle: boolean }
  /** More than `overFailures` jobs failed within `withinMs`. */
  | { kind: 'failure-burst'; overFailures: number; withinMs: number }
  /** A run took longer than `timesP95` times the endpoint's learned p95. */
  | { kind: 'slow-runs'; timesP95: number }
  /** Jobs wait and there is no worker for `forMs`. */
  | { kind: 'no-worker'; forMs: number }
  /** One of our jobs waits longer than `overMs`. */
  | { kind: 'long-wait'; overMs: number };

/** What an alert rule checks. */
export type AlertKind = AlertCondition['kind'];

/** What each kind is judged by: the endpoint's health, which includes the jobs of others, or our own jobs alone. */
const judgedBy: Readonly<Record<AlertKind, 'health' | 'own-jobs'>> = {
  'stuck-queue': 'health',
  'failure-burst': 'health',
  'slow-runs': 'own-jobs',
  'no-worker': 'health',
  'long-wait': 'own-jobs',
};

/** All kinds, in the order of the form. */
export const alertKinds: readonly AlertKind[] = Object.keys(judgedBy).filter((name): name is AlertKind =>
  Object.hasOwn(judgedBy, name),
);

/** Whether a rule of this kind is judged by an endpoint's health, which includes the jobs of others. */
export function needsHealth(kind: AlertKind): boolean {
  return judgedBy[kind] === 'health';
}

/** One rule, of one endpoint or of all endpoints of its connection. */
export interface AlertRule {
  id: string;
  connectionId: string;
  /** Null: every endpoint of the connection, each one individually. */
  endpointId: string | null;
  isOn: boolean;
  /** Endpoints at which a rule for all is switched differently from `isOn`. */
  exceptions: Record<string, boolean>;
  condition: AlertCondition;
}

/** A new rule, or a change of the one that `id` names. The endpoint of a rule cannot change. */
export interface AlertRuleDraft {
  id?: string | undefined;
  connectionId: string;
  endpointId: string | null;
  condition: AlertCondition;
}

/** The state of a rule at one endpoint. */
export interface AlertRuleState {
  ruleId: string;
  endpointId: string;
  /** `pending`: the condition is true, but not for long enough yet. */
  phase: 'quiet' | 'pending' | 'firing';
  /** When this phase began. Null while quiet. */
  sinceMs: number | null;
  /** When it last fired, or fires now. */
  lastFiredAtMs: number | null;
}

/** A connection's rules and their states. */
export interface AlertOverview {
  connectionId: string;
  rules: AlertRule[];
  ruleStates: AlertRuleState[];
}

/** How the user was notified of an alert, or why not (yet). */
export type AlertDelivery =
  /** Shown within the minute. */
  | 'due'
  /** Held back by quiet hours, shown after them. */
  | 'held'
  /** Gathered for the next digest. */
  | 'gathered'
  | 'notified'
  | 'in-digest'
  | 'after-quiet-hours'
  /** The endpoint was muted. */
  | 'muted'
  /** Listed in the notification centre only: do-not-disturb was on. */
  | 'undisturbed'
  /** Notifications are off, or the desktop shows none. */
  | 'off';

/** An alert: one time that a rule fired, as it is saved. */
export interface AlertRecord {
  id: string;
  ruleId: string;
  connectionId: string;
  endpointId: string;
  kind: AlertKind;
  /** What was seen, with the figures of that time. */
  text: string;
  /** Since when the condition was true. */
  sinceMs: number;
  firedAtMs: number;
  /** The last fact that showed it. */
  lastSeenAtMs: number;
  endedAtMs: number | null;
  /**
   * False if nothing was known for a while before the end, so that it ended some time between `lastSeenAtMs` and
   * `endedAtMs`.
   */
  isEndExact: boolean;
  delivery: AlertDelivery;
  deliveredAtMs: number | null;
}

/** A notification of the desktop. A click opens the endpoint's health. */
export interface AlertNotification {
  title: string;
  body: string;
  connectionId: string;
  endpointId: string;
}

/** The bounds of the figures. Durations in milliseconds. */
export const alertBounds = {
  overJobs: { min: 0, max: 100_000 },
  overFailures: { min: 0, max: 100_000 },
  timesP95: { min: 1.1, max: 100 },
  forMs: { min: 1_000, max: dayMs },
  withinMs: { min: 1_000, max: dayMs },
  overMs: { min: 1_000, max: weekMs },
} as const;

/** The most rules of one connection. */
export const maxAlertRules = 100;

/** The rules of every endpoint until the user changes them. */
export const defaultAlertConditions: readonly { condition: AlertCondition; isOn: boolean }[] = [
  { isOn: true, condition: { kind: 'stuck-queue', overJobs: 5, forMs: 120_000, isNoneIdle: true } },
  { isOn: true, condition: { kind: 'failure-burst', overFailures: 3, withinMs: 300_000 } },
  { isOn: true, condition: { kind: 'slow-runs', timesP95: 2 } },
  { isOn: false, condition: { kind: 'no-worker', forMs: 60_000 } },
];

/** Whether a rule applies to an endpoint. */
export function isAlertOn(rule: Pick<AlertRule, 'endpointId' | 'isOn' | 'exceptions'>, endpointId: string): boolean {
  if (rule.endpointId !== null) return rule.endpointId === endpointId && rule.isOn;
  return rule.exceptions[endpointId] ?? rule.isOn;
}
