import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import { createVirtualClock, startSandbox } from '../../kit/sandbox.ts';
import type { VirtualClock } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';
import type { Caller } from './caller.ts';
import { hold } from './keep-alive.ts';

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
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual({
      status: 'COMPLETED',
      stream: [{ output: 1 }, { output: 2 }],
    });
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual({ status: 'COMPLETED', stream: [] });
  });

  it('holds a stream read with wait until there is a chunk', async () => {
    const id = await caller.run('mock', { mock_stream: ['late'], mock_delay: 150 });
    const { body } = await caller.get(`mock/stream/${id}?wait=20000`);
    expect(body).toEqual({ status: 'IN_PROGRESS', stream: [{ output: 'late' }] });
  });

  it.each(['0', '20', '300000'])(
    'accepts a stream read with wait=%s, which ends with the job at the latest',
    async (wait) => {
      const { id } = await caller.runsync('mock', {});
      expect((await caller.get(`mock/stream/${id}?wait=${wait}`)).body).toEqual({ status: 'COMPLETED', stream: [] });
    },
  );

  it.each(['', 'x', '-1', '300001', '5&wait=5'])('refuses a stream read with wait=%s', async (wait) => {
    const { id } = await caller.runsync('mock', {});
    expect((await caller.get(`mock/stream/${id}?wait=${wait}`)).status).toBe(400);
  });

  it('reports all six worker counts', async () => {
    await caller.runsync('echo', {});
    expect((await caller.get('echo/health')).body).toEqual({
      jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 1, initializing: 0, ready: 1, running: 0, throttled: 0, unhealthy: 0 },
    });
  });

  it('adds the worker, and the retries if there are any', async () => {
    const first = await caller.runsync('mock', { mock_error: 'x' });
    expect(first.workerId).toMatch(/^[a-z0-9]{14}$/);
    expect(first).not.toHaveProperty('retries');
    await caller.post(`mock/retry/${first.id}`);
    expect(await caller.get(`mock/status-sync/${first.id}`).then(({ body }) => body)).toMatchObject({
      status: 'FAILED',
      retries: 1,
    });
  });

  it('answers status-sync when the job ends, or when wait does', async () => {
    const id = await caller.run('mock', { mock_delay: 100, mock_return: 'ok' });
    expect((await caller.get(`mock/status-sync/${id}?wait=30000`)).body).toMatchObject({
      status: 'COMPLETED',
      output: 'ok',
    });
    expect((await caller.get(`mock/status-sync/${id}?wait=10`)).status).toBe(400);
  });
});

describe('a stream read in the observed dialect', () => {
  const scaling = { minWorkers: 0, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e9 };

  async function open(
    dialect: Dialect,
  ): Promise<{ clock: VirtualClock; sandbox: Sandbox; caller: Caller; running: string }> {
    const clock = createVirtualClock();
    const sandbox = await startSandbox({
      dialect,
      clock,
      endpoints: [{ id: 'mock', handler: { builtIn: 'mock' }, ...scaling }],
    });
    const caller = createCaller(sandbox);
    const running = await caller.run('mock', { mock_delay: 600_000 });
    while (!sandbox.transitions().some(({ to }) => to === 'IN_PROGRESS')) await caller.get('mock/health');
    return { clock, sandbox, caller, running };
  }

  it.each([
    ['', 10_000],
    ['?wait=25000', 25_000],
  ])('is held with "%s" for %d ms, and no longer', async (query, heldMs) => {
    const { clock, sandbox, caller, running } = await open('observed');
    const held = await hold(sandbox, { method: 'GET', path: `mock/stream/${running}${query}` });
    clock.advance(heldMs - 1);
    await caller.get('mock/health');
    expect(held.received()).toBe('');
    clock.advance(1);
    expect(await held.answer()).toEqual({ status: 'IN_PROGRESS', stream: [] });
    await sandbox.close();
  });

  it('ends when the job does, or with 404 when the job is deleted', async () => {
    const { clock, sandbox, caller, running } = await open('observed');
    const held = await hold(sandbox, { method: 'GET', path: `mock/stream/${running}?wait=300000` });
    await caller.post(`mock/cancel/${running}`);
    expect(await held.answer()).toEqual({ status: 'CANCELLED', stream: [] });
    const other = await caller.run('mock', { mock_delay: 600_000 }, { policy: { ttl: 10_000 } });
    const deleted = await hold(sandbox, { method: 'GET', path: `mock/stream/${other}?wait=300000` });
    clock.advance(10_000);
    expect(await deleted.answer()).toEqual({ error: expect.stringContaining('outlived its ttl') });
    await sandbox.close();
  });

  it('is answered immediately as specified, with or without wait', async () => {
    const { sandbox, caller, running } = await open('spec');
    for (const query of ['', '?wait=25000', '?wait=x'])
      expect((await caller.get(`mock/stream/${running}${query}`)).body).toEqual([]);
    await sandbox.close();
  });
});

describe('stream replay', () => {
  it('repeats every chunk from the first on each read', async () => {
    const sandbox = await startSandbox({ isStreamReplayed: true });
    const caller = createCaller(sandbox);
    const { id } = await caller.runsync('mock', { mock_stream: [1, 2] });
    for (const _ of [1, 2])
      expect((await caller.get(`mock/stream/${id}`)).body).toEqual([{ output: 1 }, { output: 2 }]);
    await sandbox.close();
  });
});
