import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { HealthPoint } from '../../../src-preload/health.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

async function aSandbox(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function connected(app: App, sandbox: Sandbox, endpoints = ['mock']): Promise<string> {
  return (await app.connect({ baseUrl: sandbox.baseUrl, apiKey: TEST_API_KEY, endpoints })).id;
}

const healthCalls = (sandbox: Sandbox, endpointId = 'mock'): number =>
  sandbox
    .requests()
    .filter((count) => count.operation === 'health' && count.endpointId === endpointId)
    .reduce((sum, { count }) => sum + count, 0);

async function seriesOf(app: App, connectionId: string, endpointId = 'mock'): Promise<HealthPoint[]> {
  const [series] = await app.answer('health:series', { connectionId, endpointId, sinceMs: 0 });
  return series?.points ?? [];
}

describe.each(['spec', 'observed'] as const)('saved health of an endpoint (%s)', (dialect) => {
  it('is what the tracker read for its own jobs, one point per call, and survives a restart', async () => {
    const sandbox = await aSandbox({ dialect });
    const app = await openApp();
    const connectionId = await connected(app, sandbox);
    // The test of a new connection reads health as well, and keeps nothing.
    const callsBefore = healthCalls(sandbox);
    const jobs = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        app.submit({ connectionId, input: at % 10 === 9 ? { mock_error: 'broken' } : { mock_delay: 50 } }),
      ),
    );
    for (const job of jobs) await app.untilEnd(job.key);
    const done = await app.untilEvent(
      'health:changed',
      ({ health }) => health.jobs.completed + health.jobs.failed === jobs.length,
    );
    await app.untilSeen(() => app.told['health:changed'].length === healthCalls(sandbox) - callsBefore);
    await app.close();

    const again = await openApp({ dataDir: app.dataDir });
    const points = await seriesOf(again, connectionId);
    expect(points).toHaveLength(app.told['health:changed'].length);
    // One may have been in progress when the app closed.
    expect(healthCalls(sandbox) - callsBefore - points.length).toBeLessThanOrEqual(1);
    expect(points.length).toBeGreaterThan(1);
    // Ruling 20: the governor's plan is one a second at most.
    for (const [at, point] of points.entries()) {
      const next = points[at + 1];
      expect(point.spanMs).toBe(0);
      if (next !== undefined) expect(next.completed).toBeGreaterThanOrEqual(point.completed);
    }
    expect(points.length).toBeLessThanOrEqual(((points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)) / 1_000 + 2);
    // What ended in a while is what the counters rose by.
    expect(points.at(-1)).toMatchObject({ completed: 27, failed: 3, inQueue: 0 });
    expect(points.map(({ atMs }) => atMs)).toContain(done.health.atMs);
    const told = dialect === 'spec' ? null : expect.any(Number);
    expect(points[0]).toMatchObject({ initializing: told, ready: told, throttled: told, unhealthy: told });

    const [timings] = await again.answer('health:timings', { connectionId, endpointId: null, sinceMs: 0 });
    expect(timings).toMatchObject({ endpointId: 'mock', count: 27 });
    expect(timings?.execution?.p50Ms).toBeGreaterThanOrEqual(40);
    expect(
      await again.answer('health:timings', { connectionId, endpointId: 'mock', sinceMs: done.health.atMs + 60_000 }),
    ).toMatchObject([{ count: 0, delay: null }]);
  });

  it('is read while a window shows it, and not after the window closes', async () => {
    const sandbox = await aSandbox({ dialect });
    // The readings below fall into one minute.
    const clock = createVirtualClock(Math.floor(Date.now() / 60_000) * 60_000);
    const app = await openApp({ clock });
    const connectionId = await connected(app, sandbox, ['mock', 'echo']);
    const callsBefore = healthCalls(sandbox);
    await app.answer('health:watch', { connectionId, endpointIds: ['mock'] }, 7);
    for (let read = 1; read <= 3; read += 1) {
      await clock.advance(read === 1 ? 0 : 5_000);
      await app.untilSeen(() => app.told['health:changed'].length === read);
    }
    app.engine.windowClosed(7);
    await clock.advance(7_200_000);
    // Asked for once, which comes behind whatever was asked before.
    await app.answer('health:refresh', { connectionId });
    expect([healthCalls(sandbox), healthCalls(sandbox, 'echo')]).toEqual([callsBefore + 4, callsBefore + 1]);
    expect((await seriesOf(app, connectionId)).map(({ spanMs }) => spanMs)).toEqual([60_000, 0]);
  });

  it('is diagnosed: jobs that wait where no worker ever comes, muted over a restart', async () => {
    const sandbox = await aSandbox({ dialect, scaling: { minWorkers: 0, maxWorkers: 0 } });
    const clock = createVirtualClock(Date.now());
    const app = await openApp({ clock });
    const connectionId = await connected(app, sandbox);
    await app.submit({ connectionId, input: {} });
    await app.answer('health:watch', { connectionId, endpointIds: ['mock'] });
    let told = 0;
    while (!app.told['diagnosis:changed'].some(({ findings }) => findings.some(({ kind }) => kind === 'no-workers'))) {
      const read = app.told['health:changed'].length;
      await clock.advance(5_000);
      await app.untilSeen(() => app.told['health:changed'].length > read);
      expect((told += 1)).toBeLessThan(200);
    }
    const [judged] = await app.answer('health:diagnoses', { connectionId });
    expect(judged).toMatchObject({ endpointId: 'mock', findings: [{ kind: 'no-workers' }], mutedUntilMs: null });

    const untilMs = clock.now() + 3_600_000;
    await app.answer('health:mute', { connectionId, endpointId: 'mock', untilMs });
    expect(app.told['diagnosis:changed'].at(-1)).toMatchObject({ endpointId: 'mock', mutedUntilMs: untilMs });
    await app.close();
    const again = await openApp({ dataDir: app.dataDir, clock: createVirtualClock(clock.now()) });
    const [afterStart] = await again.answer('health:diagnoses', { connectionId });
    expect(afterStart).toMatchObject({ endpointId: 'mock', findings: [{ kind: 'no-workers' }], mutedUntilMs: untilMs });
    expect(afterStart?.atMs).toBe((await seriesOf(again, connectionId)).at(-1)?.atMs);
  });
});
