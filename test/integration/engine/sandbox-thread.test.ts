import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import { createSealing } from './sealing.ts';

const strangers: Server[] = [];
afterEach(async () => {
  await closeApps();
  for (const stranger of strangers.splice(0)) {
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
  }
});
afterAll(removeAppFolders);

/** Another program that took the port meanwhile; answers whom it was asked as. */
async function takePort(port: number): Promise<{ asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"id":"stolen","status":"COMPLETED","output":"stolen"}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  strangers.push(server);
  return { asked };
}
const portOf = (baseUrl: string | null): number => Number(new URL(baseUrl ?? '').port);

describe('the built-in sandbox', () => {
  it('keeps its port and its connection over a stop, and over a restart of the app', async () => {
    const app = await openApp();
    expect(await app.answer('sandbox:state', undefined)).toEqual({
      isRunning: false,
      baseUrl: null,
      restUrl: null,
      endpoints: [],
      pods: [],
      templates: [],
      problem: null,
      timeScale: 1,
      faults: [],
    });
    const first = await app.answer('connection:openSandbox', undefined);
    const running = {
      isRunning: true,
      baseUrl: first.baseUrl,
      restUrl: first.restUrl,
      endpoints: ['echo', 'text', 'image', 'mock'],
      pods: expect.arrayContaining([expect.any(String)]),
      templates: expect.arrayContaining([expect.any(String)]),
      problem: null,
      timeScale: 1,
      faults: [],
    };
    expect(await app.answer('sandbox:state', undefined)).toEqual(running);
    expect(await app.answer('connection:openSandbox', undefined)).toMatchObject({ id: first.id });
    expect(await app.answer('sandbox:stop', undefined)).toMatchObject({ isRunning: false, problem: null });
    await expect(fetch(first.baseUrl)).rejects.toThrow();

    // Stopping and opening at once are done one after the other.
    const [, second] = await Promise.all([
      app.answer('sandbox:stop', undefined),
      app.answer('connection:openSandbox', undefined),
    ]);
    expect(second).toMatchObject({ id: first.id, baseUrl: first.baseUrl, state: { kind: 'ready' } });
    const [, third] = await Promise.all([
      app.answer('sandbox:stop', undefined),
      app.answer('connection:openSandbox', undefined),
    ]);
    expect(third.baseUrl).toBe(first.baseUrl);
    expect(app.told['sandbox:changed'].map(({ isRunning }) => isRunning)).toEqual([true, false, true, false, true]);
    await app.close();

    const again = await openApp({ dataDir: app.dataDir });
    expect(await again.answer('sandbox:state', undefined)).toEqual(running);
    expect(await again.answer('connection:list', undefined)).toMatchObject([
      { id: first.id, hasKey: true, state: { kind: 'ready' } },
    ]);
    const job = await again.submit({ connectionId: first.id, endpointId: 'echo', input: {} });
    expect(await again.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED' });
  });

  it('takes another port where its own is taken, and its connection and jobs follow', async () => {
    const app = await openApp();
    const first = await app.answer('connection:openSandbox', undefined);
    const running = await app.submit({ connectionId: first.id, input: { mock_delay: 600_000 } });
    const failed = await app.submit({ connectionId: first.id, input: { mock_error: 'no such style' } });
    expect(await app.untilEnd(failed.key)).toMatchObject({ status: 'FAILED' });
    await app.untilJob(running.key, ({ startedSeenAtMs }) => startedSeenAtMs !== null);
    await app.answer('tracker:pause', undefined);
    const unsent = await app.submit({ connectionId: first.id, endpointId: 'echo', input: { sent: 'later' } });
    expect(unsent).toMatchObject({ phase: 'waiting', baseUrl: first.baseUrl });
    await app.answer('sandbox:stop', undefined);
    const stranger = await takePort(portOf(first.baseUrl));

    const second = await app.answer('connection:openSandbox', undefined);
    expect(portOf(second.baseUrl)).not.toBe(portOf(first.baseUrl));
    expect(second).toMatchObject({ id: first.id, state: { kind: 'ready' } });
    expect(await app.untilConnection(first.id, ({ baseUrl }) => baseUrl === second.baseUrl)).toBeDefined();
    await app.answer('tracker:resume', undefined);

    expect(await app.untilEnd(unsent.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(
      await app.answer('job:body', { key: unsent.key, part: 'output', attempt: null, isWhole: true }),
    ).toMatchObject({ text: '{"sent":"later"}' });
    expect(await app.untilEnd(running.key)).toMatchObject({
      phase: 'gone',
      goneReason: 'sandbox-restarted',
      isResultSaved: false,
      note: 'The sandbox was restarted and forgot it',
    });
    const fresh = await app.submit({ connectionId: first.id, endpointId: 'echo', input: {} });
    expect(await app.untilEnd(fresh.key)).toMatchObject({ status: 'COMPLETED', baseUrl: second.baseUrl });
    // The same for what is asked of a job that ended: whoever has the port now is nobody to send a key to.
    expect(await app.call('job:retry', { key: failed.key })).toMatchObject({
      ok: false,
      failure: { kind: 'not-found' },
    });
    expect(stranger.asked).toEqual([]);
  });

  it('forgets its jobs with the app; what was received of them stays', async () => {
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.answer('connection:openSandbox', undefined);
    const job = await app.submit({
      connectionId: connection.id,
      endpointId: 'text',
      input: { prompt: 'x', tokens_per_second: 100, max_tokens: 100_000 },
    });
    await app.untilJob(job.key, ({ chunkCount }) => chunkCount > 5);
    await app.close();

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    const kept = await again.chunks(job.key);
    const gone = await again.untilEnd(job.key);
    expect(gone).toMatchObject({
      phase: 'gone',
      goneReason: 'sandbox-restarted',
      chunkCount: kept.length,
      isResultSaved: false,
    });
    expect(await again.chunks(job.key)).toEqual(kept);
    expect(kept.length).toBeGreaterThan(5);
    expect(await again.answer('connection:list', undefined)).toMatchObject([
      { id: connection.id, state: { kind: 'ready' } },
    ]);
  });
});
