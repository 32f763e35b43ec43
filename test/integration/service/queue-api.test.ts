import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretOf } from '../../../src-main/redaction/find-secrets.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApiOptions } from '../../../src-main/service/queue-api.ts';
import type { Exchange, QueueApi, ServiceTarget } from '../../../src-main/service/reply.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import type { FaultService } from '../../kit/fault-service.ts';

const key = 'rpa_integration-key-0123';
let service: FaultService;
let exchanges: Exchange[];

beforeEach(async () => {
  service = await createFaultService();
  exchanges = [];
});
afterEach(() => service.close());

function api(target: Partial<ServiceTarget> = {}, options: Partial<QueueApiOptions> = {}): QueueApi {
  return createQueueApi(
    { baseUrl: service.url, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve(key), ...target },
    { now: () => 1_000, onExchange: (exchange) => exchanges.push(exchange), ...options },
  );
}

describe('each queue operation sends what the specification says and reads the reply', () => {
  it('run', async () => {
    service.next({ kind: 'reply', body: { id: 'job-1', status: 'IN_QUEUE' } });
    const reply = await api().run('ep', '{"input":{"seed": 12345678901234567890}}');
    expect(reply.result).toMatchObject({ ok: true, value: { id: 'job-1', status: 'IN_QUEUE', outputJson: null } });
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v2/ep/run',
      body: '{"input":{"seed": 12345678901234567890}}',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
    });
    expect(reply.exchange).toEqual({
      atMs: 1_000,
      method: 'POST',
      operation: 'run',
      path: '/v2/ep/run',
      httpStatus: 200,
      tookMs: 0,
      bytesReceived: 34,
    });
    expect(exchanges).toEqual([reply.exchange]);
  });

  it('run and runsync return no secret of the body, and report in how many places they were', async () => {
    const secret = 's3/"secret"-0123';
    const body = JSON.stringify({ input: {}, s3Config: { accessSecret: secret } });
    const told = {
      id: 'job-1',
      output: { wrote: secret },
      error: `for ${secret}`,
      workerId: secret,
      seen: { s3Config: [secret] },
    };
    service.otherwise({ kind: 'reply', body: { ...told, status: 'COMPLETED' } });
    const run = (await api().run('ep', body, { secrets: [secret] })).result;
    service.otherwise({ kind: 'reply', body: { ...told, id: 'job-2', status: 'COMPLETED' } });
    const runsync = await api().runsync('ep', body, null, { secrets: [secret] });
    const clean = {
      errorText: 'for [secret]',
      workerId: '[secret]',
      extraJson: '{"seen":{"s3Config":["[secret]"]}}',
    };
    for (const [id, result] of [['job-1', run] as const, ['job-2', runsync.result] as const])
      expect(result).toMatchObject({ ok: true, value: { ...clean, id, outputJson: '{"wrote":"[secret]"}' } });
    expect(runsync.exchange.hiddenSecrets).toBe(4);
    service.otherwise({ kind: 'reply', body: { id: secret, status: 'IN_QUEUE' } });
    expect((await api().run('ep', body, { secrets: [secret] })).result).toMatchObject({
      ok: true,
      value: { id: secret },
    });
    service.otherwise({ kind: 'reply', body: `${body} and no more` });
    const malformed = (await api().run('ep', body, { secrets: [secret] })).result;
    expect(malformed).toMatchObject({
      ok: false,
      failure: { kind: 'malformed', rawReply: '{"input":{},"s3Config":{"accessSecret":"[secret]"}} and no more' },
    });
    service.otherwise({ kind: 'reset-in-body', body });
    expect(JSON.stringify((await api().run('ep', body, { secrets: [secret] })).result)).toMatch(
      /"mayHaveArrived":true/,
    );
    expect(JSON.stringify((await api().run('ep', body, { secrets: [secret] })).result)).not.toContain('0123');
  });

  it('stream returns the chunks that arrived before it broke off as exact text: numbers, words, escapes', async () => {
    const secret = '12345678';
    const whole = String.raw`{"output":"a test: ${secret}"},{"output":${secret}},{"output":"
abcdefgh-0"}`;
    const known = [secretOf('nabcdefgh-0', '[secret]'), secretOf(secret, '[secret]')];
    const api8 = api({ readKey: () => Promise.resolve('test') }, { knownSecrets: () => known });
    const clean = String.raw`{"stream":[{"output":"a test: [secret]"},{"output":${secret}},{"output":"
abcdefgh-0"},{"output":"cut [secret] he`;
    for (const sent of [
      { kind: 'reply', body: `{"stream":[${whole},{"output":"cut ${secret} he` },
      { kind: 'truncated', body: `{"stream":[${whole},{"output":"cut ${secret} he` },
    ] as const) {
      service.otherwise(sent);
      expect((await api8.stream('ep', 'job-1')).result).toMatchObject({ ok: false, failure: { rawReply: clean } });
    }
    service.otherwise({ kind: 'reply', body: `<p>test nabcdefgh-0</p>` });
    expect((await api8.stream('ep', 'job-1')).result).toMatchObject({
      ok: false,
      failure: { rawReply: '<p>[key] [secret]</p>' },
    });
    service.otherwise({ kind: 'reply', body: `{"stream": nabcdefgh-0` });
    expect((await api8.stream('ep', 'job-1')).result).toMatchObject({
      ok: false,
      failure: { rawReply: '{"stream": [secret]' },
    });
  });

  it('stream returns every complete chunk, however long the reply was when it broke off', async () => {
    const chunks = Array.from({ length: 500 }, (_, index) => ({ output: `${index} ${'x'.repeat(1_000)}` }));
    const body = `{"stream":${JSON.stringify(chunks).slice(0, -20)}`;
    for (const sent of [
      { kind: 'reply', body },
      { kind: 'truncated', body },
    ] as const) {
      service.otherwise(sent);
      const { result, salvaged } = await api().stream('ep', 'job-1');
      expect(result.ok).toBe(false);
      expect(salvaged?.chunks.map(({ outputJson }) => outputJson)).toEqual(
        chunks.slice(0, 499).map(({ output }) => JSON.stringify(output)),
      );
    }
  });

  it('runsync, with and without a wait', async () => {
    service.otherwise({
      kind: 'reply',
      body: { id: 'sync-1', status: 'COMPLETED', output: [1], delayTime: 5, executionTime: 7 },
    });
    const reply = await api().runsync('ep', '{"input":{}}', 120_000);
    expect(reply.result).toMatchObject({
      ok: true,
      value: { status: 'COMPLETED', outputJson: '[1]', delayTimeMs: 5, executionTimeMs: 7 },
    });
    await api().runsync('ep', '{"input":{}}', null);
    expect(service.requests.map((request) => request.path)).toEqual(['/v2/ep/runsync?wait=120000', '/v2/ep/runsync']);
  });

  it('status, with and without a ttl', async () => {
    service.otherwise({ kind: 'reply', body: '{"id":"j","status":"COMPLETED","output":{"n": 9007199254740993}}' });
    const reply = await api().status('ep', 'j', { ttlMs: 60_000 });
    expect(reply.result).toMatchObject({ ok: true, value: { outputJson: '{"n": 9007199254740993}' } });
    await api().status('ep', 'j');
    expect(service.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/v2/ep/status/j?ttl=60000', ''],
      ['GET', '/v2/ep/status/j', ''],
    ]);
    expect(service.requests[0]?.headers['content-type']).toBeUndefined();
  });

  it('status, from the service itself and not from a cache between', async () => {
    const statuses = ['IN_PROGRESS', 'COMPLETED'];
    let cached: { status: string | undefined } | null = null;
    service.otherwise({
      kind: 'answer',
      answer({ headers }) {
        if (cached === null || headers['cache-control'] === 'no-cache') cached = { status: statuses.shift() };
        return { body: { id: 'j', ...cached } };
      },
    });
    await api().status('ep', 'j');
    expect((await api().status('ep', 'j')).result).toMatchObject({ ok: true, value: { status: 'COMPLETED' } });
  });

  it('status, with a body that a proxy unpacked without changing its header', async () => {
    const headers = { 'content-encoding': 'gzip' };
    service.next({ kind: 'reply', headers, body: { id: 'j', status: 'COMPLETED', output: 'kept' } });
    expect((await api().status('ep', 'j')).result).toMatchObject({ ok: true, value: { outputJson: '"kept"' } });
  });

  it('stream, in both shapes', async () => {
    service.next(
      { kind: 'reply', body: [{ output: 'a', metrics: { running: 1 } }] },
      { kind: 'reply', body: { status: 'COMPLETED', stream: [{ output: 'b' }] } },
    );
    expect((await api().stream('ep', 'j')).result).toEqual({
      ok: true,
      value: { status: null, chunks: [{ outputJson: '"a"', metricsJson: '{"running":1}' }] },
    });
    expect((await api().stream('ep', 'j')).result).toEqual({
      ok: true,
      value: { status: 'COMPLETED', chunks: [{ outputJson: '"b"', metricsJson: null }] },
    });
    expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/v2/ep/stream/j' });
  });

  it('cancel and retry', async () => {
    service.next(
      { kind: 'reply', body: { id: 'j', status: 'CANCELLED' } },
      { kind: 'reply', body: { id: 'j', status: 'IN_QUEUE' } },
    );
    expect((await api().cancel('ep', 'j')).result).toMatchObject({ ok: true, value: { status: 'CANCELLED' } });
    expect((await api().retry('ep', 'j')).result).toMatchObject({ ok: true, value: { status: 'IN_QUEUE' } });
    expect(service.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/v2/ep/cancel/j', ''],
      ['POST', '/v2/ep/retry/j', ''],
    ]);
  });

  it('purge-queue and health', async () => {
    service.next(
      { kind: 'reply', body: { removed: 2, status: 'completed' } },
      { kind: 'reply', body: { jobs: { inQueue: 1 }, workers: { idle: 2 } } },
    );
    expect((await api().purgeQueue('ep')).result).toEqual({ ok: true, value: { removed: 2, status: 'completed' } });
    expect((await api().health('ep')).result).toMatchObject({
      ok: true,
      value: { jobs: { inQueue: 1, completed: 0 }, workers: { idle: 2, running: 0 } },
    });
    expect(service.requests.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/v2/ep/purge-queue'],
      ['GET', '/v2/ep/health'],
    ]);
  });
});

describe('addresses and keys', () => {
  it('sends the bare key if the connection says so (ruling 4)', async () => {
    await api({ authorization: 'bare' }).health('ep');
    expect(service.requests[0]?.headers.authorization).toBe(key);
  });

  it('keeps the path of the base URL, and every id in one segment', async () => {
    await api({ baseUrl: `${service.url}/queue` }).status('a/b', '../x?y#z');
    expect(service.requests[0]?.path).toBe('/queue/v2/a%2Fb/status/..%2Fx%3Fy%23z');
  });

  it('reads the key each time, and trims it', async () => {
    const keys = ['first-key', ' second-key\n'];
    const queue = api({ readKey: () => Promise.resolve(keys.shift() ?? null) });
    await queue.health('ep');
    await queue.health('ep');
    expect(service.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer first-key',
      'Bearer second-key',
    ]);
  });

  it.each<[string, () => Promise<string | null>]>([
    ['No key saved', () => Promise.resolve(null)],
    ['No key saved', () => Promise.resolve('  ')],
    ['cannot be sent', () => Promise.resolve('sécret-key-→')],
    ['cannot be sent', () => Promise.resolve('secret-key\r\nx-evil: 1')],
  ])('sends nothing without a usable key: %s', async (words, readKey) => {
    const reply = await api({ readKey }).run('ep', '{"input":{}}');
    expect(reply.result).toMatchObject({
      ok: false,
      failure: { kind: 'unauthorized', mayHaveArrived: false, message: expect.stringContaining(words) },
    });
    expect(JSON.stringify(reply)).not.toContain('secret-key');
    expect(service.requests).toHaveLength(0);
    expect(exchanges).toHaveLength(0);
  });

  it('sends nothing if the key cannot be read now, which counts as temporary, like an outage', async () => {
    const reply = await api({ readKey: () => Promise.reject(new Error('secret-key locked')) }).run(
      'ep',
      '{"input":{}}',
    );
    expect(reply.result).toMatchObject({
      ok: false,
      failure: {
        kind: 'network',
        mayHaveArrived: false,
        message: expect.stringContaining('Could not read this connection’s key'),
      },
    });
    expect(JSON.stringify(reply)).not.toContain('secret-key');
    expect(service.requests).toHaveLength(0);
  });
});

describe('invalid input is refused here and nothing is sent', () => {
  const bodyOf = (bytes: number): string => `{"input":{"a":"${'x'.repeat(bytes - 18)}"}}`;

  it('bodies over the limits (ruling 16)', async () => {
    const run = await api().run('ep', bodyOf(13_400_000));
    expect(run.result).toMatchObject({
      ok: false,
      failure: {
        kind: 'too-large',
        mayHaveArrived: false,
        message: expect.stringContaining('13.4 MB; run accepts at most 10 MB'),
      },
    });
    expect((await api().run('ep', bodyOf(10_000_000))).result).toMatchObject({
      ok: false,
      failure: { kind: 'too-large' },
    });
    expect((await api().runsync('ep', bodyOf(20_000_000), null)).result).toMatchObject({
      ok: false,
      failure: { kind: 'too-large' },
    });
    expect(service.requests).toHaveLength(0);
  });

  it('one byte less is sent whole', async () => {
    service.next({ kind: 'reply', body: { id: 'a', status: 'IN_QUEUE' } });
    const body = bodyOf(9_999_999);
    expect((await api().run('ep', body)).result.ok).toBe(true);
    expect(service.requests[0]?.body === body).toBe(true);
  });

  it.each<[string, (queue: QueueApi) => Promise<{ result: unknown }>]>([
    ['a wait below 1 s', (queue) => queue.runsync('ep', '{"input":{}}', 999)],
    ['a wait over 5 min', (queue) => queue.runsync('ep', '{"input":{}}', 300_001)],
    ['a broken wait', (queue) => queue.runsync('ep', '{"input":{}}', 1_000.5)],
    ['a ttl below 10 s', (queue) => queue.status('ep', 'j', { ttlMs: 9_999 })],
    ['an empty endpoint id', (queue) => queue.run('', '{"input":{}}')],
    ['an endpoint id that leads to a parent path', (queue) => queue.health('..')],
    ['an empty job id', (queue) => queue.cancel('ep', ' ')],
  ])('%s', async (_what, ask) => {
    expect((await ask(api())).result).toMatchObject({ ok: false, failure: { kind: 'invalid', mayHaveArrived: false } });
    expect(service.requests).toHaveLength(0);
    expect(exchanges).toHaveLength(0);
  });
});
