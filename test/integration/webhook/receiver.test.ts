import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, request, Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../src-main/log.ts';
import { createWebhookReceiver } from '../../../src-main/webhook/receiver.ts';
import type { ReceiverParts, ReceiverPlace, WebhookReceiver } from '../../../src-main/webhook/receiver.ts';
import { ownReplyReader, type ReplyReader } from '../../../src-main/service/read-reply.ts';
import type { WebhookCall } from '../../../src-preload/webhook.ts';

const started: WebhookReceiver[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((receiver) => receiver.stop()));
});

function scene(kept: ReceiverPlace | null = null, parts: Partial<ReceiverParts> = {}) {
  const hints: WebhookCall[] = [];
  const places: ReceiverPlace[] = [];
  const receiver = createWebhookReceiver({
    place: async () => places.at(-1) ?? kept,
    savePlace: async (place) => void places.push(place),
    onHint: (hint) => void hints.push(hint),
    log: createLog({ write: () => undefined, now: () => 0 }),
    ...parts,
  });
  started.push(receiver);
  return { receiver, hints, places };
}

async function open(receiver: WebhookReceiver): Promise<string> {
  const result = await receiver.start();
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function post(url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the webhook receiver', () => {
  test('treats a call as a hint about its job and answers 200', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const payload = { id: 'job-1', status: 'COMPLETED', output: { secret: 1 }, input: { x: [1, 2] }, webhook: url };
    expect(await post(url, JSON.stringify(payload))).toBe(200);
    expect(hints).toEqual([{ jobId: 'job-1', jobKey: null }]);
  });

  test('continues to listen when its server reports an error, such as too many open files', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const servers = new Set<Server>();
    const note = (message: unknown): void => {
      const server: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'server') : null;
      if (server instanceof Server) servers.add(server);
    };
    subscribe('http.server.request.start', note);
    expect(await post(url, '{"id":"job-1"}')).toBe(200);
    unsubscribe('http.server.request.start', note);
    expect(servers.size).toBe(1);
    for (const server of servers) server.emit('error', new Error('accept EMFILE'));
    expect(await post(url, '{"id":"job-2"}')).toBe(200);
    expect(hints.map(({ jobId }) => jobId)).toEqual(['job-1', 'job-2']);
  });

  test('treats a call whose input nests deeper than any stack as a hint like any other', async () => {
    const { receiver, hints } = scene();
    const levels = 30_000;
    expect(
      await post(await open(receiver), `{"id":"job-1","input":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`),
    ).toBe(200);
    expect(hints).toEqual([{ jobId: 'job-1', jobKey: null }]);
  });

  test('reads an id that is a number by its own digits, as in replies', async () => {
    const { receiver, hints } = scene();
    expect(await post(await open(receiver), '{"id":90071992547409931}')).toBe(200);
    expect(hints).toEqual([{ jobId: '90071992547409931', jobKey: null }]);
  });

  test('reads a large call, including the repeated input and output, in the thread for large replies', async () => {
    const read: number[] = [];
    const replies: ReplyReader = {
      read(bytes, ask) {
        read.push(bytes.length);
        return ownReplyReader.read(bytes, ask);
      },
    };
    const { receiver, hints } = scene(null, { replies });
    const body = JSON.stringify({ input: 'x'.repeat(10_000_000), id: 'job-1', output: 'y'.repeat(20_000_000) });
    expect(await post(await open(receiver), body)).toBe(200);
    expect(hints).toEqual([{ jobId: 'job-1', jobKey: null }]);
    expect(read).toEqual([body.length]);
  });

  test('listens on the loopback address only, under an unguessable path', async () => {
    const url = new URL(await open(scene().receiver));
    expect(url.hostname).toBe('127.0.0.1');
    expect(url.pathname.length).toBeGreaterThan(20);
    expect(await post(new URL('/', url).href, '{"id":"a"}')).toBe(404);
    expect(await post(`${url.href}x`, '{"id":"a"}')).toBe(404);
  });

  test('treats a call on a submission’s own path as a hint about that submission', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const own = receiver.callbackFor(url, 'key-1');
    expect(own).not.toBe(receiver.callbackFor(url, 'key-2'));
    expect(await post(own, '{"id":"job-1","input":{}}')).toBe(200);
    expect(await post(`${own}?again=1`, '{"id":"job-2"}')).toBe(200);
    expect(hints).toEqual([
      { jobId: 'job-1', jobKey: 'key-1' },
      { jobId: 'job-2', jobKey: 'key-1' },
    ]);
  });

  test('refuses a secret that differs in a single letter, at any position', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const own = receiver.callbackFor(url, 'key-1');
    for (const right of [url, own]) {
      const secretFrom = right.lastIndexOf('/') + 1;
      for (let place = secretFrom; place < right.length; place += 1) {
        const wrong = `${right.slice(0, place)}${right[place] === 'a' ? 'b' : 'a'}${right.slice(place + 1)}`;
        expect(await post(wrong, '{"id":"a"}')).toBe(404);
      }
      expect(await post(right.slice(0, -1), '{"id":"a"}')).toBe(404);
      expect(await post(`${right}a`, '{"id":"a"}')).toBe(404);
    }
    // The proof of one submission is none for another.
    expect(await post(own.replace('key-1', 'key-2'), '{"id":"a"}')).toBe(404);
    expect(hints).toEqual([]);
  });

  test('gives each submission a path that cannot be derived from the general one', async () => {
    const { receiver, places } = scene();
    const url = await open(receiver);
    const other = scene({ port: 0, token: places[0]?.token ?? '', secret: 'another-secret-of-thirty-two-letters' });
    await open(other.receiver);
    expect(new URL(other.receiver.callbackFor(url, 'key-1')).pathname).not.toBe(
      new URL(receiver.callbackFor(url, 'key-1')).pathname,
    );
  });

  test('has another address while its own cannot be read, and its own again when it can', async () => {
    const own = { port: 0, token: 'a-token-of-many-letters', secret: 'a-secret-of-thirty-two-letters-or-so' };
    let isReadable = false;
    const { receiver, places } = scene(own, {
      place: async () => (isReadable ? own : await Promise.reject(new Error('The history is locked.'))),
    });
    expect(new URL(await open(receiver)).pathname).not.toBe(`/${own.token}`);
    expect(places).toEqual([]);
    await receiver.stop();
    isReadable = true;
    expect(new URL(await open(receiver)).pathname).toBe(`/${own.token}`);
  });

  test.each([
    ['another address', 'https://example.test/hook'],
    ['an invalid address', 'not an address'],
    ['a path that only ends the same way', 'https://example.test/xTOKEN'],
  ])('returns %s unchanged', async (_what, webhook) => {
    const { receiver, places } = scene();
    await open(receiver);
    const given = webhook.replace('TOKEN', places[0]?.token ?? '');
    expect(receiver.callbackFor(given, 'key-1')).toBe(given);
  });

  test('gives the receiver’s address behind a tunnel its own path as well', async () => {
    const { receiver, places } = scene();
    await open(receiver);
    const own = receiver.callbackFor(`https://tunnel.example/jobdeck/${places[0]?.token}`, 'key-1');
    expect(own).toMatch(/^https:\/\/tunnel\.example\/jobdeck\/key-1\/[\w-]{43}$/);
  });

  test('recognises paths of submissions sent before a restart', async () => {
    const { receiver, hints, places } = scene();
    const own = receiver.callbackFor(await open(receiver), 'key-1');
    await receiver.stop();
    const next = scene(places.at(-1) ?? null);
    await open(next.receiver);
    expect(await post(own, '{"id":"job-1"}')).toBe(200);
    expect([hints, next.hints]).toEqual([[], [{ jobId: 'job-1', jobKey: 'key-1' }]]);
  });

  test.each([
    ['no JSON', 'hello'],
    ['not an object', '[]'],
    ['no id', '{"status":"COMPLETED"}'],
    ['an id that is neither text nor number', '{"id":true}'],
    ['an endless id', JSON.stringify({ id: 'x'.repeat(201) })],
  ])('refuses a body with %s and gives no hint', async (_what, body) => {
    const { receiver, hints } = scene();
    expect(await post(await open(receiver), body)).toBe(400);
    expect(hints).toEqual([]);
  });

  test('refuses another method and a foreign Host', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    expect((await fetch(url)).status).toBe(405);
    expect(await post(url, '{"id":"a"}', { host: 'evil.example' })).toBe(403);
    expect(hints).toEqual([]);
  });

  test.each([
    ['say nothing', ''],
    ['never end their head', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['call a wrong path and never send the body', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n'],
  ])('reads a call at once, however many others %s', async (_what, said) => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const others = Array.from({ length: 300 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    for (const other of others) other.on('error', () => undefined).write(said);
    await Promise.all(
      others.map((other) => new Promise((resolve) => other.on('connect', resolve).on('close', resolve))),
    );
    expect(await post(url, '{"id":"job-1"}')).toBe(200);
    expect(hints).toHaveLength(1);
    for (const other of others) other.destroy();
  });

  test('reads as many calls at once as the service makes', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const calls = Array.from({ length: 100 }, (_, number) => {
      const answered = Promise.withResolvers<number>();
      const sent = request(url, { method: 'POST' }, (response) => answered.resolve(response.statusCode ?? 0));
      sent.on('error', answered.reject);
      // All have begun before one of them ends.
      return new Promise<() => Promise<number>>((resolve, reject) => {
        sent.on('error', reject);
        sent.write('{"id":', () =>
          resolve(() => {
            sent.end(`"job-${number}"}`);
            return answered.promise;
          }),
        );
      });
    });
    const ends = await Promise.all(calls);
    expect(new Set(await Promise.all(ends.map((end) => end())))).toEqual(new Set([200]));
    expect(hints).toHaveLength(100);
  });

  test('is not blocked by idle connections', async () => {
    const { receiver, hints } = scene(null, { quietForMs: 40 });
    const url = await open(receiver);
    const silent = Array.from({ length: 16 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.on('close', resolve))));
    expect(await post(url, '{"id":"job-1"}')).toBe(200);
    expect(hints).toHaveLength(1);
  });

  test('refuses a body that is announced too large before any of it arrives', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const status = await new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers: { 'content-length': 64 * 2 ** 20 + 1 } }, (response) =>
        resolve(response.statusCode),
      );
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
    expect(hints).toEqual([]);
  });

  test('does not keep a body over 64 MiB', async () => {
    const { receiver, hints } = scene();
    const url = await open(receiver);
    const outcome = await post(url, Buffer.alloc(65 * 2 ** 20, 0x20)).catch(() => 'cut off');
    expect([413, 'cut off']).toContain(outcome);
    expect(hints).toEqual([]);
  });

  test('has the same address after a restart', async () => {
    const { receiver } = scene();
    const before = await open(receiver);
    await receiver.stop();
    expect(receiver.url()).toBeNull();
    expect(await open(receiver)).toBe(before);
  });

  test('uses another port if the former one is taken, with the same path', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { receiver, places } = scene({ port, token: 'kept-token', secret: 'kept-secret' });
    const url = new URL(await open(receiver));
    expect(url.pathname).toBe('/kept-token');
    expect(Number(url.port)).not.toBe(port);
    expect(places).toEqual([{ port: Number(url.port), token: 'kept-token', secret: 'kept-secret' }]);
    await new Promise((resolve) => other.close(resolve));
  });
});
