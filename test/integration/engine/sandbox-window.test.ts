import { createServer } from 'node:http';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxFault, SandboxRequest } from '../../../src-preload/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

const fault: SandboxFault = {
  id: 'f1',
  isOn: true,
  kind: 'status',
  operation: 'health',
  endpointId: 'echo',
  status: 503,
  probability: 1,
  times: null,
  forMs: null,
  isProcessed: false,
  delayMs: null,
};

const toldRequests = (app: App): SandboxRequest[] =>
  app.told['sandbox:requestsSeen'].flatMap(({ requests }) => requests);
/** Waits until a matching request was reported. */
async function untilRequest(app: App, check: (request: SandboxRequest) => boolean): Promise<SandboxRequest> {
  await app.untilSeen(() => toldRequests(app).some(check));
  const [found] = toldRequests(app).filter(check);
  if (found === undefined) throw new Error('What was told is gone.');
  return found;
}
async function healthOf(
  app: App,
  connectionId: string,
  endpointId: string,
): Promise<{ httpStatus: number | null } | undefined> {
  return (await app.answer('connection:check', { connectionId })).find((check) => check.endpointId === endpointId);
}

describe('the sandbox in its window', () => {
  it('reports the app’s own requests to watching windows, with the job and the outcome', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    const before = await app.submit({ connectionId, endpointId: 'echo', input: { said: 'before anyone watched' } });
    const { jobId } = await app.untilEnd(before.key);
    expect(app.told['sandbox:requestsSeen']).toEqual([]);

    await app.answer('sandbox:watch', { isWatching: true });
    const run = await untilRequest(app, ({ operation }) => operation === 'run');
    expect(run).toMatchObject({ method: 'POST', endpointId: 'echo', status: 200, fault: null });
    expect(run.requestBytes).toBeGreaterThan(20);
    const status = await untilRequest(app, (request) => request.operation === 'status' && request.jobId === jobId);
    expect(status).toMatchObject({ method: 'GET', endpointId: 'echo', status: 200, requestBytes: 0 });
    expect(status.replyBytes).toBeGreaterThan(20);
    await app.untilEvent('sandbox:workersSeen', ({ workers }) =>
      workers.some((one) => one.endpointId === 'echo' && one.idle + one.running > 0),
    );

    const asked = await app.answer('sandbox:requests', undefined);
    expect(asked.requests).toEqual(toldRequests(app));
    expect(asked.workers.map(({ endpointId }) => endpointId)).toEqual(['echo', 'text', 'image', 'mock']);
    const seqs = asked.requests.map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
  });

  it('reports nothing once no window watches, even if the window closed without unsubscribing', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:watch', { isWatching: true }, 1);
    await app.answer('sandbox:watch', { isWatching: true }, 2);
    await app.answer('sandbox:watch', { isWatching: false }, 1);
    await healthOf(app, connectionId, 'echo');
    await untilRequest(app, ({ operation }) => operation === 'health');
    app.engine.windowClosed(2);
    await app.answer('sandbox:setFaults', { faults: [{ ...fault, status: 418 }] });
    expect(await healthOf(app, connectionId, 'echo')).toMatchObject({ httpStatus: 418 });
    // The next watcher receives it; so it existed, and was not reported before.
    expect(toldRequests(app).some(({ status }) => status === 418)).toBe(false);
    await app.answer('sandbox:watch', { isWatching: true }, 3);
    await untilRequest(app, ({ status }) => status === 418);
  });

  it('makes the app’s own requests fail as set, and only those', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:watch', { isWatching: true });
    const set = await app.answer('sandbox:setFaults', {
      faults: [fault, { ...fault, id: 'f2', isOn: false, endpointId: 'text' }],
    });
    expect(set.faults).toHaveLength(2);
    expect(await healthOf(app, connectionId, 'echo')).toMatchObject({ httpStatus: 503 });
    expect(await healthOf(app, connectionId, 'text')).toMatchObject({ httpStatus: 200 });
    expect(await untilRequest(app, ({ status }) => status === 503)).toMatchObject({
      operation: 'health',
      endpointId: 'echo',
      fault: 'status',
    });
    expect(
      toldRequests(app)
        .filter((request) => request.endpointId === 'text')
        .map(({ fault: hit }) => hit),
    ).not.toContain('status');

    await app.answer('sandbox:setFaults', { faults: [] });
    expect(await healthOf(app, connectionId, 'echo')).toMatchObject({ httpStatus: 200 });
    expect(app.told['sandbox:changed'].map(({ faults }) => faults.length)).toEqual([0, 2, 0]);
  });

  it('takes a job through a bad day: two status reads fail, which is shown, and the job still completes', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:watch', { isWatching: true });
    await app.answer('sandbox:setFaults', {
      faults: [{ ...fault, operation: 'status', endpointId: null, status: 500, times: 2 }],
    });
    const job = await app.submit({ connectionId, endpointId: 'echo', input: { said: 'all the same' } });
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    await app.untilSeen(() =>
      toldRequests(app).some(({ operation, status }) => operation === 'status' && status === 200),
    );
    expect(
      toldRequests(app)
        .filter((request) => request.fault === 'status')
        .map(({ operation, status }) => [operation, status]),
    ).toEqual([
      ['status', 500],
      ['status', 500],
    ]);
  });

  it('runs its time as fast as set: an execution timeout of ten minutes comes within seconds', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    const job = await app.submit({
      connectionId,
      input: { mock_delay: 3_600_000 },
      policy: { executionTimeout: 600_000 },
    });
    await app.untilJob(job.key, ({ startedSeenAtMs }) => startedSeenAtMs !== null);
    expect(await app.answer('sandbox:setTimeScale', { timeScale: 300 })).toMatchObject({ timeScale: 300 });
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'TIMED_OUT' });
  });

  it('keeps speed and faults over a stop, and resets them when the app closes', async () => {
    const app = await openApp();
    const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:watch', { isWatching: true });
    await healthOf(app, connectionId, 'echo');
    const { seq: lastBefore } = await untilRequest(app, ({ operation }) => operation === 'health');
    await app.answer('sandbox:setFaults', { faults: [fault] });
    await app.answer('sandbox:stop', undefined);
    // A stopped one is set, too, and has no address to copy.
    expect(await app.answer('sandbox:setTimeScale', { timeScale: 60 })).toMatchObject({
      isRunning: false,
      timeScale: 60,
      faults: [fault],
    });
    expect(app.engine.sandboxEnvironment()).toBeNull();

    await app.answer('connection:openSandbox', undefined);
    expect(await app.answer('sandbox:state', undefined)).toMatchObject({
      isRunning: true,
      timeScale: 60,
      faults: [fault],
    });
    expect(await healthOf(app, connectionId, 'echo')).toMatchObject({ httpStatus: 503 });
    // Still watched, and numbered on.
    const again = await untilRequest(app, ({ status }) => status === 503);
    expect(again.seq).toBeGreaterThan(lastBefore);
    await app.close();

    const next = await openApp({ dataDir: app.dataDir });
    expect(await next.answer('sandbox:state', undefined)).toMatchObject({ isRunning: true, timeScale: 1, faults: [] });
  });

  it('gets no requests while it is stopped, even if another server has its port; waiting jobs are sent once it runs again', async () => {
    const app = await openApp();
    const { id: connectionId, baseUrl } = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:stop', undefined);
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    onTestFinished(() => {
      stranger.closeAllConnections();
      stranger.close();
    });
    await new Promise<void>((resolve) => void stranger.listen(Number(new URL(baseUrl).port), '127.0.0.1', resolve));
    expect(await app.call('health:refresh', { connectionId })).toMatchObject({
      ok: false,
      failure: { kind: 'network' },
    });
    const waiting = await app.submit({ connectionId, endpointId: 'echo', input: { sent: 'later' } });
    await app.untilJob(waiting.key, ({ phase, reason }) => phase === 'waiting' && reason !== null);
    await app.untilEvent('tracker:changed', ({ connections }) =>
      connections.some(({ state }) => state.kind === 'offline'),
    );

    await app.answer('connection:openSandbox', undefined);
    expect(await app.untilEnd(waiting.key)).toMatchObject({ status: 'COMPLETED' });
    expect(asked).toEqual([]);
  });

  it('gives its address and key for the clipboard, and its key to no window', async () => {
    const app = await openApp();
    const { baseUrl } = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:watch', { isWatching: true });
    const lines = app.engine.sandboxEnvironment() ?? '';
    const key = /^export JOBDECK_KEY=(\S+)$/m.exec(lines)?.[1] ?? 'none';
    expect(lines).toContain(`export JOBDECK_BASE_URL=${baseUrl}\n`);
    const asked = await fetch(`${baseUrl}/v2/echo/health`, { headers: { authorization: `Bearer ${key}` } });
    expect(asked.status).toBe(200);
    await untilRequest(app, ({ operation }) => operation === 'health');
    expect(
      JSON.stringify([
        app.told,
        await app.answer('sandbox:state', undefined),
        await app.answer('sandbox:requests', undefined),
      ]),
    ).not.toContain(key);
  });

  it('refuses values out of bounds, and does not change', async () => {
    const app = await openApp();
    await app.answer('connection:openSandbox', undefined);
    for (const timeScale of [0, 0.5, 10_001, NaN, Infinity])
      expect(await app.call('sandbox:setTimeScale', { timeScale })).toMatchObject({
        ok: false,
        failure: { kind: 'refused', field: 'timeScale' },
      });
    for (const wrong of [
      { status: 200 },
      { probability: 0 },
      { probability: 1.1 },
      { times: 0 },
      { delayMs: -1 },
      { operation: 'webhook' as const },
    ]) {
      expect(await app.call('sandbox:setFaults', { faults: [{ ...fault, ...wrong }] })).toMatchObject({
        ok: false,
        failure: { kind: 'refused', field: expect.stringContaining('faults.0') },
      });
    }
    expect(await app.call('sandbox:setFaults', { faults: [fault, fault] })).toMatchObject({
      ok: false,
      failure: { kind: 'refused' },
    });
    expect(await app.answer('sandbox:state', undefined)).toMatchObject({ isRunning: true, timeScale: 1, faults: [] });
  });
});
