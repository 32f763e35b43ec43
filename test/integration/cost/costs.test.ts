import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from '../engine/app-scene.ts';
import type { App } from '../engine/app-scene.ts';

const sandboxes: Sandbox[] = [];
afterEach(async () => {
  await closeApps();
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});
afterAll(removeAppFolders);

interface Scene {
  app: App;
  connection: Connection;
  at: { connectionId: string; endpointId: string };
}

async function aScene(dialect: Dialect = 'spec'): Promise<Scene> {
  const sandbox = await startSandbox({ dialect });
  sandboxes.push(sandbox);
  const app = await openApp({ isSandboxAllowed: false });
  const connection = await app.connect({ ...sandbox, endpoints: ['mock', 'echo'] });
  return { app, connection, at: { connectionId: connection.id, endpointId: 'mock' } };
}

const typed = { kind: 'typed' } as const;

describe.each<Dialect>(['spec', 'observed'])('costs (%s)', (dialect) => {
  it('are the reported execution time by the rate, for a job, a list and an endpoint', async () => {
    const { app, connection, at } = await aScene(dialect);
    const { key } = await app.submit({ connectionId: connection.id, input: { mock_delay: 40 } });
    const job = await app.untilEnd(key);
    const other = await app.untilEnd((await app.submit({ connectionId: connection.id, endpointId: 'echo' })).key);
    expect(other.status).toBe('COMPLETED');
    const filter = { ...emptyFilter, connectionId: connection.id };
    expect(await app.answer('cost:ofFilter', { filter })).toMatchObject({ credits: 0, pricedJobs: 0, unpricedJobs: 2 });

    await app.answer('cost:setRate', { ...at, creditsPerHour: 36, source: typed });
    await app.untilEvent('cost:changed', (cost) => cost.endpointId === 'mock');
    const credits = ((job.executionTimeMs ?? 0) / 3_600_000) * 36;
    expect(credits).toBeGreaterThan(0);
    const ofView = await app.answer('cost:ofFilter', { filter });
    expect(ofView).toMatchObject({
      pricedJobs: 1,
      unpricedJobs: 1,
      executionMs: job.executionTimeMs,
      newestOnly: null,
    });
    expect(ofView.credits).toBeCloseTo(credits, 10);
    for (const narrowed of [
      { ...filter, text: 'mock' },
      { ...filter, sinceMs: 0 },
      { ...filter, view: 'finished-today' as const },
    ])
      expect((await app.answer('cost:ofFilter', { filter: narrowed })).pricedJobs).toBeLessThanOrEqual(1);
    expect((await app.answer('cost:ofFilter', { filter: { ...filter, sinceMs: 0 } })).credits).toBeCloseTo(credits, 10);
    const ofEndpoint = await app.answer('cost:ofEndpoint', at);
    for (const sum of [ofEndpoint.today, ofEndpoint.days7, ofEndpoint.days30])
      expect(sum.credits).toBeCloseTo(credits, 10);
    expect(ofEndpoint.jobP50).toBeCloseTo(credits, 10);
  });

  it('of ended jobs keep their rate when it changes, even over a restart', async () => {
    const { app, connection, at } = await aScene(dialect);
    await app.answer('cost:setRate', { ...at, creditsPerHour: 36, source: typed });
    const job = await app.untilEnd((await app.submit({ connectionId: connection.id, input: { mock_delay: 20 } })).key);
    await app.answer('cost:setRate', {
      ...at,
      creditsPerHour: 3_600,
      source: { kind: 'pod', podId: 'p1', readAtMs: 5, field: 'costPerHr' },
    });
    const before = await app.answer('cost:ofEndpoint', at);
    expect(before.today.credits).toBeCloseTo(((job.executionTimeMs ?? 0) / 3_600_000) * 36, 10);
    await app.close();
    const next = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    expect(await next.answer('cost:list', { connectionId: connection.id })).toMatchObject([
      {
        endpointId: 'mock',
        rates: [
          { creditsPerHour: 36, sinceMs: 0 },
          { creditsPerHour: 3_600, source: { kind: 'pod', podId: 'p1' } },
        ],
      },
    ]);
    expect(await next.answer('cost:ofEndpoint', at)).toEqual(before);
  });

  it('report a running job at the moment it passes a limit, a day once, and neither again after a restart', async () => {
    const { app, connection, at } = await aScene(dialect);
    await app.answer('cost:setRate', { ...at, creditsPerHour: 36_000, source: typed });
    await app.answer('cost:setLimits', { ...at, limits: { perJob: 10, perDay: 20 } });
    const job = await app.submit({ connectionId: connection.id, title: 'runs on', input: { mock_delay: 600_000 } });
    // Ten credits a second of the app's time.
    const notice = await app.untilEvent('notice:added', ({ id }) => id === `cost:job:${job.key}`);
    expect(notice).toMatchObject({
      tone: 'warning',
      title: 'runs on passed its cost limit',
      text: expect.stringMatching(
        /at about [\d.,]+ credits when Jobdeck noticed; the limit for a job on mock is 10\.00\./,
      ),
    });
    const day = await app.untilEvent('notice:added', ({ id }) => id.startsWith('cost:day:'));
    expect(day.title).toBe('mock passed its cost limit for today');
    expect(app.engine.notices().map(({ id }) => id)).toEqual([notice.id, day.id]);
    await app.close();

    const next = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    await next.replaceKey(connection.id, TEST_API_KEY);
    const finished = await next.submit({ connectionId: connection.id, title: 'another', input: { mock_delay: 3_000 } });
    await next.untilEvent('notice:added', ({ id }) => id === `cost:job:${finished.key}`);
    expect(next.engine.notices().filter(({ id }) => id === notice.id || id === day.id)).toEqual([]);
  });
});

describe('a rate', () => {
  it('and limits that are set at the same time are both saved, even over a restart', async () => {
    const { app, at } = await aScene();
    await Promise.all([
      app.answer('cost:setRate', { ...at, creditsPerHour: 2, source: typed }),
      app.answer('cost:setLimits', { ...at, limits: { perJob: 3, perDay: null } }),
    ]);
    const both = [{ rates: [{ creditsPerHour: 2 }], limits: { perJob: 3 } }];
    expect(await app.answer('cost:list', { connectionId: null })).toMatchObject(both);
    await app.close();
    const next = await openApp({ dataDir: app.dataDir, isSandboxAllowed: false });
    expect(await next.answer('cost:list', { connectionId: null })).toMatchObject(both);
  });

  it('still prices the jobs of a removed connection; its limits are no longer watched, and deleted', async () => {
    const { app, connection, at } = await aScene();
    await app.answer('cost:setRate', { ...at, creditsPerHour: 36, source: typed });
    await app.answer('cost:setLimits', { ...at, limits: { perJob: 1_000, perDay: null } });
    await app.untilEnd((await app.submit({ connectionId: connection.id, input: { mock_delay: 20 } })).key);
    const filter = { ...emptyFilter, connectionId: connection.id };
    const before = await app.answer('cost:ofFilter', { filter });
    expect(before.credits).toBeGreaterThan(0);
    await app.answer('connection:remove', { connectionId: connection.id });
    await app.untilEvent('cost:changed', ({ limits }) => limits.perJob === null && limits.perDay === null, 2);
    expect(await app.answer('cost:ofFilter', { filter })).toEqual(before);
    expect(await app.answer('cost:list', { connectionId: null })).toMatchObject([
      { rates: [{ creditsPerHour: 36 }], limits: { perJob: null, perDay: null } },
    ]);
  });

  it('that is invalid is refused at its field, and the former one stays', async () => {
    const { app, at } = await aScene();
    await app.answer('cost:setRate', { ...at, creditsPerHour: 2, source: typed });
    for (const creditsPerHour of [-1, 0, 1e9, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await app.call('cost:setRate', { ...at, creditsPerHour, source: typed })).toMatchObject({
        ok: false,
        failure: { kind: 'refused', field: 'creditsPerHour', message: expect.stringMatching(/^[A-Z]/) },
      });
    }
    expect(await app.call('cost:setLimits', { ...at, limits: { perJob: -2, perDay: null } })).toMatchObject({
      ok: false,
      failure: { field: 'limits.perJob' },
    });
    expect(await app.answer('cost:list', { connectionId: null })).toMatchObject([
      { rates: [{ creditsPerHour: 2 }], limits: { perJob: null, perDay: null } },
    ]);
  });
});
