import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import type { HandlerLog } from '../../../src-main/sandbox/workers/start-handler-thread.ts';
import { createVirtualClock, startSandbox } from '../../kit/sandbox.ts';
import type { VirtualClock } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';
import type { Caller } from './caller.ts';

const SCALING = { minWorkers: 0, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e9 };

describe('time, on a virtual clock', () => {
  let clock: VirtualClock;
  let sandbox: Sandbox;
  let caller: Caller;
  let printed: HandlerLog[];

  async function open(dialect: Dialect = 'spec', syncRetentionMs = 60_000): Promise<void> {
    clock = createVirtualClock();
    printed = [];
    sandbox = await startSandbox({
      clock,
      dialect,
      syncRetentionMs,
      onHandlerLog: (log) => printed.push(log),
      endpoints: [
        { id: 'mock', handler: { builtIn: 'mock' }, ...SCALING },
        {
          id: 'flood',
          handler: { moduleUrl: new URL('./fixture/flood-handler.mjs', import.meta.url).href },
          ...SCALING,
        },
        {
          id: 'stubborn',
          handler: { moduleUrl: new URL('./fixture/stubborn-handler.mjs', import.meta.url).href },
          ...SCALING,
        },
      ],
    });
    caller = createCaller(sandbox);
  }

  /** Submits a job that runs for long in real time, and waits until it does. */
  async function runLong(
    endpointId: string,
    input: Record<string, unknown>,
    policy: Record<string, unknown> = {},
  ): Promise<string> {
    const id = await caller.run(endpointId, input, { policy });
    while ((await caller.status(endpointId, id)).status !== 'IN_PROGRESS');
    return id;
  }

  beforeEach(() => open());
  afterEach(() => sandbox.close());

  it('a running job is deleted when its ttl ends: 404, and its worker is free', async () => {
    const id = await runLong('mock', { mock_delay: 600_000 }, { ttl: 10_000 });
    clock.advance(9_999);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(200);
    clock.advance(1);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(404);
    expect((await caller.post(`mock/retry/${id}`)).status).toBe(404);
    expect(await caller.runsync('mock', { mock_return: 1 })).toMatchObject({ output: 1 });
  });

  it('status?ttl= restarts the ttl clock at now', async () => {
    const id = await runLong('mock', { mock_delay: 600_000 }, { ttl: 10_000 });
    clock.advance(9_000);
    expect((await caller.get(`mock/status/${id}?ttl=20000`)).body).toMatchObject({ id, status: 'IN_PROGRESS' });
    clock.advance(19_999);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(200);
    expect((await caller.get(`mock/status/${id}?ttl=9999`)).status).toBe(400);
    clock.advance(1);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(404);
  });

  it('a waiting runsync whose job is deleted is answered 404', async () => {
    await runLong('mock', { mock_delay: 600_000 });
    const waiting = caller.post('mock/runsync', { input: {}, policy: { ttl: 10_000 } });
    while (sandbox.transitions().filter(({ cause }) => cause === 'submitted').length < 2)
      await caller.get('mock/health');
    clock.advance(10_000);
    expect((await waiting).status).toBe(404);
  });

  it('run results are kept 30 minutes, runsync results 60 s', async () => {
    const sync = await caller.runsync('mock', { mock_return: 1 });
    const id = await caller.run('mock', { mock_return: 2 });
    while ((await caller.status('mock', id)).status !== 'COMPLETED');
    clock.advance(59_999);
    expect((await caller.get(`mock/status/${sync.id}`)).status).toBe(200);
    clock.advance(1);
    expect((await caller.get(`mock/status/${sync.id}`)).status).toBe(404);
    clock.advance(29 * 60_000 - 1);
    expect((await caller.status('mock', id)).output).toBe(2);
    clock.advance(1);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(404);
  });

  it('the retention of runsync results can be set up to 5 minutes', async () => {
    await sandbox.close();
    await open('spec', 300_000);
    const { id } = await caller.runsync('mock', {});
    clock.advance(299_999);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(200);
    clock.advance(1);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(404);
    await expect(startSandbox({ syncRetentionMs: 300_001 })).rejects.toThrow(RangeError);
  });

  it.each([
    ['spec', { status: 'TIMED_OUT' }],
    ['observed', { status: 'FAILED', error: 'executionTimeout exceeded' }],
  ] as const)('executionTimeout in the %s dialect', async (dialect, expected) => {
    await sandbox.close();
    await open(dialect);
    const id = await runLong('mock', { mock_delay: 600_000 }, { executionTimeout: 5_000 });
    clock.advance(5_000);
    expect(await caller.status('mock', id)).toMatchObject({ ...expected, executionTime: 5_000 });
    expect((await caller.post(`mock/retry/${id}`)).body).toEqual({ id, status: 'IN_QUEUE' });
  });

  it('a handler that respects a stop keeps its worker for the next job', async () => {
    const id = await runLong('mock', { mock_delay: 600_000 });
    await caller.post(`mock/cancel/${id}`);
    // The clock stands still, so the two seconds of grace never end: only the freed worker can run this.
    expect(await caller.runsync('mock', { mock_return: 'free' })).toMatchObject({ output: 'free' });
    expect((await caller.get('mock/health')).body).toMatchObject({ workers: { idle: 1, running: 0 } });
  });

  it('a handler that streams without a pause is throttled, and so can be stopped', async () => {
    const id = await runLong('flood', { count: 1e15 });
    expect((await caller.post(`flood/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
    expect(await caller.runsync('flood', { count: 2 })).toMatchObject({ output: [0, 1] });
  });

  it('a handler that never yields loses its worker 2 s after cancel, and the next job gets a new one', async () => {
    const id = await runLong('stubborn', { spin: true });
    expect((await caller.post(`stubborn/cancel/${id}`)).body).toEqual({ id, status: 'CANCELLED' });
    const next = await caller.run('stubborn', {}, { extra: 'kept' });
    clock.advance(1_999);
    expect((await caller.status('stubborn', next)).status).toBe('IN_QUEUE');
    expect((await caller.get('stubborn/health')).body).toMatchObject({ workers: { idle: 0, running: 1 } });
    clock.advance(1);
    let record = await caller.status('stubborn', next);
    while (record.status !== 'COMPLETED') record = await caller.status('stubborn', next);
    expect(record.output).toEqual({ field: 'kept' });
    expect(printed).toMatchObject([
      { endpointId: 'stubborn', jobId: id, stream: 'stderr', line: expect.stringContaining('its worker was ended') },
      { endpointId: 'stubborn', jobId: next, stream: 'stdout', line: 'printed by the handler' },
    ]);
  });

  it('transitions carry the clock times and their causes', async () => {
    const id = await runLong('mock', { mock_delay: 600_000 }, { ttl: 10_000 });
    const startMs = clock.now();
    clock.advance(12_000);
    expect(sandbox.transitions().filter(({ jobId }) => jobId === id)).toEqual([
      { seq: 1, atMs: startMs, endpointId: 'mock', jobId: id, from: null, to: 'IN_QUEUE', cause: 'submitted' },
      {
        seq: 2,
        atMs: startMs,
        endpointId: 'mock',
        jobId: id,
        from: 'IN_QUEUE',
        to: 'IN_PROGRESS',
        cause: 'worker free',
      },
      {
        seq: 3,
        atMs: startMs + 10_000,
        endpointId: 'mock',
        jobId: id,
        from: 'IN_PROGRESS',
        to: 'REMOVED',
        cause: 'ttl',
      },
    ]);
  });
});
