import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createVirtualClock, startSandbox, type VirtualClock } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

describe('faults on demand', () => {
  let sandbox: Sandbox;
  let caller: Caller;
  const submitted = (): number => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;

  beforeEach(async () => {
    sandbox = await startSandbox();
    caller = createCaller(sandbox);
  });
  afterEach(() => sandbox.close());

  it('answers a status with Retry-After, as often as set, and works again afterwards', async () => {
    sandbox.setFault({ kind: 'status', status: 429, retryAfterS: 3, operation: 'health', times: 1 });
    const refused = await caller.get('echo/health');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    expect((await caller.get('echo/health')).status).toBe(200);
  });

  it('resets before or after accepting the job', async () => {
    sandbox.setFault({ kind: 'reset', operation: 'run' });
    await expect(caller.run('echo', {})).rejects.toThrow('fetch failed');
    expect(submitted()).toBe(0);
    sandbox.setFault({ kind: 'drop-after-accept', operation: 'run' });
    await expect(caller.run('echo', {})).rejects.toThrow('fetch failed');
    expect(submitted()).toBe(1);
    expect(sandbox.requests()).toEqual([{ endpointId: 'echo', operation: 'run', status: 0, count: 2 }]);
  });

  it('breaks the JSON, or sends an HTML page instead', async () => {
    for (const kind of ['invalid-json', 'truncated-json'] as const) {
      sandbox.setFault({ kind });
      expect(await caller.get('echo/health')).toMatchObject({ status: 200, body: undefined });
    }
    sandbox.setFault({ kind: 'html' });
    const page = await caller.get('echo/health');
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>502</h1>');
  });

  it('answers anything in place of the reply, whether or not the job was created', async () => {
    for (const rule of [
      { kind: 'status', status: 409 },
      { kind: 'html', status: 404 },
      { kind: 'status', status: 302 },
    ] as const) {
      const before = submitted();
      sandbox.setFault({ ...rule, operation: 'run' });
      expect((await caller.post('echo/run', { input: {} })).status).toBe(rule.status);
      expect(submitted()).toBe(before);
      sandbox.setFault({ ...rule, operation: 'run', isProcessed: true });
      expect((await caller.post('echo/run', { input: {} })).status).toBe(rule.status);
      expect(submitted()).toBe(before + 1);
    }
  });

  it('drains a stream into an unrelated answer, and logs the lost chunks', async () => {
    const { id } = await caller.runsync('mock', { mock_stream: [1, 2, 3] });
    sandbox.setFault({ kind: 'status', status: 503, operation: 'stream', times: 1 });
    expect((await caller.get(`mock/stream/${id}`)).status).toBe(503);
    sandbox.setFault({ kind: 'html', operation: 'stream', isProcessed: true, times: 1 });
    expect((await caller.get(`mock/stream/${id}`)).status).toBe(502);
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual([]);
    expect(
      sandbox.requestLog
        .since(0)
        .filter(({ operation }) => operation === 'stream')
        .map(({ fault, sentChunks }) => [fault, sentChunks]),
    ).toEqual([
      ['status', null],
      ['html', { retries: 0, from: 0, to: 3, times: 1 }],
      [null, { retries: 0, from: 3, to: 3, times: 1 }],
    ]);
  });

  it.each(['deep', 'large', 'huge', 'compressed'] as const)(
    'sends the answer with excessive content: %s',
    async (kind) => {
      const { id } = await caller.runsync('mock', { mock_stream: [1, 2] });
      sandbox.setFault({ kind, ...(kind === 'deep' ? {} : { sizeBytes: 3_000_000 }) });
      const status = await caller.get(`mock/status/${id}`);
      expect([status.status, status.headers.get('content-encoding')]).toEqual([
        200,
        kind === 'compressed' ? 'gzip' : null,
      ]);
      expect(status.text.startsWith(`{"id":"${id}","status":"COMPLETED","output":[1,2],`)).toBe(true);
      expect(Number(status.headers.get('content-length')) < 10_000).toBe(kind === 'compressed');
      expect((await caller.get(`mock/stream/${id}`)).text).toMatch(/^\[\{"output":1\},\{"output":2,"padding":/);
    },
  );

  it('lasts as long as set', async () => {
    await sandbox.close();
    const clock = createVirtualClock();
    sandbox = await startSandbox({ clock });
    caller = createCaller(sandbox);
    sandbox.setFault({ kind: 'status', status: 401, forMs: 10_000 });
    expect((await caller.get('echo/health')).status).toBe(401);
    clock.advance(9_999);
    expect((await caller.get('echo/health')).status).toBe(401);
    clock.advance(1);
    expect((await caller.get('echo/health')).status).toBe(200);
  });

  it('hangs until the client gives up', async () => {
    sandbox.setFault({ kind: 'hang' });
    const call = fetch(`${sandbox.baseUrl}/v2/echo/health`, {
      headers: { authorization: sandbox.apiKey },
      signal: AbortSignal.timeout(150),
    });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    sandbox.setFault(null);
    expect((await caller.get('echo/health')).status).toBe(200);
  });

  it('delays an answer', async () => {
    sandbox.setFault({ kind: 'delay', delayMs: 120 });
    const startedAtMs = performance.now();
    expect((await caller.get('echo/health')).status).toBe(200);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(115);
  });

  it('answers the status of a completed job as IN_PROGRESS, without its output', async () => {
    const { id } = await caller.runsync('mock', { mock_return: 'done' });
    const running = await caller.run('mock', { mock_delay: 600_000 });
    sandbox.setFault({ kind: 'late-in-progress', times: 1 });
    expect(['IN_QUEUE', 'IN_PROGRESS']).toContain((await caller.status('mock', running)).status);
    const late = await caller.status('mock', id);
    expect(late).toMatchObject({ id, status: 'IN_PROGRESS' });
    expect(late).not.toHaveProperty('output');
    expect(await caller.status('mock', id)).toMatchObject({ id, status: 'COMPLETED', output: 'done' });
  });

  it('answers an unlisted status: RUNNING while the job is active, ERROR when it is over', async () => {
    sandbox.setFault({ kind: 'unknown-status' });
    const record = await caller.runsync('mock', { mock_return: { status: 'COMPLETED' } });
    expect(record.status).toBe('COMPLETED');
    expect(await caller.status('mock', record.id)).toMatchObject({ status: 'ERROR', output: { status: 'COMPLETED' } });
    const running = await caller.run('mock', { mock_delay: 600_000 });
    expect((await caller.status('mock', running)).status).toBe('RUNNING');
  });

  it('sends each chunk of a stream twice, and is used up only by a reply with chunks', async () => {
    const { id } = await caller.runsync('mock', { mock_stream: [1, 2] });
    const waiting = await caller.run('mock', { mock_delay: 600_000 });
    sandbox.setFault({ kind: 'duplicate-chunks', times: 1 });
    expect((await caller.get(`mock/stream/${waiting}`)).body).toEqual([]);
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual([
      { output: 1 },
      { output: 1 },
      { output: 2 },
      { output: 2 },
    ]);
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual([]);
  });

  it('repeats a stream from its first chunk, and is used up only if that is a repetition', async () => {
    const { id } = await caller.runsync('mock', { mock_stream: [1, 2] });
    sandbox.setFault({ kind: 'replay-chunks', times: 1 });
    for (const expected of [[{ output: 1 }, { output: 2 }], [{ output: 1 }, { output: 2 }], []]) {
      expect((await caller.get(`mock/stream/${id}`)).body).toEqual(expected);
    }
  });

  it('sets a wrong clock in the Date header and in the times of pods', async () => {
    const pod = async (): Promise<{ date: number; startedAt: number }> => {
      const response = await fetch(`${sandbox.restUrl}/v1/pods/${sandbox.pods[0]}`, {
        headers: { authorization: `Bearer ${sandbox.apiKey}` },
      });
      const { lastStartedAt }: { lastStartedAt: string } = JSON.parse(await response.text());
      return { date: Date.parse(response.headers.get('date') ?? ''), startedAt: Date.parse(lastStartedAt) };
    };
    const dateOfHealth = async (): Promise<number> =>
      Date.parse((await caller.get('echo/health')).headers.get('date') ?? '');
    const right = await pod();
    const skewMs = -3_600_000;
    sandbox.setFault({ kind: 'clock-skew', skewMs });
    const fromMs = Date.now();
    const wrong = await pod();
    const dates = [wrong.date, await dateOfHealth()];
    const untilMs = Date.now();
    expect(wrong.startedAt - right.startedAt).toBe(skewMs);
    for (const date of dates) {
      // The header has whole seconds.
      expect(date).toBeGreaterThan(fromMs + skewMs - 1_000);
      expect(date).toBeLessThanOrEqual(untilMs + skewMs);
    }
  });

  it.each(['get-pod', 'update-template'] as const)('affects %s, and only that', async (operation) => {
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
    const call = {
      'get-pod': () => fetch(`${sandbox.restUrl}/v1/pods/${sandbox.pods[0]}`, { headers }),
      'update-template': () =>
        fetch(`${sandbox.restUrl}/v1/templates/${sandbox.templates[0]}/update`, {
          method: 'POST',
          headers,
          body: '{}',
        }),
    };
    sandbox.setFault({ kind: 'status', status: 503, operation });
    expect((await call[operation]()).status).toBe(503);
    expect((await call[operation === 'get-pod' ? 'update-template' : 'get-pod']()).status).toBe(200);
    expect((await caller.get('echo/health')).status).toBe(200);
    expect(sandbox.requests()).toContainEqual({ endpointId: '(management)', operation, status: 503, count: 1 });
  });

  it('repeats exactly for the same seed, and is logged', async () => {
    const statuses = async (): Promise<number[]> => {
      sandbox.setFault({ kind: 'status', status: 503, probability: 0.5 });
      const seen: number[] = [];
      for (let count = 0; count < 30; count += 1) seen.push((await caller.get('echo/health')).status);
      return seen;
    };
    const first = await statuses();
    expect(await statuses()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(
      sandbox.requestLog
        .since(0)
        .slice(0, 30)
        .map(({ fault }) => fault),
    ).toEqual(first.map((status) => (status === 503 ? 'status' : null)));
  });

  it('goes offline while its jobs run, and comes back on the same port', async () => {
    const id = await caller.run('mock', { mock_stream: [1, 2, 3], mock_delay: 30 });
    const held = caller.post('mock/runsync', { input: { mock_delay: 600_000 } });
    while (!sandbox.transitions().some(({ to }) => to === 'IN_PROGRESS')) await caller.get('mock/health');
    await Promise.all([sandbox.goOffline(), expect(held).rejects.toThrow('fetch failed')]);
    await expect(caller.get('mock/health')).rejects.toThrow('fetch failed');
    await sandbox.goOnline();
    let record = await caller.status('mock', id);
    while (record.status !== 'COMPLETED') record = await caller.status('mock', id);
    expect(record.output).toEqual([1, 2, 3]);
    expect((await caller.get(`mock/stream/${id}`)).body).toEqual([{ output: 1 }, { output: 2 }, { output: 3 }]);
  });
});

describe('webhooks', () => {
  let clock: VirtualClock;
  let sandbox: Sandbox;
  let receiver: Server;
  let url: string;
  let received: { contentType: string | undefined; method: string | undefined; body: unknown }[];
  let answers: number[];
  let onReceived: () => void;

  /** Resolves when the sandbox has recorded this many attempts. */
  async function attempts(count: number): Promise<void> {
    while (sandbox.webhookAttempts().length < count) {
      await new Promise<void>((resolve) => {
        onReceived = resolve;
        setImmediate(resolve);
      });
    }
  }

  beforeEach(async () => {
    received = [];
    answers = [];
    onReceived = () => undefined;
    receiver = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      request.on('end', () => {
        received.push({ contentType: request.headers['content-type'], method: request.method, body: JSON.parse(text) });
        response.writeHead(answers.shift() ?? 200).end();
        onReceived();
      });
    });
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    const { port }: AddressInfo = JSON.parse(JSON.stringify(receiver.address()));
    url = `http://127.0.0.1:${port}/hook`;
    clock = createVirtualClock();
    const scaling = { minWorkers: 0, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e9 };
    sandbox = await startSandbox({ clock, endpoints: [{ id: 'mock', handler: { builtIn: 'mock' }, ...scaling }] });
  });
  afterEach(async () => {
    await sandbox.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });

  it('post the record with input and webhook when the job completes', async () => {
    const record = await createCaller(sandbox).runsync(
      'mock',
      { mock_return: 'x' },
      { webhook: url, s3Config: { accessSecret: 'secret' } },
    );
    await attempts(1);
    expect(received).toEqual([
      {
        method: 'POST',
        contentType: 'application/json',
        body: { ...record, input: { mock_return: 'x' }, webhook: url },
      },
    ]);
  });

  it('are tried twice more, ten seconds apart, until one answers exactly 200', async () => {
    answers = [500, 204, 200];
    const startMs = clock.now();
    await createCaller(sandbox).runsync('mock', { mock_error: 'x' }, { webhook: url });
    await attempts(1);
    clock.advance(10_000);
    await attempts(2);
    clock.advance(10_000);
    await attempts(3);
    clock.advance(100_000);
    expect(sandbox.webhookAttempts().map(({ attempt, status, atMs }) => [attempt, status, atMs - startMs])).toEqual([
      [1, 500, 0],
      [2, 204, 10_000],
      [3, 200, 20_000],
    ]);
    expect(received).toHaveLength(3);
  });

  it('are dropped by a fault: not sent, logged, and tried again', async () => {
    sandbox.setFault({ kind: 'drop-webhook', times: 1 });
    const { id } = await createCaller(sandbox).runsync('mock', {}, { webhook: url });
    await attempts(1);
    expect(received).toEqual([]);
    clock.advance(10_000);
    await attempts(2);
    expect(sandbox.webhookAttempts()).toMatchObject([
      { endpointId: 'mock', jobId: id, attempt: 1, status: null, isDropped: true },
      { endpointId: 'mock', jobId: id, attempt: 2, status: 200, isDropped: false },
    ]);
    expect(received).toHaveLength(1);
  });

  it('are delayed by a fault that names them, and by no other', async () => {
    sandbox.setFault({ kind: 'delay', delayMs: 5_000, operation: 'webhook' });
    const startMs = clock.now();
    await createCaller(sandbox).runsync('mock', {}, { webhook: url });
    clock.advance(4_999);
    expect(sandbox.webhookAttempts()).toEqual([]);
    clock.advance(1);
    await attempts(1);
    expect(sandbox.webhookAttempts()).toMatchObject([{ atMs: startMs + 5_000, status: 200 }]);
  });

  it('give up after the third attempt', async () => {
    answers = [500, 500, 500];
    await createCaller(sandbox).runsync('mock', {}, { webhook: url });
    for (const count of [1, 2, 3]) {
      await attempts(count);
      clock.advance(10_000);
    }
    clock.advance(60_000);
    expect(received).toHaveLength(3);
  });
});
