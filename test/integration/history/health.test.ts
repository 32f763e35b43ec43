import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unpackSeries } from '../../../src-main/history/health/points.ts';
import type { History } from '../../../src-main/history/history.ts';
import type { Health } from '../../../src-preload/health.ts';
import { aJob } from '../../kit/a-job.ts';
import { openTestHistory } from '../../kit/threads.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 10, 20);

async function aHistory(path: string): Promise<History> {
  const { history } = await openTestHistory({ path, now: () => startMs });
  onTestFinished(() => history.close());
  return history;
}

function aPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-health-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'history.db');
}

const health = (atMs: number, completed: number, endpointId: string): Health => ({
  connectionId: 'c',
  endpointId,
  atMs,
  jobs: { completed, failed: 0, inProgress: 1, inQueue: completed % 7, retried: 0 },
  workers: { idle: 0, running: 1, throttled: 2 },
  extra: {},
});

it('saved health reaches the calling thread whole, thinned, and is there after a restart', async () => {
  const path = aPath();
  const before = await aHistory(path);
  await Promise.all(
    Array.from({ length: 240 }, (_, at) =>
      before.addHealth(health(startMs + (at * minuteMs) / 2, at, at % 2 === 0 ? 'a' : 'b')),
    ),
  );
  const told = (await before.healthSeries('c', null, 0)).map(unpackSeries);
  await before.close();
  const after = await aHistory(path);
  expect((await after.healthSeries('c', null, 0)).map(unpackSeries)).toEqual(told);
  expect(
    told.map(({ endpointId, points }) => [endpointId, points.length, points[0]?.spanMs, points.at(-1)?.spanMs]),
  ).toEqual([
    ['a', 120, minuteMs, 0],
    ['b', 120, minuteMs, 0],
  ]);
  expect(told[0]?.points.at(-1)).toEqual({
    atMs: startMs + 119 * minuteMs,
    spanMs: 0,
    inQueue: 0,
    maxInQueue: 0,
    inProgress: 1,
    running: 1,
    idle: 0,
    initializing: null,
    ready: null,
    throttled: 2,
    unhealthy: null,
    completed: 238,
    failed: 0,
    retried: 0,
  });
  expect(await after.healthSeries('c', 'absent', 0)).toEqual([]);
});

it('timings include a job when it ends', async () => {
  const history = await aHistory(aPath());
  const job = aJob({ key: 'k', phase: 'active', status: 'IN_PROGRESS', connectionId: 'c', endpointId: 'a' });
  await history.commit([
    { job, submission: { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null } },
  ]);
  expect(await history.jobTimings('c', null, 0)).toEqual([]);
  await history.commit([
    {
      job: {
        ...job,
        phase: 'finished',
        status: 'COMPLETED',
        finishedSeenAtMs: startMs,
        delayTimeMs: 5,
        executionTimeMs: 70,
      },
    },
  ]);
  const percentiles = (ms: number): object => ({ p50Ms: ms, p90Ms: ms, p95Ms: ms, p99Ms: ms });
  expect(await history.jobTimings('c', 'a', startMs)).toEqual([
    { endpointId: 'a', count: 1, delay: percentiles(5), execution: percentiles(70) },
  ]);
  expect(await history.jobTimings('c', 'a', startMs + 1)).toMatchObject([{ count: 0, delay: null, execution: null }]);
});
