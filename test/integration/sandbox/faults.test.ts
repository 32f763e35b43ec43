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

  it('answers a status with Retry-After, as often as told, and works again after', async () => {
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

  it('spoils the JSON, or sends an HTML page instead', async () => {
    for (const kind of ['invalid-json', 'truncated-json'] as const) {
      sandbox.setFault({ kind });
      expect(await caller.get('echo/health')).toMatchObject({ status: 200, body: undefined });
    }
    sandbox.setFault({ kind: 'html' });
    const page = await caller.get('echo/health');
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>502</h1>');
  });

  it('hangs until the client gives up', async () => {
    sandbox.setFault({ kind: 'hang' });
    const call = fetch(`${sandbox.baseUrl}/v2/echo/health`, { headers: { authorization: sandbox.apiKey }, signal: AbortSignal.timeout(150) });
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

  it('refuses what the admission refuses, before routing, and releases what it admitted', async () => {
    await sandbox.close();
    let inFlight = 0;
    sandbox = await startSandbox({
      admit: ({ operation }) => {
        if (operation === 'cancel') return { isAdmitted: false, retryAfterS: 0.4, reason: 'Too many cancels.' };
        inFlight += 1;
        return { isAdmitted: true, release: () => void (inFlight -= 1) };
      },
    });
    caller = createCaller(sandbox);
    const refused = await caller.post('echo/cancel/none');
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([429, { error: 'Too many cancels.' }, '1']);
    await caller.runsync('echo', {});
    expect(inFlight).toBe(0);
  });

  it('goes offline with its jobs running on, and comes back on the same port', async () => {
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
    const record = await createCaller(sandbox).runsync('mock', { mock_return: 'x' }, { webhook: url, s3Config: { accessSecret: 'secret' } });
    await attempts(1);
    expect(received).toEqual([
      { method: 'POST', contentType: 'application/json', body: { ...record, input: { mock_return: 'x' }, webhook: url } },
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
