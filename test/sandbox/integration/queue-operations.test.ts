import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

describe('queue operations over HTTP (spec dialect)', () => {
  let sandbox: Sandbox;
  let caller: Caller;
  const floodUrl = new URL('./fixture/flood-handler.mjs', import.meta.url).href;

  beforeAll(async () => {
    const scaling = { minWorkers: 1, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 60_000 };
    sandbox = await startSandbox({
      limits: 'off',
      endpoints: [
        { id: 'echo', handler: { builtIn: 'echo' }, ...scaling },
        { id: 'mock', handler: { builtIn: 'mock' }, ...scaling },
        { id: 'one', handler: { builtIn: 'mock' }, ...scaling },
        { id: 'many', handler: { builtIn: 'mock' }, ...scaling, maxWorkers: 3 },
        { id: 'two', handler: { builtIn: 'mock' }, ...scaling, maxWorkers: 2 },
        { id: 'flood', handler: { moduleUrl: floodUrl }, ...scaling },
      ],
    });
    caller = createCaller(sandbox);
  });
  afterAll(() => sandbox.close());

  it('run answers immediately with exactly id and IN_QUEUE', async () => {
    const { status, body, headers } = await caller.post('echo/run', { input: {} });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toEqual({ id: expect.any(String), status: 'IN_QUEUE' });
  });

  it('runsync answers with the finished record', async () => {
    const { status, body } = await caller.post('echo/runsync', { input: { text: 'grüße', list: [1, null] } });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      status: 'COMPLETED',
      output: { text: 'grüße', list: [1, null] },
      delayTime: expect.any(Number),
      executionTime: expect.any(Number),
    });
  });

  it('runsync answers with the current record if wait ends first', async () => {
    // Its worker is there by then.
    await caller.runsync('one', {});
    const startedAtMs = performance.now();
    const { status, body } = await caller.post('one/runsync?wait=1000', { input: { mock_delay: 60_000 } });
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(990);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'IN_PROGRESS' });
    const waiting = await caller.run('one', {});
    expect(await caller.status('one', waiting)).toEqual({
      id: waiting,
      status: 'IN_QUEUE',
      delayTime: expect.any(Number),
      executionTime: 0,
    });
    expect(await caller.get('one/health').then(({ body: health }) => health)).toEqual({
      jobs: { completed: 1, failed: 0, inProgress: 1, inQueue: 1, retried: 0 },
      workers: { idle: 0, running: 1 },
    });
    const purged = await caller.post('one/purge-queue');
    expect([purged.status, purged.body]).toEqual([200, { removed: 1, status: 'completed' }]);
    expect((await caller.get(`one/status/${waiting}`)).status).toBe(404);
  });

  it('stream returns a bare array, drains, and ends empty; status has the list of outputs', async () => {
    const id = await caller.run('mock', {
      mock_stream: ['a', { output: { n: 1 }, metrics: { speed: 2 } }, 'c'],
      mock_delay: 5,
    });
    const chunks: unknown[] = [];
    let isDone = false;
    while (!isDone) {
      isDone = (await caller.status('mock', id)).status === 'COMPLETED';
      const { status, text } = await caller.get(`mock/stream/${id}`);
      expect(status).toBe(200);
      const read: unknown[] = JSON.parse(text);
      chunks.push(...read);
    }
    expect(chunks).toEqual([{ output: 'a' }, { output: { n: 1 }, metrics: { speed: 2 } }, { output: 'c' }]);
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual([]);
    expect((await caller.status('mock', id)).output).toEqual(['a', { n: 1 }, 'c']);
  });

  it('accepts a flood of chunks in order, and splits those over 1 MB', async () => {
    const { id } = await caller.runsync('flood', { count: 20_000, large: true });
    const { text } = await caller.get(`flood/stream/${id}`);
    const chunks: { output: number | string }[] = JSON.parse(text);
    expect(chunks.slice(0, 20_000).map(({ output }) => output)).toEqual(
      Array.from({ length: 20_000 }, (_, index) => index),
    );
    const large = chunks.slice(20_000);
    expect(large.length).toBeGreaterThanOrEqual(3);
    expect(large.every((chunk) => Buffer.byteLength(JSON.stringify(chunk)) <= 1_000_000)).toBe(true);
    expect(large.map(({ output }) => output).join('')).toHaveLength(2_500_000);
  });

  it('shows progress as output while the job runs', async () => {
    const id = await caller.run('mock', {
      mock_progress: [{ step: 1 }, { step: 2 }],
      mock_delay: 500,
      mock_return: 'done',
    });
    const seen = new Set<string>();
    let record = await caller.status('mock', id);
    for (; record.status !== 'COMPLETED'; record = await caller.status('mock', id)) {
      if (record.output !== undefined) seen.add(JSON.stringify(record.output));
    }
    expect([...seen]).toEqual(['{"step":1}', '{"step":2}']);
    expect(record.output).toBe('done');
  });

  it('a handler that returns nothing completes without output', async () => {
    const record = await caller.runsync('mock', {});
    expect(record.status).toBe('COMPLETED');
    expect(record).not.toHaveProperty('output');
  });

  it('reports a thrown error as a JSON text with type, message, traceback and worker', async () => {
    const record = await caller.runsync('mock', { mock_delay: 'soon' });
    expect(record.status).toBe('FAILED');
    expect(JSON.parse(record.error ?? '')).toEqual({
      error_type: 'RangeError',
      error_message: 'mock_delay must be a number from 0 to 604800000.',
      error_traceback: expect.stringMatching(/at handler .*mock/),
      hostname: expect.any(String),
      worker_id: expect.any(String),
      runpod_version: expect.any(String),
    });
  });

  it('mock_error fails with the text unchanged, or with the fields of an object', async () => {
    expect(await caller.runsync('mock', { mock_error: 'no weights' })).toMatchObject({
      status: 'FAILED',
      error: 'no weights',
    });
    const { error } = await caller.runsync('mock', {
      mock_error: { error_type: 'ValueError', error_message: 'bad', error_traceback: 'line 3' },
    });
    expect(JSON.parse(error ?? '')).toMatchObject({
      error_type: 'ValueError',
      error_message: 'bad',
      error_traceback: 'line 3',
    });
  });

  it('mock_error with mock_return fails with an output', async () => {
    const failed = await caller.runsync('mock', { mock_error: 'no room', mock_return: { at: 1 } });
    expect(failed).toMatchObject({ status: 'FAILED', error: 'no room', output: { at: 1 } });
  });

  it('mock_crash that is neither true nor false is refused like the other fields', async () => {
    const { status, error } = await caller.runsync('mock', { mock_crash: 'yes' });
    expect([status, error]).toEqual(['FAILED', expect.stringContaining('mock_crash must be true or false.')]);
  });

  it('a crash fails its job and leaves the endpoint working', async () => {
    const record = await caller.runsync('mock', { mock_crash: true });
    expect(record.status).toBe('FAILED');
    expect(JSON.parse(record.error ?? '')).toMatchObject({ error_type: 'WorkerCrashed' });
    expect(await caller.runsync('mock', { mock_return: 1 })).toMatchObject({ status: 'COMPLETED', output: 1 });
  });

  it('retry runs a failed job again under the same id with the original input, output removed', async () => {
    const { id } = await caller.runsync('mock', { mock_error: 'again' });
    const { status, body } = await caller.post(`mock/retry/${id}`);
    expect([status, body]).toEqual([200, { id, status: 'IN_QUEUE' }]);
    let record = await caller.status('mock', id);
    expect(record.status === 'FAILED' || record.error === undefined).toBe(true);
    while (record.status !== 'FAILED') record = await caller.status('mock', id);
    expect(record.error).toBe('again');
    const causes = sandbox
      .transitions()
      .filter(({ jobId }) => jobId === id)
      .map(({ cause }) => cause);
    expect(causes).toEqual(['submitted', 'worker free', 'handler failed', 'retry', 'worker free', 'handler failed']);
  });

  it('retry and cancel of a completed job are refused with a sentence', async () => {
    const { id } = await caller.runsync('echo', {});
    for (const operation of ['retry', 'cancel']) {
      const { status, body } = await caller.post(`echo/${operation}/${id}`);
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringMatching(/this one is COMPLETED\.$/) });
    }
  });

  it('cancel answers CANCELLED immediately and frees the worker of a waiting handler', async () => {
    const busy = await caller.run('mock', { mock_delay: 600_000 });
    const waiting = await caller.run('mock', { mock_delay: 600_000 });
    for (const id of [waiting, busy]) {
      const { status, body } = await caller.post(`mock/cancel/${id}`);
      expect([status, body]).toEqual([200, { id, status: 'CANCELLED' }]);
      expect(await caller.status('mock', id)).toMatchObject({ status: 'CANCELLED' });
    }
    // The endpoint has one worker: this can only complete because the handler really stopped.
    expect(await caller.runsync('mock', { mock_return: 'free' })).toMatchObject({ output: 'free' });
    expect(sandbox.transitions().some(({ jobId, to }) => jobId === waiting && to === 'IN_PROGRESS')).toBe(false);
  });

  it('keeps 1,000 waiting jobs, tells them apart, and purges them', async () => {
    const busy = await Promise.all([1, 2, 3].map(() => caller.run('many', { mock_delay: 600_000 })));
    while ((await caller.status('many', busy[2] ?? '')).status !== 'IN_PROGRESS');
    const ids = await Promise.all(Array.from({ length: 1_000 }, (_, n) => caller.run('many', { mock_return: n })));
    expect(new Set(ids).size).toBe(1_000);
    const { body } = await caller.get('many/health');
    expect(body).toMatchObject({ jobs: { inQueue: 1_000, inProgress: 3 }, workers: { idle: 0, running: 3 } });
    expect((await caller.post('many/purge-queue')).body).toEqual({ removed: 1_000, status: 'completed' });
  });

  it('counts requests per endpoint, operation and status', () => {
    const count = (operation: string, status: number): number =>
      sandbox
        .requests()
        .find((entry) => entry.endpointId === 'many' && entry.operation === operation && entry.status === status)
        ?.count ?? 0;
    expect(count('run', 200)).toBe(1_003);
    expect(count('purge-queue', 200)).toBe(1);
    expect(count('run', 500)).toBe(0);
  });

  it('a crash ends no other worker, even though built-in handlers share a thread', async () => {
    const id = await caller.run('two', { mock_stream: ['a', 'b'], mock_delay: 200 });
    let record = await caller.status('two', id);
    while (record.status === 'IN_QUEUE') record = await caller.status('two', id);
    expect(await caller.runsync('mock', { mock_crash: true })).toMatchObject({ status: 'FAILED' });
    expect(await caller.runsync('two', { mock_crash: true })).toMatchObject({ status: 'FAILED' });
    while (record.status === 'IN_PROGRESS') record = await caller.status('two', id);
    expect(record).toMatchObject({ status: 'COMPLETED', output: ['a', 'b'] });
  });

  it('a failure that cannot be reported fails its own job only', async () => {
    const id = await caller.run('two', { mock_stream: ['a', 'b'], mock_delay: 200 });
    let record = await caller.status('two', id);
    while (record.status === 'IN_QUEUE') record = await caller.status('two', id);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { body } = await caller.post('mock/runsync', `{"input":{"mock_error":{"error_message":${deep}}}}`);
    expect(body).toMatchObject({ status: 'FAILED', error: expect.stringContaining('cannot be reported') });
    while (record.status === 'IN_PROGRESS') record = await caller.status('two', id);
    expect(record).toMatchObject({ status: 'COMPLETED', output: ['a', 'b'] });
  });
});
