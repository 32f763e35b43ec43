import type { DatabaseSync } from 'node:sqlite';
import type { Health, HealthTrend } from '../../src-preload/health.ts';
import { number, numberOrNull, statement, text } from './row.ts';

/** Every sample is kept this long; of older ones the first of each minute, for a week. */
const everySampleMs = 3_600_000;
const minuteMs = 60_000;
const minutesKeptMs = 7 * 86_400_000;

/** Keeps a reading: the latest whole, and a sample of it for the trend. Thins the endpoint's older samples once a minute. */
export function addHealth(db: DatabaseSync, health: Health): void {
  const { connectionId, endpointId, atMs, jobs, workers } = health;
  statement(db, `INSERT INTO health_latest (connection_id, endpoint_id, json) VALUES (?, ?, ?)
    ON CONFLICT (connection_id, endpoint_id) DO UPDATE SET json = excluded.json`).run(connectionId, endpointId, JSON.stringify(health));
  const before = statement(db, 'SELECT max(at_ms) AS at_ms FROM health_samples WHERE connection_id = ? AND endpoint_id = ?').get(connectionId, endpointId);
  const beforeMs = before === undefined ? null : numberOrNull(before, 'at_ms');
  statement(db, `INSERT OR REPLACE INTO health_samples (connection_id, endpoint_id, at_ms, in_queue, in_progress, running, idle)
    VALUES (?, ?, ?, ?, ?, ?, ?)`).run(connectionId, endpointId, atMs, jobs.inQueue, jobs.inProgress, workers.running, workers.idle);
  if (beforeMs === null || Math.floor(beforeMs / minuteMs) !== Math.floor(atMs / minuteMs)) thin(db, connectionId, endpointId, atMs);
}

/** The last reading of each endpoint of a connection. */
export function latestHealth(db: DatabaseSync, connectionId: string): Health[] {
  return statement(db, 'SELECT json FROM health_latest WHERE connection_id = ? ORDER BY endpoint_id').all(connectionId).map((row): Health => JSON.parse(text(row, 'json')));
}

/** Samples since `sinceMs` of each endpoint that has any, oldest first. */
export function healthTrends(db: DatabaseSync, connectionId: string, sinceMs: number): HealthTrend[] {
  const trends: HealthTrend[] = [];
  const rows = statement(db, 'SELECT * FROM health_samples WHERE connection_id = ? AND at_ms >= ? ORDER BY endpoint_id, at_ms');
  for (const row of rows.iterate(connectionId, sinceMs)) {
    const endpointId = text(row, 'endpoint_id');
    let trend = trends.at(-1);
    if (trend?.endpointId !== endpointId) trends.push((trend = { endpointId, connectionId, samples: [] }));
    trend.samples.push({
      atMs: number(row, 'at_ms'),
      inQueue: number(row, 'in_queue'),
      inProgress: number(row, 'in_progress'),
      running: number(row, 'running'),
      idle: number(row, 'idle'),
    });
  }
  return trends;
}

function thin(db: DatabaseSync, connectionId: string, endpointId: string, nowMs: number): void {
  statement(db, `DELETE FROM health_samples WHERE connection_id = ? AND endpoint_id = ? AND at_ms < ?`).run(connectionId, endpointId, nowMs - minutesKeptMs);
  const hourAgoMs = nowMs - everySampleMs;
  // Looks back one day: far enough for samples that grew old while the app was closed, and a bounded read.
  statement(db, `DELETE FROM health_samples AS old WHERE connection_id = ?1 AND endpoint_id = ?2 AND at_ms < ?3 AND at_ms >= ?4 AND EXISTS (
      SELECT 1 FROM health_samples AS first WHERE first.connection_id = ?1 AND first.endpoint_id = ?2
        AND first.at_ms >= old.at_ms - (CAST(old.at_ms AS INTEGER) % ${minuteMs}) AND first.at_ms < old.at_ms)`)
    .run(connectionId, endpointId, hourAgoMs, hourAgoMs - 86_400_000);
}
