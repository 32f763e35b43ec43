import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';
import { createSealing } from './sealing.ts';

let service: Sandbox;
beforeAll(async () => {
  service = await startSandbox();
});
afterEach(async () => {
  await closeApps();
  service.setFault(null);
  setMockWorkers(1);
});
afterAll(async () => {
  await service.close();
  await removeAppFolders();
});

const answersWith = (status: number): number =>
  service
    .requests()
    .filter((one) => one.status === status)
    .reduce((sum, { count }) => sum + count, 0);

/** Without a worker, a job is unfinished until the test lets it end, however long that takes. */
const setMockWorkers = (count: 0 | 1): void => service.setScaling('mock', { minWorkers: count, maxWorkers: count });

describe('a key that the service refuses', () => {
  it('stops only its connection, is shown there, and a new key tracks the job to its end', async () => {
    // Real time: half a minute passes before the key is tried again.
    const app = await openApp({ clock: createFastClock(1) });
    const connection = await app.connect(service);
    const other = await app.connect(service);
    setMockWorkers(0);
    const job = await app.submit({ connectionId: connection.id, input: { mock_return: 'late' } });
    await app.untilJob(job.key, ({ phase }) => phase === 'active');
    await app.replaceKey(connection.id, 'revoked-0123456789');

    const refused = await app.untilConnection(connection.id, ({ state }) => state.kind === 'key-refused');
    expect(refused.state).toMatchObject({
      kind: 'key-refused',
      httpStatus: 401,
      path: expect.stringContaining('/v2/mock/'),
    });
    // It is tried again automatically, half a minute later.
    expect(app.engine.trackerState()).toMatchObject({
      tracked: 1,
      connections: expect.arrayContaining([
        expect.objectContaining({
          connectionId: connection.id,
          state: expect.objectContaining({ nextTryMs: expect.any(Number) }),
        }),
      ]),
    });
    expect((await app.answer('job:get', { key: job.key })).job).toMatchObject({
      phase: 'active',
      isResultSaved: false,
    });
    const refusals = answersWith(401);

    // What is submitted meanwhile waits; what the user asks for is refused here, without the key being sent again.
    const waiting = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: {} });
    expect(waiting).toMatchObject({ phase: 'waiting', reason: { kind: expect.stringContaining('key') } });
    expect(await app.call('health:refresh', { connectionId: connection.id })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('refuses the key of this connection (401)') },
    });
    expect(await app.call('job:cancel', { key: job.key })).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    // The other connection continues.
    const elsewhere = await app.submit({ connectionId: other.id, endpointId: 'echo', input: {} });
    expect(await app.untilEnd(elsewhere.key)).toMatchObject({ status: 'COMPLETED' });
    expect(answersWith(401)).toBe(refusals);

    const before = app.told['connection:changed'].length;
    await app.replaceKey(connection.id, service.apiKey);
    const { connections } = await app.untilEvent('connection:changed', () => true, before);
    expect(connections.find(({ id }) => id === connection.id)?.state).toEqual({ kind: 'ready' });
    setMockWorkers(1);
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(await app.untilEnd(waiting.key)).toMatchObject({ status: 'COMPLETED' });
    expect(answersWith(401)).toBe(refusals);
  });

  it('creates no job, and the job says why', async () => {
    const app = await openApp();
    const connection = await app.connect({ ...service, apiKey: 'wrong-0123456789' });
    const job = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: { kept: 'as typed' } });
    expect(await app.untilEnd(job.key)).toMatchObject({
      phase: 'refused',
      jobId: null,
      reason: { said: expect.stringContaining('missing or incorrect') },
    });
    expect(await app.answer('job:body', { key: job.key, part: 'input', attempt: null, isWhole: true })).toMatchObject({
      text: '{"kept":"as typed"}',
    });
    expect(await app.untilConnection(connection.id, ({ state }) => state.kind === 'key-refused')).toMatchObject({
      state: { httpStatus: 401 },
      hasKey: true,
    });
    // Tested with the right one before it is kept: nothing changes yet.
    expect(await app.answer('connection:check', { connectionId: connection.id, key: service.apiKey })).toMatchObject(
      service.endpoints.map((endpointId) => ({ endpointId, httpStatus: 200, problem: null })),
    );
    expect(await app.answer('connection:list', undefined)).toMatchObject([{ state: { kind: 'key-refused' } }]);
    await app.replaceKey(connection.id, service.apiKey);
    const again = await app.answer('job:resubmit', { key: job.key });
    expect(await app.untilEnd(again.key)).toMatchObject({ status: 'COMPLETED' });
  });

  it('is tried again by a restart, and a test that passes opens the connection', async () => {
    const safeStorage = createSealing();
    const app = await openApp({ safeStorage });
    const connection = await app.connect(service);
    setMockWorkers(0);
    const job = await app.submit({ connectionId: connection.id, input: { mock_return: 'done' } });
    await app.untilJob(job.key, ({ phase }) => phase === 'active');
    await app.answer('tracker:pause', undefined);
    service.setFault({ kind: 'status', status: 403 });
    await app.answer('tracker:resume', undefined);
    await app.untilConnection(connection.id, ({ state }) => state.kind === 'key-refused');
    await app.close();
    const refusals = answersWith(403);

    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    await again.untilConnection(connection.id, ({ state }) => state.kind === 'key-refused');
    // One read of the job, and one of health that shows whether it is the key.
    expect(answersWith(403) - refusals).toBeLessThanOrEqual(3);

    service.setFault(null);
    expect(await again.answer('connection:check', { connectionId: connection.id })).toMatchObject(
      service.endpoints.map(() => ({ httpStatus: 200, problem: null })),
    );
    expect(await again.answer('connection:list', undefined)).toMatchObject([{ state: { kind: 'ready' } }]);
    setMockWorkers(1);
    expect(await again.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
  });
});

describe('a key', () => {
  it('is sent only where its connection points: not to the address a job was sent to before', async () => {
    const former = await startSandbox();
    const app = await openApp();
    const connection = await app.connect(former);
    const failed = await app.submit({ connectionId: connection.id, input: { mock_error: 'no such style' } });
    const running = await app.submit({ connectionId: connection.id, input: { mock_delay: 600_000 } });
    expect(await app.untilEnd(failed.key)).toMatchObject({ status: 'FAILED' });
    await app.untilJob(running.key, ({ startedSeenAtMs }) => startedSeenAtMs !== null);
    await app.answer('connection:save', {
      draft: { ...connection, baseUrl: `${service.baseUrl}/v2/` },
      key: service.apiKey,
    });

    // A new job is followed to its end at the new address meanwhile.
    const elsewhere = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: {} });
    expect(elsewhere.baseUrl).toBe(service.baseUrl);
    await app.untilEnd(elsewhere.key);
    const asked = former.requests();
    for (const name of ['job:retry', 'job:cancel'] as const) {
      const { key } = name === 'job:retry' ? failed : running;
      expect(await app.call(name, { key })).toMatchObject({
        ok: false,
        failure: { kind: 'refused', message: expect.stringContaining(`was sent to ${former.baseUrl}`) },
      });
    }
    await app.answer('tracker:tryNow', undefined);
    const another = await app.submit({ connectionId: connection.id, endpointId: 'echo', input: {} });
    await app.untilEnd(another.key);
    expect(former.requests()).toEqual(asked);
    expect((await app.answer('job:get', { key: running.key })).job.phase).toBe('active');
    await former.close();
  });
});
