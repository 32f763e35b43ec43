import {
  isAlertOn,
  readingValidMs,
  type AlertRecord,
  type AlertRule,
  type AlertRuleState,
} from '../../src-preload/alert.ts';
import type { Settings } from '../../src-preload/settings.ts';
import { formatClock, formatCountdown, formatDay, formatMinute } from '../../src-preload/format.ts';

/** A rule's state, as its row shows it. */
export interface RuleState {
  tone: 'firing' | 'pending' | 'calm';
  text: string;
  /** The tooltip: the whole meaning of the short state. */
  meaning: string;
}

/**
 * A rule's state at one endpoint. With null: the worst state at any of its endpoints. A state that rests on an old
 * health reading is shown with the time of that reading, `readAtMs` (null if not known).
 */
export function ruleState(
  rule: AlertRule,
  ruleStates: readonly AlertRuleState[],
  endpointId: string | null,
  nowMs: number,
  readAtMs: number | null = null,
): RuleState {
  const here = ruleStates.filter(
    (one) => one.ruleId === rule.id && (endpointId === null || one.endpointId === endpointId),
  );
  const firing = here.filter(({ phase }) => phase === 'firing');
  if (firing.length > 0) {
    const isByHealth = rule.condition.kind === 'stuck-queue' || rule.condition.kind === 'no-worker';
    if (isByHealth && readAtMs !== null && nowMs - readAtMs > readingValidMs)
      return {
        tone: 'firing',
        text: `as of ${shortTime(readAtMs, nowMs)}`,
        meaning: 'It fired then; no reading since',
      };
    const sinceMs = Math.min(...firing.map((one) => one.sinceMs ?? nowMs));
    return {
      tone: 'firing',
      text: `firing ${formatCountdown(nowMs - sinceMs)}${firing.length > 1 ? `, ${firing.length}x` : ''}`,
      meaning: 'How long it has been firing',
    };
  }
  if (!isRuleOn(rule, endpointId))
    return { tone: 'calm', text: 'off', meaning: rule.isOn ? 'Switched off here' : 'Switched off' };
  const pending = here.filter(({ phase }) => phase === 'pending');
  if (pending.length > 0)
    return {
      tone: 'pending',
      text: `since ${formatCountdown(nowMs - Math.min(...pending.map((one) => one.sinceMs ?? nowMs)))}`,
      meaning: 'The condition is met, but not for long enough yet',
    };
  const lastMs = Math.max(...here.map((one) => one.lastFiredAtMs ?? -Infinity));
  return lastMs === -Infinity
    ? { tone: 'calm', text: 'quiet', meaning: 'It has not fired yet' }
    : { tone: 'calm', text: shortTime(lastMs, nowMs), meaning: 'Last fired then' };
}

/** Whether a rule applies to the endpoint, or, with null, to any. */
export function isRuleOn(rule: AlertRule, endpointId: string | null): boolean {
  return endpointId === null ? rule.isOn : isAlertOn(rule, endpointId);
}

/** `14:32` for today, otherwise the day. */
function shortTime(atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' ? formatMinute(atMs) : day;
}

/** `14:32:07`, with the day if it is not today. */
function fullTime(atMs: number, nowMs: number): string {
  const day = formatDay(atMs, nowMs);
  return day === 'today' ? formatClock(atMs) : `${day}, ${formatMinute(atMs)}`;
}

/** When an alert fired and ended, and whether the end is exact. */
export function recordSpan({ firedAtMs, endedAtMs, isEndExact, lastSeenAtMs }: AlertRecord, nowMs: number): string {
  const from = fullTime(firedAtMs, nowMs);
  if (endedAtMs === null) return `${from}, still firing`;
  if (!isEndExact) return `${from}, ended between ${fullTime(lastSeenAtMs, nowMs)} and ${fullTime(endedAtMs, nowMs)}`;
  return `${from} to ${fullTime(endedAtMs, nowMs)}`;
}

/** How the user was notified of an alert, or why not. */
export function deliveryText(
  { delivery, deliveredAtMs }: Pick<AlertRecord, 'delivery' | 'deliveredAtMs'>,
  nowMs: number,
): string {
  const at = deliveredAtMs === null ? '' : ` ${fullTime(deliveredAtMs, nowMs)}`;
  switch (delivery) {
    case 'due':
      return 'sent within a minute';
    case 'held':
      return 'held during quiet hours';
    case 'gathered':
      return 'waits for the digest';
    case 'notified':
      return `notified${at}`;
    case 'in-digest':
      return `sent in a digest${at}`;
    case 'after-quiet-hours':
      return `held by quiet hours, sent${at}`;
    case 'muted':
      return 'not sent (muted)';
    case 'undisturbed':
      return 'listed only (do not disturb)';
    case 'off':
      return 'not sent (notifications off)';
  }
}

/** The card's line about notifications. `isOff`: none of these rules notifies. */
export function notifyText({ quietHours, digest }: Pick<Settings, 'quietHours' | 'digest'>, isOff: boolean): string {
  if (isOff) return 'Notifications are off';
  const how = digest.isOn ? `Digest every ${digest.everyMinutes} min` : 'Notifies at most once a minute';
  return quietHours.isOn
    ? `${how}, quiet ${minuteText(quietHours.fromMinute)} to ${minuteText(quietHours.toMinute)}`
    : how;
}

/** `22:00` for 1,320. */
export function minuteText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** Minutes since midnight in `22:00`, `7:30` or `7`. Null if it is not a time of day. */
export function readMinute(text: string): number | null {
  const parts = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text.trim());
  if (parts === null) return null;
  const hours = Number(parts[1]);
  const minutes = Number(parts[2] ?? 0);
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : null;
}
