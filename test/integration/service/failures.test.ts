import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApiOptions } from '../../../src-main/service/queue-api.ts';
import type { Network } from '../../../src-main/service/proxy-and-certificates.ts';
import type { Exchange, QueueApi, Reply, ServiceTarget } from '../../../src-main/service/reply.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import type { VirtualClock } from '../../kit/clock.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { turnsUntil } from '../../kit/engine.ts';
import type { Fault, FaultService } from '../../kit/fault-service.ts';

const key = 'rpa_failure-key-0123456789';
const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0);
let service: FaultService;
let exchanges: Exchange[];
/** The clock of the limits. On a busy machine a limit in real time ends what should end in another way. */
let clock: VirtualClock;
let agent: Agent;

beforeEach(async () => {
  service = await createFaultService();
  exchanges = [];
  clock = createVirtualClock();
  agent = new Agent();
});
afterEach(() => service.close());

function api(options: Partial<QueueApiOptions> = {}, target: Partial<ServiceTarget> = {}): QueueApi {
  return createQueueApi(
    { baseUrl: service.url, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve(key), ...target },
    { now: () => nowMs, onExchange: (exchange) => exchanges.push(exchange), deadlineTime: clock, ...options },
  );
}

/** Lets `ms` pass when the request has arrived. */
async function passAfterRequest(ms: number): Promise<void> {
  await service.received(0);
  await clock.advance(ms);
}

/** One that shows what its only connection has read. */
const watchedNetwork: Network = {
  routesTo: () => Promise.resolve([{ proxy: null, agent, limitMs: 10_000 }]),
  noteAnswer: () => undefined,
};

/** Lets `ms` pass when the client has read the beginning of the reply, which it asked for over `watchedNetwork`. */
async function passAfterBeginning(ms: number): Promise<void> {
  const request = await service.received(0);
  const readBytes = (): number => Object.values(agent.sockets).flatMap((of) => of ?? [])[0]?.bytesRead ?? 0;
  const sentBytes = request.sentBytes();
  await turnsUntil(() => readBytes() > 0 && readBytes() >= sentBytes);
  await clock.advance(ms);
}

async function failureOf(reply: Promise<Reply<unknown>>): Promise<ServiceFailure> {
  const { result } = await reply;
  if (result.ok) throw new Error('it went well');
  expect(JSON.stringify(result)).not.toContain(key);
  expect(JSON.stringify(exchanges)).not.toContain(key);
  return result.failure;
}

const body = '{"input":{}}';

describe('replies that are errors (rulings 6, 7)', () => {
  it.each<[Fault, Partial<ServiceFailure>]>([
    [
      { kind: 'reply', status: 400, body: { error: 'ttl is below 10000' } },
      { kind: 'invalid', httpStatus: 400, serviceSaid: 'ttl is below 10000' },
    ],
    [
      { kind: 'reply', status: 422, body: { detail: [{ msg: 'field required' }] } },
      { kind: 'invalid', serviceSaid: 'field required' },
    ],
    [
      { kind: 'reply', status: 401, body: '' },
      { kind: 'unauthorized', httpStatus: 401 },
    ],
    [
      { kind: 'reply', status: 403, body: { message: 'no' } },
      { kind: 'unauthorized', serviceSaid: 'no' },
    ],
    [
      {
        kind: 'reply',
        status: 404,
        body: { detail: 'pod not found', title: 'Not Found' },
        contentType: 'application/problem+json',
      },
      { kind: 'not-found', serviceSaid: 'pod not found' },
    ],
    [
      { kind: 'reply', status: 413, body: 'Request Entity Too Large', contentType: 'text/plain' },
      { kind: 'too-large', serviceSaid: 'Request Entity Too Large', rawReply: 'Request Entity Too Large' },
    ],
    [
      { kind: 'reply', status: 429, body: { error: 'slow down' }, headers: { 'retry-after': '7' } },
      { kind: 'rate-limited', retryAfterMs: 7_000 },
    ],
    [
      {
        kind: 'reply',
        status: 429,
        body: '',
        headers: { date: 'Thu, 01 Jan 2026 09:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 09:00:30 GMT' },
      },
      { kind: 'rate-limited', retryAfterMs: 30_000 },
    ],
    [
      { kind: 'reply', status: 500, body: { error: 'worker crashed' } },
      { kind: 'server', serviceSaid: 'worker crashed' },
    ],
    [
      {
        kind: 'reply',
        status: 502,
        body: '<html><head><title>502 Bad Gateway</title></head></html>',
        contentType: 'text/html',
      },
      { kind: 'server', serviceSaid: '502 Bad Gateway' },
    ],
    [
      { kind: 'reply', status: 410, body: { error: 'gone' } },
      { kind: 'not-found', httpStatus: 410, isJson: true },
    ],
    [
      { kind: 'reply', status: 503, body: '', headers: { 'retry-after': '2' } },
      { kind: 'server', retryAfterMs: 2_000 },
    ],
    [
      { kind: 'truncated', status: 500, body: '{"error":"it was cut' },
      { kind: 'server', httpStatus: 500, rawReply: '{"error":"it was cut' },
    ],
    [
      { kind: 'reset-in-body', status: 404, body: '{"er' },
      { kind: 'not-found', httpStatus: 404 },
    ],
  ])('%j', async (fault, expected) => {
    service.next(fault);
    const failure = await failureOf(api().run('ep', body));
    expect(failure).toMatchObject({ ...expected, mayHaveArrived: true });
    expect(failure.message).toMatch(/\.$/);
    expect(exchanges).toMatchObject([{ httpStatus: failure.httpStatus, operation: 'run' }]);
  });

  const page = '<!DOCTYPE html>\n<html><head><title>Not here</title></head></html>';
  it.each([302, 401, 403, 404, 410, 413, 422, 500])(
    'a page with status %i is a failure of something in front of the service (rulings 34, 35)',
    async (status) => {
      service.next(
        { kind: 'reply', status, body: page, contentType: null },
        { kind: 'reply', status, body: 'Not here', contentType: 'text/html; charset=utf-8' },
      );
      for (let asked = 0; asked < 2; asked += 1) {
        const failure = await failureOf(api().status('ep', 'j'));
        expect(failure).toMatchObject({ kind: 'server', httpStatus: status, serviceSaid: 'Not here' });
        expect(failure.isJson).toBeUndefined();
        if (status !== 302)
          expect(failure.message).toBe(
            `A proxy or gateway answered with a web page (${status}), not the service itself. Saved data of the job stays.`,
          );
      }
    },
  );

  it('a page with status 429 is still a rate limit', async () => {
    service.next({ kind: 'reply', status: 429, body: page, contentType: 'text/html' });
    expect(await failureOf(api().status('ep', 'j'))).toMatchObject({ kind: 'rate-limited' });
  });

  it.each([
    [{ error: 'no' }, true],
    [['no'], true],
    ['"no"', undefined],
    ['no', undefined],
    ['', undefined],
    ['{"error": "n', undefined],
  ])('reports by isJson whether an object or list came: %j', async (body, isJson) => {
    service.next({ kind: 'reply', status: 404, body, contentType: 'text/html' }, { kind: 'reply', status: 200, body });
    const failure = await failureOf(api().status('ep', 'j'));
    expect([failure.isJson, failure.kind]).toEqual([isJson, isJson ? 'not-found' : 'server']);
    expect((await failureOf(api().status('ep', 'j'))).isJson).toBe(isJson);
  });

  it('keeps 64 KiB of a long error, and its best line', async () => {
    service.next({
      kind: 'reply',
      status: 500,
      body: JSON.stringify({ trace: 'x'.repeat(200_000), error: 'out of memory' }),
    });
    const failure = await failureOf(api().status('ep', 'j'));
    expect(Buffer.byteLength(failure.rawReply ?? '')).toBe(65_536);
    expect(failure.serviceSaid).toBe('out of memory');
  });

  it('waits for an error body no longer than for anything else, and still reports the status', async () => {
    service.next({ kind: 'hang-in-body', status: 401, body: '{"error":"no' });
    const failure = failureOf(api({ timeouts: { health: 500 }, network: watchedNetwork }).health('ep'));
    await passAfterBeginning(501);
    expect(await failure).toMatchObject({ kind: 'unauthorized', httpStatus: 401 });
  });
});

describe('redirects are not followed', () => {
  it('to another origin: the key is not sent, and the failure names the target', async () => {
    const elsewhere = await createFaultService();
    service.next({ kind: 'redirect', status: 307, to: `${elsewhere.url}/v2/ep/run?token=t` });
    const failure = await failureOf(api().run('ep', body));
    expect(failure).toMatchObject({
      kind: 'invalid',
      httpStatus: 307,
      message: expect.stringContaining(`redirects to ${elsewhere.url}/v2/ep/run (307)`),
    });
    expect(failure.message).not.toContain('token=t');
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  it('even to the same origin', async () => {
    service.next({ kind: 'redirect', status: 302, to: '/v2/ep/health/' });
    expect(await failureOf(api().health('ep'))).toMatchObject({ kind: 'invalid', httpStatus: 302 });
    expect(service.requests).toHaveLength(1);
  });
});

describe('2xx replies that cannot be read are malformed, with the raw reply kept', () => {
  it.each<[Fault, string]>([
    [{ kind: 'reply', body: '{"id": "a", "status"' }, 'is not JSON'],
    [{ kind: 'reply', body: '' }, 'is empty'],
    [{ kind: 'reply', status: 204, body: '' }, 'is empty'],
    [{ kind: 'reply', body: '[]' }, 'is not a JSON object'],
    [{ kind: 'reply', body: '{}' }, 'has neither an id nor a status'],
    [{ kind: 'reply', body: '<html><title>Sign in to WiFi</title></html>', contentType: 'text/html' }, 'is a web page'],
    [{ kind: 'reply', body: '\u0000\u0001\u0002', contentType: null }, 'is not JSON'],
  ])('%j', async (fault, why) => {
    service.next(fault);
    const failure = await failureOf(api().run('ep', body));
    expect(failure).toMatchObject({ kind: 'malformed', mayHaveArrived: true, message: expect.stringContaining(why) });
    expect(failure.rawReply ?? '').toBe(fault.kind === 'reply' ? fault.body : '');
  });

  it('reports the text of a page or an error in disguise', async () => {
    service.next(
      { kind: 'reply', body: '<html><title>Sign in to WiFi</title></html>', contentType: 'text/html' },
      { kind: 'reply', body: { error: 'pod not found' } },
    );
    expect((await failureOf(api().health('ep'))).serviceSaid).toBe('Sign in to WiFi');
    expect((await failureOf(api().health('ep'))).serviceSaid).toBe('pod not found');
  });

  it('accepts good JSON under any content type and any 2xx (ruling 5)', async () => {
    service.next({
      kind: 'reply',
      status: 202,
      body: '\ufeff{"id":"a","status":"IN_QUEUE"}',
      contentType: 'text/html',
    });
    expect((await api().run('ep', body)).result).toMatchObject({ ok: true, value: { id: 'a' } });
  });

  it('stops reading a reply at its limit', async () => {
    service.next({ kind: 'huge', bytes: 5_000_000 });
    const failure = await failureOf(api({ replyLimitBytes: { status: 1_000_000 } }).status('ep', 'j'));
    expect(failure).toMatchObject({
      kind: 'malformed',
      isBeyondLimits: true,
      message: expect.stringContaining('longer than the 1 MB'),
    });
    expect(failure.rawReply).toHaveLength(65_536);
    expect(exchanges[0]?.bytesReceived).toBeGreaterThan(1_000_000);
    expect(exchanges[0]?.bytesReceived).toBeLessThan(5_000_000);
  });
});

describe('without a reply, failures report honestly whether the request may have arrived (ruling 9)', () => {
  it.each<[Fault, Partial<ServiceFailure>]>([
    [{ kind: 'reset' }, { kind: 'network' }],
    [{ kind: 'garbage' }, { kind: 'network' }],
    [{ kind: 'switched' }, { kind: 'network' }],
    [
      { kind: 'truncated', body: '{"id":"job-7","sta' },
      { kind: 'network', httpStatus: 200, rawReply: '{"id":"job-7","sta' },
    ],
    [
      { kind: 'reset-in-body', body: '{"id":"job-8"' },
      { kind: 'network', httpStatus: 200 },
    ],
    [{ kind: 'hang' }, { kind: 'timeout' }],
    [
      { kind: 'hang-in-body', body: '{"id":"job-9"' },
      { kind: 'timeout', httpStatus: 200, rawReply: '{"id":"job-9"' },
    ],
    [
      { kind: 'drip', body: `{"id":"a","status":"${'x'.repeat(5_000)}"}`, pieceBytes: 1, everyMs: 5 },
      { kind: 'timeout', httpStatus: 200 },
    ],
  ])('after the connection was made: %j', async (fault, expected) => {
    service.next(fault);
    const reply = failureOf(api({ timeouts: { run: 500 }, network: watchedNetwork }).run('ep', body));
    // What breaks is noticed without any limit.
    if (fault.kind === 'hang') await passAfterRequest(501);
    else if (expected.kind === 'timeout') await passAfterBeginning(600);
    expect(await reply).toMatchObject({
      ...expected,
      mayHaveArrived: true,
      message: expect.stringContaining('The job may have been accepted'),
    });
    expect(exchanges).toHaveLength(1);
  });

  it('waits beyond the timeout for a slow reply that arrives at a fair rate', async () => {
    const output = 'x'.repeat(100_000);
    const text = JSON.stringify({ id: 'a', status: 'COMPLETED', output });
    const late = Promise.withResolvers<void>();
    service.next({
      kind: 'hang-in-body',
      body: text.slice(0, 50_000),
      rest: { after: late.promise, body: text.slice(50_000) },
    });
    const reply = api({ timeouts: { status: 400 }, network: watchedNetwork }).status('ep', 'a');
    await passAfterBeginning(1_000);
    late.resolve();
    expect((await reply).result).toMatchObject({ ok: true, value: { outputJson: JSON.stringify(output) } });
  });

  it('nothing arrived if no server listens', async () => {
    const port = await freePort();
    const failure = await failureOf(api({}, { baseUrl: `http://127.0.0.1:${port}` }).run('ep', body));
    expect(failure).toEqual({
      kind: 'network',
      mayHaveArrived: false,
      message:
        `Could not connect to 127.0.0.1:${port}: nothing is listening at this address. The job was not ` +
        'sent; it is safe to send it again.',
    });
    expect(exchanges).toMatchObject([{ httpStatus: null, bytesReceived: 0 }]);
  });

  it.each([['a name that does not exist', 'http://nowhere.invalid']])('nothing arrived: %s', async (_what, baseUrl) => {
    expect(await failureOf(api({}, { baseUrl }).run('ep', body))).toMatchObject({
      kind: 'network',
      mayHaveArrived: false,
    });
  });

  it('nothing arrived: https to a service that speaks http', async () => {
    expect(await failureOf(api({}, { baseUrl: service.url.replace('http:', 'https:') }).run('ep', body))).toMatchObject(
      { kind: 'network', mayHaveArrived: false, message: expect.stringContaining('did you mean http://') },
    );
    expect(service.requests).toHaveLength(0);
  });
});

describe('aborting', () => {
  it('ends the request immediately, on the wire too', async () => {
    service.next({ kind: 'hang' });
    const controller = new AbortController();
    const reply = failureOf(api().run('ep', body, { signal: controller.signal }));
    const request = await service.received(0);
    controller.abort();
    expect(await reply).toMatchObject({ kind: 'cancelled', mayHaveArrived: true });
    await request.abandoned;
  });

  it('ends a reply that has begun', async () => {
    service.next({ kind: 'hang-in-body', body: '{"id":"a"' });
    const controller = new AbortController();
    const reply = failureOf(api().status('ep', 'a', { signal: controller.signal }));
    await service.received(0);
    controller.abort();
    expect(await reply).toMatchObject({ kind: 'cancelled', mayHaveArrived: true });
  });

  it('does not wait for a keychain that withholds the key, and sends nothing when it answers late', async () => {
    const late = Promise.withResolvers<string>();
    const controller = new AbortController();
    const reply = failureOf(api({}, { readKey: () => late.promise }).run('ep', body, { signal: controller.signal }));
    controller.abort();
    expect(await reply).toMatchObject({ kind: 'cancelled', mayHaveArrived: false });
    late.resolve(key);
    await late.promise;
    expect(service.requests).toHaveLength(0);
  });

  it('sends nothing if it was aborted before', async () => {
    const failure = await failureOf(api().run('ep', body, { signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ kind: 'cancelled', mayHaveArrived: false });
    expect(service.requests).toHaveLength(0);
    expect(exchanges).toHaveLength(0);
  });
});

describe('timeouts', () => {
  it.each(['status', 'stream', 'cancel', 'retry'] as const)('limit %s', async (operation) => {
    service.next({ kind: 'hang' });
    const failure = failureOf(api({ timeouts: { [operation]: 50 } })[operation]('ep', 'j'));
    await passAfterRequest(50);
    expect(await failure).toMatchObject({ kind: 'timeout' });
  });

  it.each([
    ['health', (queue: QueueApi) => queue.health('ep')],
    ['purge-queue', (queue: QueueApi) => queue.purgeQueue('ep')],
  ] as const)('limit %s', async (operation, ask) => {
    service.next({ kind: 'hang' });
    const failure = failureOf(ask(api({ timeouts: { [operation]: 50 } })));
    await passAfterRequest(50);
    expect(await failure).toMatchObject({ kind: 'timeout' });
  });

  it('of one call override that of the operation', async () => {
    service.next({ kind: 'hang' });
    const failure = failureOf(api().runsync('ep', body, 300_000, { timeoutMs: 50 }));
    await passAfterRequest(51);
    expect(await failure).toMatchObject({ kind: 'timeout' });
  });

  it('of runsync are added to its wait', async () => {
    const late = Promise.withResolvers<void>();
    service.next({ kind: 'held', until: late.promise, body: { id: 'a', status: 'COMPLETED' } });
    const reply = api({ timeouts: { runsync: 10 } }).runsync('ep', body, 1_000);
    await passAfterRequest(1_005);
    late.resolve();
    expect((await reply).result.ok).toBe(true);
  });
});

describe('the key', () => {
  it('is removed from errors of a service that repeats it', async () => {
    service.otherwise({
      kind: 'answer',
      answer: (request) => ({
        status: 401,
        body: { error: `key ${request.headers.authorization} is not known`, headers: request.headers },
      }),
    });
    const failure = await failureOf(api().health('ep'));
    expect(failure.serviceSaid).toBe('key Bearer [key] is not known');
    expect(failure.rawReply).toContain('Bearer [key]');
  });

  it('is removed from malformed replies and redirects too', async () => {
    service.next(
      { kind: 'answer', answer: (request) => ({ body: [request.headers.authorization] }) },
      { kind: 'redirect', to: `http://127.0.0.1/${key}` },
    );
    expect(await failureOf(api().health('ep'))).toMatchObject({ kind: 'malformed', rawReply: '["Bearer [key]"]' });
    expect((await failureOf(api().health('ep'))).message).toContain('http://127.0.0.1/[key]');
  });
});

/** A port of 127.0.0.1 that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
