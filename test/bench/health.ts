import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { commit } from '../../src-main/history/jobs/jobs.ts';
import { addToBlocks } from '../../src-main/history/health/blocks.ts';
import { unpackSeries, agesAt } from '../../src-main/history/health/points.ts';
import { hourMs, minuteMs } from '../../src-preload/durations.ts';
import { addHealth } from '../../src-main/history/health/samples.ts';
import type { History } from '../../src-main/history/history.ts';
import { percentilesOf } from '../../src-main/history/jobs/ended-jobs.ts';
import { openDatabase } from '../../src-main/history/file/open.ts';
import { openHistory } from '../../src-main/history/open-history.ts';
import type { HealthPoint } from '../../src-preload/health.ts';
import { aJob } from '../kit/a-job.ts';
import { aHealthPoint } from '../kit/health-point.ts';
import type { BenchResult } from './run.ts';

const nowMs = 1_770_000_000_000;
const yearAgoMs = nowMs - 365 * 86_400_000;
const endpoints = ['text', 'image', 'echo', 'mock', 'audio'];
const rounds = 25;

/**
 * Saved health and timings as a window requests them: a year of five endpoints, and an endpoint's percentiles among
 * many jobs (JOBDECK_BENCH_JOBS, default 100000). The peer is the plain way in the same run and on the same file: one
 * row per point and a scan of all jobs. Ours crosses the database's thread. The peer's queries do not, which is to its
 * advantage.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 100_000);
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-bench-'));
  const path = join(folder, 'history.db');
  try {
    const { db } = openDatabase(path, nowMs);
    db.exec('BEGIN');
    keepJobs(db, jobs);
    const points = keepHealth(db);
    db.exec('COMMIT');
    const readings = spread(200, (at) => addHealth(db, healthAt(nowMs + at * 1_000)));
    const peer = { series: spread(rounds, () => peerSeries(db)), timings: spread(rounds, () => peerTimings(db)) };
    db.close();
    const { history } = await openHistory({ path, now: () => nowMs });
    const ours = await measured(history);
    await history.close();
    return {
      jobs,
      'points of a year, 5 endpoints': points,
      'a reading kept p50 / p95 ms': readings,
      ...ours,
      'peer: series by row p50 / p95 ms': peer.series,
      'peer: timings by scan p50 / p95 ms': peer.timings,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(history: History): Promise<BenchResult> {
  const series = await spreadOf(rounds, () => history.healthSeries('c', null, yearAgoMs));
  const unpacked = await spreadOf(
    rounds,
    async () => void (await history.healthSeries('c', null, yearAgoMs)).map(unpackSeries),
  );
  const hour = await spreadOf(
    rounds,
    async () => void (await history.healthSeries('c', 'text', nowMs - hourMs)).map(unpackSeries),
  );
  const timings = await spreadOf(rounds, () => history.jobTimings('c', 'text', yearAgoMs));
  const lastHour = await spreadOf(rounds, () => history.jobTimings('c', 'text', nowMs - hourMs));
  return {
    'series of a year, 5 endpoints p50 / p95 ms': series,
    'the same, as windows get it p50 / p95 ms': unpacked,
    'series of an hour, 1 endpoint p50 / p95 ms': hour,
    'timings of one endpoint, all time p50 / p95 ms': timings,
    'timings of one endpoint, last hour p50 / p95 ms': lastHour,
  };
}

/** Every fifth job is of one endpoint. They ended one second after another. */
function keepJobs(db: DatabaseSync, count: number): void {
  const completed = {
    phase: 'finished',
    status: 'COMPLETED',
    connectionId: 'c',
    finishedSeenAtMs: nowMs,
    delayTimeMs: 10,
    executionTimeMs: 1_000,
  } as const;
  commit(
    db,
    endpoints.map((endpointId) => ({
      job: aJob({ ...completed, key: endpointId, endpointId }),
      submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    })),
  );
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('jobs')")
    .all()
    .map((row) => String(row['name']));
  const values: Record<string, string> = {
    id: '1000000000 + n.value',
    key: "'n' || n.value",
    finished_seen_at_ms: `${nowMs} - (${count} - n.value) * 1000`,
    delay_time_ms: 'n.value % 977',
    execution_time_ms: 'n.value % 9973',
  };
  db.exec(`WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${count})
    INSERT INTO jobs (${columns.join(', ')}) SELECT ${columns.map((column) => values[column] ?? `jobs.${column}`).join(', ')}
    FROM n JOIN jobs ON jobs.key = CASE n.value % 5 ${endpoints.map((id, at) => `WHEN ${at} THEN '${id}'`).join(' ')} END`);
}

/**
 * A year of hours, a day of minutes and an hour of readings every five seconds, for ours and for the peer. Returns the
 * number of points.
 */
function keepHealth(db: DatabaseSync): number {
  const { readingsFromMs, minutesFromMs } = agesAt(nowMs);
  db.exec(
    `CREATE TABLE peer_points (connection_id TEXT, endpoint_id TEXT, ${Object.keys(pointAt(0, 0))
      .map((column) => `${column} REAL`)
      .join(', ')})`,
  );
  const columns = Object.keys(pointAt(0, 0));
  const peer = db.prepare(`INSERT INTO peer_points VALUES (?, ?, ${columns.map(() => '?').join(', ')})`);
  let kept = 0;
  for (const endpointId of endpoints) {
    const hours = pointsFrom(Math.ceil(yearAgoMs / hourMs) * hourMs, minutesFromMs, hourMs);
    const minutes = pointsFrom(minutesFromMs, readingsFromMs, minuteMs);
    addToBlocks(db, { connectionId: 'c', endpointId, spanMs: hourMs }, hours);
    addToBlocks(db, { connectionId: 'c', endpointId, spanMs: minuteMs }, minutes);
    for (let atMs = readingsFromMs; atMs < nowMs; atMs += 5_000) {
      addHealth(db, { ...healthAt(atMs), endpointId });
      peer.run('c', endpointId, ...Object.values(pointAt(atMs, 0)));
      kept += 1;
    }
    for (const point of [...hours, ...minutes]) peer.run('c', endpointId, ...Object.values(point));
    kept += hours.length + minutes.length;
  }
  return kept;
}

function pointsFrom(fromMs: number, toMs: number, spanMs: number): HealthPoint[] {
  return Array.from({ length: Math.round((toMs - fromMs) / spanMs) }, (_, at) => pointAt(fromMs + at * spanMs, spanMs));
}

function pointAt(atMs: number, spanMs: number): HealthPoint {
  return aHealthPoint(atMs, {
    spanMs,
    inQueue: 3,
    maxInQueue: 9,
    inProgress: 2,
    running: 2,
    idle: 1,
    initializing: 0,
    ready: 1,
    throttled: 0,
    unhealthy: 0,
    completed: atMs / 1_000,
    failed: 4,
    retried: 1,
  });
}

function healthAt(atMs: number): Parameters<typeof addHealth>[1] {
  const { completed, failed, inProgress, inQueue, retried, idle, running } = pointAt(atMs, 0);
  return {
    connectionId: 'c',
    endpointId: 'text',
    atMs,
    jobs: { completed, failed, inProgress, inQueue, retried },
    workers: { idle, running, initializing: 0, ready: 1, throttled: 0, unhealthy: 0 },
    extra: {},
  };
}

function peerSeries(db: DatabaseSync): void {
  db.prepare('SELECT * FROM peer_points WHERE connection_id = ? AND atMs >= ? ORDER BY endpoint_id, atMs').all(
    'c',
    yearAgoMs,
  );
}

function peerTimings(db: DatabaseSync): void {
  const rows = db
    .prepare(`SELECT delay_time_ms, execution_time_ms FROM jobs NOT INDEXED
    WHERE connection_id = 'c' AND endpoint_id = 'text' AND status = 'COMPLETED' AND finished_seen_at_ms >= ? ORDER BY finished_seen_at_ms DESC LIMIT 20000`)
    .all(yearAgoMs);
  percentilesOf(rows.map((row) => Number(row['delay_time_ms'])));
  percentilesOf(rows.map((row) => Number(row['execution_time_ms'])));
}

function spread(times: number, work: (at: number) => void): string {
  const took = Array.from({ length: times }, (_, at) => {
    const startedAt = performance.now();
    work(at);
    return performance.now() - startedAt;
  });
  return words(took);
}

async function spreadOf(times: number, work: () => Promise<unknown>): Promise<string> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const startedAt = performance.now();
    await work();
    took.push(performance.now() - startedAt);
  }
  return words(took);
}

function words(took: readonly number[]): string {
  const ranks = percentilesOf(took);
  return ranks === null ? '' : `${ranks.p50Ms.toFixed(1)} / ${ranks.p95Ms.toFixed(1)}`;
}
