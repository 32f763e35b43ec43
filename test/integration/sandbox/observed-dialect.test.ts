import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

describe('observed dialect', () => {
  let sandbox: Sandbox;
  let caller: Caller;

  beforeAll(async () => {
    sandbox = await startSandbox({ dialect: 'observed' });
    caller = createCaller(sandbox);
  });
  afterAll(() => sandbox.close());

  it('wraps the stream with the status', async () => {
    const { id } = await caller.runsync('mock', { mock_stream: [1, 2] });
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual({ status: 'COMPLETED', stream: [{ output: 1 }, { output: 2 }] });
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual({ status: 'COMPLETED', stream: [] });
  });

  it('holds a stream read with wait until there is a chunk', async () => {
    const id = await caller.run('mock', { mock_stream: ['late'], mock_delay: 150 });
    const { body } = await caller.get(`mock/stream/${id}?wait=20000`);
    expect(body).toEqual({ status: 'IN_PROGRESS', stream: [{ output: 'late' }] });
  });

  it('tells all six worker counts', async () => {
    await caller.runsync('echo', {});
    expect((await caller.get('echo/health')).body).toEqual({
      jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 1, initializing: 0, ready: 1, running: 0, throttled: 0, unhealthy: 0 },
    });
  });

  it('adds the worker, and the retries once there are some', async () => {
    const first = await caller.runsync('mock', { mock_error: 'x' });
    expect(first.workerId).toMatch(/^[a-z0-9]{14}$/);
    expect(first).not.toHaveProperty('retries');
    await caller.post(`mock/retry/${first.id}`);
    expect(await caller.get(`mock/status-sync/${first.id}`).then(({ body }) => body)).toMatchObject({ status: 'FAILED', retries: 1 });
  });

  it('answers status-sync when the job ends, or when wait does', async () => {
    const id = await caller.run('mock', { mock_delay: 100, mock_return: 'ok' });
    expect((await caller.get(`mock/status-sync/${id}?wait=30000`)).body).toMatchObject({ status: 'COMPLETED', output: 'ok' });
    expect((await caller.get(`mock/status-sync/${id}?wait=10`)).status).toBe(400);
  });
});

describe('stream replay', () => {
  it('repeats every chunk from the first on each read', async () => {
    const sandbox = await startSandbox({ isStreamReplayed: true });
    const caller = createCaller(sandbox);
    const { id } = await caller.runsync('mock', { mock_stream: [1, 2] });
    for (const _ of [1, 2]) expect((await caller.get(`mock/stream/${id}`)).body).toEqual([{ output: 1 }, { output: 2 }]);
    await sandbox.close();
  });
});
