import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { unpackPoints } from '../../../../src-main/history/health/points.ts';
import { addHealth, healthTrends, healthSeries } from '../../../../src-main/history/health/samples.ts';
import { migrate } from '../../../../src-main/history/file/migrations.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { aFolder } from '../a-database.ts';

it('a file of a version without counters keeps its trend, and does not count as if it had known them', () => {
  const path = join(aFolder(), 'history.db');
  const old = new DatabaseSync(path);
  migrate(old, 3);
  const add = old.prepare(
    'INSERT INTO health_samples (connection_id, endpoint_id, at_ms, in_queue, in_progress, running, idle) VALUES (?, ?, ?, ?, 0, 1, 0)',
  );
  const nowMs = 1_700_000_000_000;
  for (const [endpointId, agesMs] of [
    ['text', [2 * 86_400_000, 3_600_001, 3_600_000, 60_000, 0]],
    ['image', [90 * 60_000]],
  ] as const) {
    for (const ageMs of agesMs) add.run('c', endpointId, nowMs - ageMs, ageMs / 1_000);
  }
  old.close();

  const { db, setAside } = openDatabase(path, 0);
  onTestFinished(() => db.close());
  expect(setAside).toBeNull();
  const trends = healthTrends(db, 'c', 0).map(({ endpointId, samples }) => [
    endpointId,
    samples.map(({ atMs }) => nowMs - atMs),
  ]);
  expect(trends).toEqual([
    ['image', [90 * 60_000]],
    ['text', [3_600_000, 60_000, 0]],
  ]);
  expect(healthSeries(db, 'c', 'text', 0)).toEqual([]);

  const jobs = { completed: 5, failed: 0, inProgress: 0, inQueue: 1, retried: 0 };
  addHealth(db, {
    connectionId: 'c',
    endpointId: 'text',
    atMs: nowMs + 5_000,
    jobs,
    workers: { idle: 0, running: 1 },
    extra: {},
  });
  expect(healthSeries(db, 'c', 'text', 0).flatMap(({ points }) => unpackPoints(points))).toMatchObject([
    { atMs: nowMs + 5_000, completed: 5, throttled: null },
  ]);
  expect(healthTrends(db, 'c', nowMs)).toMatchObject([{ samples: [{ atMs: nowMs }, { atMs: nowMs + 5_000 }] }]);
  addHealth(db, {
    connectionId: 'c',
    endpointId: 'text',
    atMs: nowMs + 2 * 3_600_000,
    jobs,
    workers: { idle: 0, running: 1 },
    extra: {},
  });
  // Grown old, what has no counters is gone; what has them is a minute.
  expect(healthTrends(db, 'c', 0)).toMatchObject([
    { endpointId: 'image' },
    { endpointId: 'text', samples: [{ atMs: nowMs + 2 * 3_600_000 }] },
  ]);
  expect(
    healthSeries(db, 'c', 'text', 0)
      .flatMap(({ points }) => unpackPoints(points))
      .map(({ spanMs }) => spanMs),
  ).toEqual([60_000, 0]);
});
