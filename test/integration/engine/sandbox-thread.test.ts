import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import { createSealing } from './sealing.ts';
import { filesHolding } from '../../kit/secrets-in-files.ts';

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
      handlers: [],
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
      handlers: [],
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

  it('is named while a start of the app waits for it, and no longer', async () => {
    const first = await openApp();
    await first.answer('connection:openSandbox', undefined);
    await first.close();
    const again = await openApp({ dataDir: first.dataDir });
    const waitedFor = again.told['app:preparing'].map(({ preparation }) => preparation?.kind ?? null);
    expect(waitedFor.filter((kind, at) => kind !== waitedFor[at - 1])).toEqual([null, 'sandbox', null]);
  });

  it('uses another port if its own is taken, and its connection and jobs follow', async () => {
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
    expect(await app.untilConnection(first.id, ({ baseUrl }) => baseUrl === second.baseUrl)).toEqual(second);
    await app.answer('tracker:resume', undefined);

    expect(await app.untilEnd(unsent.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(
      await app.answer('job:body', { key: unsent.key, part: 'output', attempt: null, isWhole: true }),
    ).toMatchObject({ text: '{"sent":"later"}' });
    expect(await app.untilJob(running.key, ({ status }) => status === 'IN_PROGRESS')).toMatchObject({
      phase: 'active',
    });
    const fresh = await app.submit({ connectionId: first.id, endpointId: 'echo', input: {} });
    expect(await app.untilEnd(fresh.key)).toMatchObject({ status: 'COMPLETED', baseUrl: second.baseUrl });
    // The same for reads of a job that ended: no key is sent to the program that has the port now.
    expect(await app.call('job:retry', { key: failed.key })).toMatchObject({ ok: true });
    expect(await app.untilJob(failed.key, ({ attempt, phase }) => attempt === 2 && phase === 'finished')).toMatchObject(
      {
        status: 'FAILED',
      },
    );
    expect(stranger.asked).toEqual([]);
  });

  it('keeps its jobs over a restart of the app, ended or not', async () => {
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.answer('connection:openSandbox', undefined);
    const streamed = await app.submit({
      connectionId: connection.id,
      endpointId: 'text',
      input: { prompt: 'x', tokens_per_second: 100, max_tokens: 300 },
    });
    const failed = await app.submit({ connectionId: connection.id, input: { mock_error: 'no such style' } });
    await app.untilEnd(failed.key);
    await app.untilJob(streamed.key, ({ chunkCount }) => chunkCount > 5);
    await app.close();

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    expect(await again.untilEnd(streamed.key)).toMatchObject({
      phase: 'finished',
      status: 'COMPLETED',
      isResultSaved: true,
    });
    const output: unknown = JSON.parse(
      (await again.answer('job:body', { key: streamed.key, part: 'output', attempt: null, isWhole: true })).text,
    );
    expect((await again.chunks(streamed.key)).map(({ outputJson }): unknown => JSON.parse(outputJson))).toEqual(output);
    // What had ended can still be retried.
    expect(await again.call('job:retry', { key: failed.key })).toMatchObject({ ok: true });
    expect(again.engine.notices()).toEqual([]);
    expect(await again.answer('connection:list', undefined)).toMatchObject([
      { id: connection.id, state: { kind: 'ready' } },
    ]);
  });

  it('continues its jobs after its connection was removed and the sandbox is opened again', async () => {
    const app = await openApp();
    const { id } = await app.answer('connection:openSandbox', undefined);
    const job = await app.submit({ connectionId: id, input: { mock_delay: 1_500, mock_return: 'still here' } });
    await app.untilJob(job.key, ({ status }) => status === 'IN_PROGRESS');
    await app.answer('connection:remove', { connectionId: id });
    await app.untilJob(job.key, ({ phase }) => phase === 'orphaned');
    expect(await app.answer('connection:openSandbox', undefined)).toMatchObject({ id });
    expect(await app.untilJob(job.key, ({ phase }) => phase === 'finished')).toMatchObject({ status: 'COMPLETED' });
  });

  it('sets an unusable state file aside under a dated name, says so, and starts without it', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    await app.untilEnd((await app.submit({ connectionId, endpointId: 'echo', input: {} })).key);
    await app.answer('sandbox:stop', undefined);
    const path = join(app.dataDir, 'sandbox.db');
    const spoilt = Buffer.from('not a database at all\n'.repeat(500));
    await writeFile(path, spoilt);

    await app.answer('connection:openSandbox', undefined);
    const notice = await app.untilEvent('notice:added', ({ id }) => id.startsWith('sandbox-set-aside'));
    expect(notice).toMatchObject({ tone: 'warning', path: expect.stringMatching(/sandbox\.set-aside-\d{4}-.*\.db$/) });
    expect((await readFile(notice.path ?? '')).equals(spoilt)).toBe(true);
    const fresh = await app.submit({ connectionId, endpointId: 'echo', input: {} });
    expect(await app.untilEnd(fresh.key)).toMatchObject({ status: 'COMPLETED' });
  });

  it('writes no secret of a job or of a template to disk', async () => {
    const [s3Secret, variable] = ['secret-of-the-bucket-7f3a', 'secret-of-the-variable-9c1e'];
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    const profile = await app.answer('s3:save', {
      draft: { name: 'Results', accessId: 'AKIA', bucketName: 'b', endpointUrl: 'https://s3.example.test' },
      secret: s3Secret,
    });
    const job = await app.submit({ connectionId, input: { mock_delay: 600_000 }, s3ProfileId: profile.id });
    await app.untilJob(job.key, ({ status }) => status === 'IN_PROGRESS');
    const { baseUrl, templates } = await app.answer('sandbox:state', undefined);
    const key = /JOBDECK_KEY=(\S+)/.exec(app.engine.sandboxEnvironment() ?? '')?.[1] ?? '';
    const updated = await fetch(`${baseUrl}/v1/templates/${templates.at(-1)}/update`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ env: { TOKEN: variable } }),
    });
    expect([updated.status, await updated.text()]).toEqual([200, expect.stringContaining(variable)]);
    expect(await filesHolding(app.dataDir, [s3Secret, variable, key])).toEqual([]);
    await app.answer('sandbox:stop', undefined);
    expect(await filesHolding(app.dataDir, [s3Secret, variable, key])).toEqual([]);
  });
});
