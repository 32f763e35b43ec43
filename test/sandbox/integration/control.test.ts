import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stats } from '../../../src-main/sandbox/server/control-routes.ts';
import type { RequestLogEntry } from '../../../src-main/sandbox/server/request-log.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { createVirtualClock, startSandbox, type VirtualClock } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

const SENTENCE = { error: expect.stringMatching(/^[A-Za-z].*[.]$/) };

describe('control interface', () => {
  let clock: VirtualClock;
  let sandbox: Sandbox;
  let caller: Caller;

  beforeEach(async () => {
    clock = createVirtualClock();
    const scaling = { minWorkers: 0, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 1e9 };
    sandbox = await startSandbox({ clock, endpoints: [{ id: 'mock', handler: { builtIn: 'mock' }, ...scaling }] });
    caller = createCaller(sandbox);
  });
  afterEach(() => sandbox.close());

  async function call(
    method: string,
    path: string,
    body?: unknown,
    authorization = sandbox.apiKey,
  ): Promise<{ status: number; body: unknown }> {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(`${sandbox.baseUrl}/_sandbox/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  async function stats(query = ''): Promise<Stats> {
    const read: Stats = JSON.parse(JSON.stringify((await call('GET', `stats${query}`)).body));
    return read;
  }

  async function requests(query = ''): Promise<{ requests: RequestLogEntry[]; nextSeq: number }> {
    const read: { requests: RequestLogEntry[]; nextSeq: number } = JSON.parse(
      JSON.stringify((await call('GET', `requests${query}`)).body),
    );
    return read;
  }

  it('needs the key, in either form', async () => {
    expect((await call('GET', 'stats', undefined, 'wrong')).status).toBe(401);
    expect((await call('GET', 'nothing', undefined, 'wrong')).status).toBe(401);
    for (const form of [sandbox.apiKey, `Bearer ${sandbox.apiKey}`])
      expect((await call('GET', 'stats', undefined, form)).status).toBe(200);
  });

  it('reports counters, transitions, webhooks and workers', async () => {
    const { id } = await caller.runsync('mock', {});
    await caller.get('mock/status/none');
    const body = await stats();
    expect(body).toMatchObject({
      now: clock.now(),
      timeScale: 1,
      dialect: 'spec',
      firstSeq: 1,
      nextSeq: 4,
      webhooks: [],
      requests: [
        { endpointId: 'mock', operation: 'runsync', status: 200, count: 1 },
        { endpointId: 'mock', operation: 'status', status: 404, count: 1 },
      ],
      workers: [
        {
          endpointId: 'mock',
          version: 1,
          scaling: { maxWorkers: 1 },
          jobs: { completed: 1 },
          counts: { idle: 1 },
          workers: [{ state: 'idle' }],
        },
      ],
    });
    expect(body.transitions.map(({ seq, jobId, to }) => [seq, jobId, to])).toEqual([
      [1, id, 'IN_QUEUE'],
      [2, id, 'IN_PROGRESS'],
      [3, id, 'COMPLETED'],
    ]);
  });

  it('continues where the last answer ended', async () => {
    await caller.runsync('mock', {});
    const first = await stats();
    expect(await stats(`?since=${first.nextSeq}`)).toMatchObject({ transitions: [], nextSeq: first.nextSeq });
    await caller.runsync('mock', {});
    const { transitions, nextSeq } = await stats(`?since=${first.nextSeq}`);
    expect(transitions.map(({ seq }) => seq)).toEqual([4, 5, 6]);
    expect(nextSeq).toBe(7);
    expect((await stats('?since=3')).transitions.map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
  });

  it('reports the latest requests, without secrets', async () => {
    const id = await caller.run('mock', { password: 'hunter2', mock_delay: 600_000 });
    await caller.get(`mock/status/${id}?ttl=20000`);
    await caller.get(`${sandbox.apiKey}/health`);
    await caller.get(`mock/status/${sandbox.apiKey}`);
    const body = await requests();
    expect(
      body.requests.map(({ seq, method, area, endpointId, operation, jobId, status }) => [
        seq,
        method,
        area,
        endpointId,
        operation,
        jobId,
        status,
      ]),
    ).toEqual([
      [1, 'POST', 'queue', 'mock', 'run', id, 200],
      [2, 'GET', 'queue', 'mock', 'status', id, 200],
      [3, 'GET', 'queue', null, 'health', null, 404],
      [4, 'GET', 'queue', 'mock', 'status', '(the key)', 404],
    ]);
    expect(body.requests[0]).toMatchObject({
      requestBytes: JSON.stringify({ input: { password: 'hunter2', mock_delay: 600_000 } }).length,
      atMs: clock.now(),
      fault: null,
    });
    expect(body.requests[1]?.replyBytes).toBeGreaterThan(50);
    expect(JSON.stringify(sandbox.requestLog.since(0))).not.toContain(sandbox.apiKey);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect((await requests(`?since=${body.nextSeq}`)).requests).toMatchObject([
      { seq: 5, area: 'control', operation: 'requests' },
    ]);
  });

  it('sets, shows and removes faults, as objects or as text', async () => {
    const rule = { kind: 'status', status: 418, operation: 'health', times: 1 };
    expect((await call('PUT', 'faults', [rule, 'reset,op=run'])).body).toEqual({
      faults: [rule, { kind: 'reset', operation: 'run' }],
      hits: [0, 0],
    });
    expect(sandbox.faults()).toEqual([rule, { kind: 'reset', operation: 'run' }]);
    expect((await caller.get('mock/health')).status).toBe(418);
    expect((await caller.get('mock/health')).status).toBe(200);
    const shown = await call('GET', 'faults');
    expect(shown.body).toMatchObject({ hits: [1, 0] });
    expect(await call('PUT', 'faults', shown.body)).toEqual({
      status: 200,
      body: { faults: [rule, { kind: 'reset', operation: 'run' }], hits: [0, 0] },
    });
    expect((await call('DELETE', 'faults')).body).toEqual({ faults: [], hits: [] });
    expect((await caller.get('mock/health')).status).toBe(200);
  });

  it('is affected by neither faults nor limits', async () => {
    sandbox.setFault([{ kind: 'reset' }, { kind: 'status' }]);
    for (let count = 0; count < 20; count += 1) expect((await call('GET', 'stats')).status).toBe(200);
    expect(sandbox.requests()).toEqual([]);
  });

  it('changes the speed of time, even for pending waits', async () => {
    const id = await caller.run('mock', { mock_delay: 600_000 }, { policy: { ttl: 600_000 } });
    expect((await call('GET', 'time-scale')).body).toEqual({ timeScale: 1 });
    clock.advance(100_000);
    expect((await call('PUT', 'time-scale', { timeScale: 100 })).body).toEqual({ timeScale: 100 });
    expect(sandbox.timeScale()).toBe(100);
    clock.advance(4_999);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(200);
    clock.advance(1);
    expect((await caller.get(`mock/status/${id}`)).status).toBe(404);
  });

  it('changes how workers scale', async () => {
    expect((await call('GET', 'endpoints/mock/workers')).body).toMatchObject({
      endpointId: 'mock',
      scaling: { maxWorkers: 1, throttledWorkers: 0 },
    });
    expect((await call('PUT', 'endpoints/mock/workers', { maxWorkers: 3, minWorkers: 2 })).body).toMatchObject({
      scaling: { minWorkers: 2, maxWorkers: 3, coldStartMs: 0 },
    });
    expect(sandbox.scaling('mock')).toMatchObject({ minWorkers: 2, maxWorkers: 3 });
    expect(sandbox.scaling('nowhere')).toBeNull();
    expect(() => sandbox.setScaling('nowhere', {})).toThrow(RangeError);
  });

  it.each([
    ['GET', 'nothing', undefined, 404],
    ['GET', '', undefined, 404],
    ['GET', 'constructor', undefined, 404],
    ['GET', 'stats/more', undefined, 404],
    ['GET', 'endpoints/nowhere/workers', undefined, 404],
    ['GET', 'endpoints/mock', undefined, 404],
    ['POST', 'stats', undefined, 400],
    ['DELETE', 'time-scale', undefined, 400],
    ['GET', 'stats?since=-1', undefined, 400],
    ['GET', 'stats?since=', undefined, 400],
    ['GET', 'requests?since=1&since=2', undefined, 400],
    ['PUT', 'faults', '{', 400],
    ['PUT', 'faults', {}, 400],
    ['PUT', 'faults', [5], 400],
    ['PUT', 'faults', [{ kind: 'status', status: 'x' }], 400],
    ['PUT', 'faults', ['status:1'], 400],
    ['PUT', 'faults', Array.from({ length: 1_001 }, () => 'hang'), 400],
    ['PUT', 'time-scale', { timeScale: 0 }, 400],
    ['PUT', 'time-scale', { timeScale: '5' }, 400],
    ['PUT', 'time-scale', 5, 400],
    ['PUT', 'endpoints/mock/workers', { maxWorkers: -1 }, 400],
    ['PUT', 'endpoints/mock/workers', { maxWorkers: 1e9 }, 400],
    ['PUT', 'endpoints/mock/workers', { maxWorkers: 'many' }, 400],
    ['PUT', 'endpoints/mock/workers', { workers: 1 }, 400],
    ['PUT', 'endpoints/mock/workers', [], 400],
  ])('%s %s with %j is refused with a sentence', async (method, path, body, status) => {
    expect(await call(method, path, body)).toEqual({ status, body: SENTENCE });
    expect(sandbox.faults()).toEqual([]);
  });

  it('accepts no other content type', async () => {
    const headers = { authorization: sandbox.apiKey, 'content-type': 'text/plain' };
    expect((await fetch(`${sandbox.baseUrl}/_sandbox/faults`, { method: 'PUT', headers, body: '[]' })).status).toBe(
      400,
    );
  });
});
