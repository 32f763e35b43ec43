import type { DatabaseSync } from 'node:sqlite';
import { hourMs } from '../../../src-preload/durations.ts';
import type { Mute, MuteChoice } from '../../../src-preload/failure-cause.ts';
import { number, numberOrNull, statement, textOrNull, type Row } from '../file/row.ts';

/** Up to this many failures in a day are not a rise, even if there were none before. */
const minRise = 2;
const dayHours = 24;

/** Takes a cause out of the figures, or puts it back with null; its jobs stay counted. */
export function muteCause(db: DatabaseSync, cause: number, choice: MuteChoice | null, nowMs: number): void {
  const risesAbove = choice?.isUntilRise === true ? Math.max(minRise, inTheDayBefore(db, cause, nowMs)) : null;
  statement(
    db,
    'UPDATE failure_causes SET muted_at_ms = ?, muted_until_ms = ?, rises_above = ?, mute_reason = ? WHERE id = ?',
  ).run(choice === null ? null : nowMs, choice?.untilMs ?? null, risesAbove, choice?.reason ?? null, cause);
}

/** The mute of a cause, from its row of `failure_causes`. Null if it is not muted, or no longer. */
export function muteOf(db: DatabaseSync, cause: Row, nowMs: number): Mute | null {
  const sinceMs = numberOrNull(cause, 'muted_at_ms');
  if (sinceMs === null) return null;
  const untilMs = numberOrNull(cause, 'muted_until_ms');
  const risesAbove = numberOrNull(cause, 'rises_above');
  const isOver =
    (untilMs !== null && nowMs >= untilMs) ||
    (risesAbove !== null && maxInADay(db, number(cause, 'id'), sinceMs) > risesAbove);
  return isOver ? null : { sinceMs, untilMs, risesAbove, reason: textOrNull(cause, 'mute_reason') ?? '' };
}

/** How often a cause failed in the 24 hours before `atMs`. Failures are counted per hour. */
function inTheDayBefore(db: DatabaseSync, cause: number, atMs: number): number {
  const hour = Math.floor(atMs / hourMs);
  const row = statement(
    db,
    'SELECT total(jobs) AS jobs FROM failure_hours WHERE cause = ? AND hour > ? AND hour <= ?',
  ).get(cause, hour - dayHours, hour);
  return row === undefined ? 0 : number(row, 'jobs');
}

/** The most failures of a cause in any 24 hours after the hour of `fromMs`. */
function maxInADay(db: DatabaseSync, cause: number, fromMs: number): number {
  const row = statement(
    db,
    `SELECT max(jobs) AS most FROM (
      SELECT sum(jobs) OVER (ORDER BY hour RANGE BETWEEN ${dayHours - 1} PRECEDING AND CURRENT ROW) AS jobs
      FROM failure_hours WHERE cause = ? AND hour > ?
    )`,
  ).get(cause, Math.floor(fromMs / hourMs));
  return row === undefined ? 0 : (numberOrNull(row, 'most') ?? 0);
}
