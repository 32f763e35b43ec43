import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';
import { createVirtualClock, startSandbox, type VirtualClock } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';
import { repeat, type PlainRequest } from './keep-alive.ts';

const SCALING = { minWorkers: 0, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e9 };

/** The table of the specification, and a request of each operation that is counted although it achieves nothing. */
const TABLE: { name: string; perWindow: number; concurrent: number; request: PlainRequest; status: number }[] = [
  {
    name: 'runsync',
    perWindow: 2_000,
    concurrent: 400,
    request: { method: 'POST', path: 'mock/runsync', body: {} },
    status: 400,
  },
  {
    name: 'run',
    perWindow: 1_000,
    concurrent: 200,
    request: { method: 'POST', path: 'mock/run', body: {} },
    status: 400,
  },
  {
    name: 'status',
    perWindow: 2_000,
    concurrent: 400,
    request: { method: 'GET', path: 'mock/status/none' },
    status: 404,
  },
  {
    name: 'status-sync',
    perWindow: 2_000,
    concurrent: 400,
    request: { method: 'GET', path: 'mock/status-sync/none' },
    status: 404,
  },
  {
    name: 'stream',
    perWindow: 2_000,
    concurrent: 400,
    request: { method: 'GET', path: 'mock/stream/none' },
    status: 404,
  },
  {
    name: 'cancel',
    perWindow: 100,
    concurrent: 20,
    request: { method: 'POST', path: 'mock/cancel/none' },
    status: 404,
  },
  {
    name: 'purge-queue',
    perWindow: 2,
    concurrent: Infinity,
    request: { method: 'POST', path: 'mock/purge-queue' },
    status: 200,
  },
  {
    name: '/openai/*',
    perWindow: 2_000,
    concurrent: 400,
    request: { method: 'POST', path: 'mock/openai/v1/chat/completions', body: {} },
    status: 404,
  },
  { name: '/requests', perWindow: 10, concurrent: 2, request: { method: 'GET', path: 'mock/requests' }, status: 404 },
];

describe('rate limits over HTTP', () => {
  let clock: VirtualClock;
  let sandbox: Sandbox;

  async function open(options: SandboxOptions = {}): Promise<void> {
    clock = createVirtualClock();
    const endpoints = ['mock', 'other'].map((id) => ({ id, handler: { builtIn: 'mock' }, ...SCALING }));
    sandbox = await startSandbox({ clock, dialect: 'observed', endpoints, ...options });
  }
  afterEach(() => sandbox.close());

  it.each(TABLE)(
    '$name: $perWindow requests in 10 s, and no more until the first is 10 s old',
    async ({ request, perWindow, status }) => {
      await open();
      const [first] = await repeat(sandbox, request, 1);
      clock.advance(4_000);
      const rest = await repeat(sandbox, request, perWindow - 1);
      expect(new Set([first, ...rest].map((answer) => answer?.status))).toEqual(new Set([status]));
      expect(await repeat(sandbox, request, 2)).toEqual([
        { status: 429, retryAfter: '6' },
        { status: 429, retryAfter: '6' },
      ]);
      expect(await repeat(sandbox, { ...request, path: request.path.replace('mock', 'other') }, 1)).toEqual([
        { status, retryAfter: null },
      ]);
      clock.advance(5_999);
      expect(await repeat(sandbox, request, 1)).toEqual([{ status: 429, retryAfter: '1' }]);
      clock.advance(1);
      expect((await repeat(sandbox, request, 2)).map((answer) => answer.status)).toEqual([status, 429]);
      clock.advance(10_000);
      expect((await repeat(sandbox, request, Math.min(perWindow, 20))).map((answer) => answer.status)).not.toContain(
        429,
      );
    },
  );

  it.each(TABLE.filter(({ concurrent }) => concurrent !== Infinity))(
    '$name: $concurrent at the same time',
    async ({ request, concurrent, status }) => {
      await open({ faults: [{ kind: 'delay', delayMs: 60_000 }] });
      const beyond = 3;
      const early: (number | undefined)[] = [];
      let tellRefused: () => void = () => undefined;
      const areRefused = new Promise<void>((resolve) => {
        tellRefused = resolve;
      });
      const all = Array.from({ length: concurrent + beyond }, async () => {
        const [answer] = await repeat(sandbox, request, 1);
        if (early.push(answer?.status) === beyond) tellRefused();
        return answer;
      });
      await areRefused;
      expect(early).toEqual([429, 429, 429]);
      clock.advance(60_000);
      const statuses = (await Promise.all(all)).map((answer) => answer?.status);
      expect(statuses.filter((one) => one === 429)).toHaveLength(beyond);
      expect(statuses.filter((one) => one === status)).toHaveLength(concurrent);
      sandbox.setFault(null);
      expect((await repeat(sandbox, request, 1))[0]?.status).toBe(status);
    },
  );

  it('a runsync that waits for its job counts as concurrent', async () => {
    await open({ faults: [] });
    const held = { method: 'POST', path: 'mock/runsync?wait=300000', body: { input: { mock_delay: 600_000 } } };
    const all = Array.from({ length: 400 }, () => repeat(sandbox, held, 1));
    while (sandbox.transitions().filter(({ cause }) => cause === 'submitted').length < 400)
      await new Promise(setImmediate);
    expect(await repeat(sandbox, held, 1)).toEqual([{ status: 429, retryAfter: '1' }]);
    clock.advance(300_000);
    expect(new Set((await Promise.all(all)).flat().map(({ status }) => status))).toEqual(new Set([200]));
    expect((await repeat(sandbox, { ...held, body: {} }, 1))[0]?.status).toBe(400);
  });

  it('a hanging request counts as concurrent until its client gives up', async () => {
    await open({ faults: [{ kind: 'hang', operation: 'requests' }] });
    const leave = new AbortController();
    const hanging = [1, 2].map(() =>
      fetch(`${sandbox.baseUrl}/v2/mock/requests`, {
        headers: { authorization: sandbox.apiKey },
        signal: leave.signal,
      }),
    );
    while (sandbox.requests().reduce((sum, { count }) => sum + count, 0) < 2) await new Promise(setImmediate);
    const request = { method: 'GET', path: 'mock/requests' };
    expect((await repeat(sandbox, request, 1))[0]?.status).toBe(429);
    leave.abort();
    await Promise.allSettled(hanging);
    sandbox.setFault(null);
    while ((await repeat(sandbox, request, 1))[0]?.status === 429) clock.advance(1_000);
    expect((await repeat(sandbox, request, 1))[0]?.status).toBe(404);
  });

  it('name the exceeded limit, and count refusals', async () => {
    await open();
    await repeat(sandbox, { method: 'POST', path: 'mock/purge-queue' }, 2);
    const { status, body } = await createCaller(sandbox).post('mock/purge-queue');
    expect([status, body]).toEqual([
      429,
      { error: 'purge-queue on endpoint mock is limited to 2 requests per 10 seconds.' },
    ]);
    expect(sandbox.requests()).toEqual([
      { endpointId: 'mock', operation: 'purge-queue', status: 200, count: 2 },
      { endpointId: 'mock', operation: 'purge-queue', status: 429, count: 1 },
    ]);
  });

  it('do not apply to retry, health, the management interface and the control interface', async () => {
    await open();
    for (const [method, path, status] of [
      ['POST', 'mock/retry/none', 404],
      ['GET', 'mock/health', 200],
      ['GET', `/v1/pods/${sandbox.pods[0]}`, 200],
      ['GET', '/_sandbox/faults', 200],
    ] as const) {
      expect(new Set((await repeat(sandbox, { method, path }, 2_100)).map((answer) => answer.status))).toEqual(
        new Set([status]),
      );
    }
  });

  it('ignore requests refused before them: a wrong key, an unknown endpoint, a wrong method', async () => {
    await open();
    expect((await repeat(sandbox, { method: 'GET', path: 'mock/purge-queue' }, 5)).map(({ status }) => status)).toEqual(
      [400, 400, 400, 400, 400],
    );
    expect(
      (await repeat({ ...sandbox, apiKey: 'wrong' }, { method: 'POST', path: 'mock/purge-queue' }, 5)).map(
        ({ status }) => status,
      ),
    ).toEqual([401, 401, 401, 401, 401]);
    expect(
      (await repeat(sandbox, { method: 'POST', path: 'mock/purge-queue' }, 3)).map(({ status }) => status),
    ).toEqual([200, 200, 429]);
  });

  it('rise with the running workers by the dynamic rule', async () => {
    await open({ requestsPerWorker: 150 });
    const request = { method: 'POST', path: 'mock/cancel/none' };
    const caller = createCaller(sandbox);
    await caller.run('mock', { mock_delay: 600_000 });
    while (!sandbox.transitions().some(({ to }) => to === 'IN_PROGRESS')) await caller.get('mock/health');
    const statuses = (await repeat(sandbox, request, 151)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 404).length, statuses.at(-1)]).toEqual([150, 429]);
  });

  it('can be turned off', async () => {
    await open({ limits: 'off' });
    expect(
      (await repeat(sandbox, { method: 'POST', path: 'mock/purge-queue' }, 50)).map(({ status }) => status),
    ).not.toContain(429);
  });

  it('follow the speed of time, and Retry-After is in the client’s time', async () => {
    await open({ timeScale: 10 });
    const request = { method: 'GET', path: 'mock/requests' };
    expect((await repeat(sandbox, request, 11)).at(-1)).toEqual({ status: 429, retryAfter: '1' });
    clock.advance(999);
    expect((await repeat(sandbox, request, 1))[0]?.status).toBe(429);
    clock.advance(1);
    expect((await repeat(sandbox, request, 1))[0]?.status).toBe(404);
  });
});
