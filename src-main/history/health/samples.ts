import { hourMs, minuteMs } from '../../../src-preload/durations.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { Health, HealthPoint, HealthTrend } from '../../../src-preload/health.ts';
import { number, numberOrNull, statement, text, type Row } from '../file/row.ts';
import { addToBlocks, forgetBlocksAfter, readBlocks, removeBlocksBefore, takeBlocksBefore } from './blocks.ts';
import { agesAt, beginOf, joinPoints, packPoints, pointsSince, combinedBySpan, type PackedSeries } from './points.ts';

/**
 * If a reading is this much older than the newest saved one, it is not late: an earlier run saved that one by a wrong
 * clock.
 */
const latestMs = minuteMs;

/**
 * Saves a reading: the latest completely, and a sample of it. Once a minute the endpoint's older samples are thinned:
 * the work is limited by what one endpoint has (an hour of readings, a day of minutes), however long the app was
 * closed. If a reading is more than a minute older than the newest one, everything after it is removed, because a wrong
 * clock saved it.
 */
export function addHealth(db: DatabaseSync, health: Health): void {
  const { connectionId, endpointId, atMs, jobs, workers } = health;
  statement(
    db,
    `INSERT INTO health_latest (connection_id, endpoint_id, json) VALUES (?, ?, ?)
    ON CONFLICT (connection_id, endpoint_id) DO UPDATE SET json = excluded.json`,
  ).run(connectionId, endpointId, JSON.stringify(health));
  const before = statement(
    db,
    'SELECT max(at_ms) AS at_ms FROM health_samples WHERE connection_id = ? AND endpoint_id = ?',
  ).get(connectionId, endpointId);
  const beforeMs = before === undefined ? null : numberOrNull(before, 'at_ms');
  if (beforeMs !== null && atMs < beforeMs - latestMs) forgetAfter(db, connectionId, endpointId, atMs);
  statement(
    db,
    `INSERT OR REPLACE INTO health_samples (connection_id, endpoint_id, at_ms, in_queue, in_progress, running, idle,
      initializing, ready, throttled, unhealthy, completed, failed, retried)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    connectionId,
    endpointId,
    atMs,
    jobs.inQueue,
    jobs.inProgress,
    workers.running,
    workers.idle,
    workers.initializing ?? null,
    workers.ready ?? null,
    workers.throttled ?? null,
    workers.unhealthy ?? null,
    jobs.completed,
    jobs.failed,
    jobs.retried,
  );
  if (beforeMs === null || beginOf(beforeMs, minuteMs) !== beginOf(atMs, minuteMs))
    thin(db, connectionId, endpointId, atMs);
}

/** The last reading of each endpoint of a connection. */
export function latestHealth(db: DatabaseSync, connectionId: string): Health[] {
  return statement(db, 'SELECT json FROM health_latest WHERE connection_id = ? ORDER BY endpoint_id')
    .all(connectionId)
    .map((row): Health => JSON.parse(text(row, 'json')));
}

/** Readings since `sinceMs`, at most an hour ago, of each endpoint that has any, oldest first. */
export function healthTrends(db: DatabaseSync, connectionId: string, sinceMs: number): HealthTrend[] {
  const trends: HealthTrend[] = [];
  const rows = statement(
    db,
    'SELECT * FROM health_samples WHERE connection_id = ? AND at_ms >= ? ORDER BY endpoint_id, at_ms',
  );
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

/**
 * An endpoint's single readings since `sinceMs`, oldest first, without those of former versions, which had no counters.
 */
function readingsSince(db: DatabaseSync, connectionId: string, endpointId: string, sinceMs: number): HealthPoint[] {
  return statement(
    db,
    'SELECT * FROM health_samples WHERE connection_id = ? AND endpoint_id = ? AND at_ms >= ? AND completed IS ' +
      'NOT NULL ORDER BY at_ms',
  )
    .all(connectionId, endpointId, sinceMs)
    .map(readingOf);
}

function readingOf(row: Row): HealthPoint {
  const inQueue = number(row, 'in_queue');
  return {
    atMs: number(row, 'at_ms'),
    spanMs: 0,
    inQueue,
    maxInQueue: inQueue,
    inProgress: number(row, 'in_progress'),
    running: number(row, 'running'),
    idle: number(row, 'idle'),
    initializing: numberOrNull(row, 'initializing'),
    ready: numberOrNull(row, 'ready'),
    throttled: numberOrNull(row, 'throttled'),
    unhealthy: numberOrNull(row, 'unhealthy'),
    completed: number(row, 'completed'),
    failed: number(row, 'failed'),
    retried: number(row, 'retried'),
  };
}

function thin(db: DatabaseSync, connectionId: string, endpointId: string, nowMs: number): void {
  const { readingsFromMs, minutesFromMs, hoursFromMs } = agesAt(nowMs);
  const old = statement(
    db,
    'SELECT * FROM health_samples WHERE connection_id = ? AND endpoint_id = ? AND at_ms < ? AND completed IS ' +
      'NOT NULL ORDER BY at_ms',
  )
    .all(connectionId, endpointId, readingsFromMs)
    .map(readingOf);
  addToBlocks(db, { connectionId, endpointId, spanMs: minuteMs }, combinedBySpan(old, minuteMs));
  statement(db, 'DELETE FROM health_samples WHERE connection_id = ? AND endpoint_id = ? AND at_ms < ?').run(
    connectionId,
    endpointId,
    readingsFromMs,
  );
  addToBlocks(
    db,
    { connectionId, endpointId, spanMs: hourMs },
    combinedBySpan(takeBlocksBefore(db, { connectionId, endpointId, spanMs: minuteMs }, minutesFromMs), hourMs),
  );
  removeBlocksBefore(db, { connectionId, endpointId, spanMs: hourMs }, hoursFromMs);
}

/** Removes an endpoint's readings from the future. */
function forgetAfter(db: DatabaseSync, connectionId: string, endpointId: string, atMs: number): void {
  statement(db, 'DELETE FROM health_samples WHERE connection_id = ? AND endpoint_id = ? AND at_ms > ?').run(
    connectionId,
    endpointId,
    atMs,
  );
  forgetBlocksAfter(db, connectionId, endpointId, atMs);
}

/**
 * The saved points of an endpoint (null: of each endpoint of the connection that was ever read) since `sinceMs`: hours,
 * then minutes, then readings, which is oldest first. Endpoints without any are left out.
 */
export function healthSeries(
  db: DatabaseSync,
  connectionId: string,
  endpointId: string | null,
  sinceMs: number,
): PackedSeries[] {
  return endpointsOf(db, connectionId, endpointId)
    .map((id) => ({
      connectionId,
      endpointId: id,
      points: pointsSince(
        joinPoints([
          ...readBlocks(db, { connectionId, endpointId: id, spanMs: hourMs }, sinceMs),
          ...readBlocks(db, { connectionId, endpointId: id, spanMs: minuteMs }, sinceMs),
          packPoints(readingsSince(db, connectionId, id, sinceMs)),
        ]),
        sinceMs,
      ),
    }))
    .filter(({ points }) => points.length > 0);
}

function endpointsOf(db: DatabaseSync, connectionId: string, endpointId: string | null): string[] {
  if (endpointId !== null) return [endpointId];
  return statement(db, 'SELECT endpoint_id FROM health_latest WHERE connection_id = ? ORDER BY endpoint_id')
    .all(connectionId)
    .map((row) => text(row, 'endpoint_id'));
}
