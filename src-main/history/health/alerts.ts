import type { DatabaseSync } from 'node:sqlite';
import { dayMs } from '../../../src-preload/durations.ts';
import { alertKinds, type AlertRecord, type AlertDelivery } from '../../../src-preload/alert.ts';
import { flag, number, numberOrNull, oneOf, statement, text, type Row } from '../file/row.ts';
import type { AlertsAtStart } from '../records.ts';

/** Alerts are kept for a year, and at most this many. */
const alertKeptMs = 365 * dayMs;
export const maxAlerts = 10_000;

const deliveries = [
  'due',
  'held',
  'gathered',
  'notified',
  'in-digest',
  'after-quiet-hours',
  'muted',
  'undisturbed',
  'off',
] as const satisfies readonly AlertDelivery[];

/** Saves an alert or a change of it. With a new one, those that are too old or too many are deleted. */
export function writeAlert(db: DatabaseSync, alert: AlertRecord): void {
  const isNew = statement(db, 'SELECT 1 FROM alerts WHERE id = ?').get(alert.id) === undefined;
  statement(
    db,
    `INSERT INTO alerts (id, rule_id, connection_id, endpoint_id, kind, text, since_ms, fired_at_ms,
      last_seen_at_ms, ended_at_ms, is_end_exact, telling, told_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET last_seen_at_ms = excluded.last_seen_at_ms,
      ended_at_ms = excluded.ended_at_ms, is_end_exact = excluded.is_end_exact, telling = excluded.telling,
      told_at_ms = excluded.told_at_ms`,
  ).run(
    alert.id,
    alert.ruleId,
    alert.connectionId,
    alert.endpointId,
    alert.kind,
    alert.text,
    alert.sinceMs,
    alert.firedAtMs,
    alert.lastSeenAtMs,
    alert.endedAtMs,
    Number(alert.isEndExact),
    alert.delivery,
    alert.deliveredAtMs,
  );
  if (!isNew) return;
  statement(db, 'DELETE FROM alerts WHERE fired_at_ms < ?').run(alert.firedAtMs - alertKeptMs);
  statement(db, 'DELETE FROM alerts WHERE id IN (SELECT id FROM alerts ORDER BY id DESC LIMIT -1 OFFSET ?)').run(
    maxAlerts,
  );
}

/**
 * Alerts of an endpoint (null: of all of the connection's), newest first: those before `beforeId` (null: from the
 * newest).
 */
export function readAlerts(
  db: DatabaseSync,
  { connectionId, endpointId }: { connectionId: string; endpointId: string | null },
  beforeId: string | null,
  limit: number,
): AlertRecord[] {
  return statement(
    db,
    'SELECT * FROM alerts WHERE connection_id = ?1 AND (?2 IS NULL OR endpoint_id = ?2) AND (?3 IS NULL OR id < ' +
      '?3) ORDER BY id DESC LIMIT ?4',
  )
    .all(connectionId, endpointId, beforeId, limit)
    .map(readAlert);
}

/**
 * What a start needs: alerts that are not over or not shown yet, when each rule last fired, and when a notification was
 * last shown.
 */
export function readAlertsAtStart(db: DatabaseSync): AlertsAtStart {
  const lastNotified = statement(
    db,
    `SELECT max(told_at_ms) AS told_at_ms FROM alerts WHERE telling IN ('notified', 'in-digest', 'after-quiet-hours')`,
  ).get();
  return {
    unsettled: statement(
      db,
      `SELECT * FROM alerts WHERE ended_at_ms IS NULL OR telling IN ('due', 'held', 'gathered') ORDER BY id`,
    )
      .all()
      .map(readAlert),
    lastFired: statement(
      db,
      'SELECT rule_id, endpoint_id, max(fired_at_ms) AS fired_at_ms FROM alerts GROUP BY rule_id, endpoint_id',
    )
      .all()
      .map((row) => ({
        ruleId: text(row, 'rule_id'),
        endpointId: text(row, 'endpoint_id'),
        firedAtMs: number(row, 'fired_at_ms'),
      })),
    lastDeliveredAtMs: lastNotified === undefined ? null : numberOrNull(lastNotified, 'told_at_ms'),
  };
}

function readAlert(row: Row): AlertRecord {
  return {
    id: text(row, 'id'),
    ruleId: text(row, 'rule_id'),
    connectionId: text(row, 'connection_id'),
    endpointId: text(row, 'endpoint_id'),
    kind: oneOf(row, 'kind', alertKinds),
    text: text(row, 'text'),
    sinceMs: number(row, 'since_ms'),
    firedAtMs: number(row, 'fired_at_ms'),
    lastSeenAtMs: number(row, 'last_seen_at_ms'),
    endedAtMs: numberOrNull(row, 'ended_at_ms'),
    isEndExact: flag(row, 'is_end_exact'),
    delivery: oneOf(row, 'telling', deliveries),
    deliveredAtMs: numberOrNull(row, 'told_at_ms'),
  };
}
