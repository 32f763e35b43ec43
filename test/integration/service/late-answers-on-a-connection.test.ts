import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../../src-main/service/reply.ts';

/** What the service, or a proxy before it, answers to the requests of each connection, one after another. */
interface Proxy {
  api: QueueApi;
  connections: () => number;
  close(): Promise<void>;
}

let proxy: Proxy | null = null;
afterEach(async () => {
  await proxy?.close();
  proxy = null;
});

function reply(status: string, body: unknown, contentType = 'application/json'): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (
    `HTTP/1.1 ${status}\r\ncontent-type: ${contentType}\r\n` +
    `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

/** Answers request `index` (from 0) of connection `connection` (from 0) with what `answer` returns. */
async function startProxy(answer: (connection: number, index: number) => string): Promise<Proxy> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    const connection = sockets.push(socket) - 1;
    let index = 0;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = endOfRequest(text); end !== null; end = endOfRequest(text)) {
        text = text.slice(end);
        socket.write(answer(connection, index));
        index += 1;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    api: apiAt(port),
    connections: () => sockets.length,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function apiAt(port: number): QueueApi {
  return createQueueApi(
    {
      baseUrl: `http://127.0.0.1:${port}`,
      restUrl: null,
      authorization: 'bearer',
      readKey: () => Promise.resolve('rpa_late-key-0123456789'),
    },
    { now: () => Date.UTC(2026, 0, 1) },
  );
}

function endOfRequest(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const end = head + 4 + Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length < end ? null : end;
}

const lateReply = reply('200 OK', { id: 'job-of-the-first', status: 'IN_QUEUE' });
const ownReply = reply('200 OK', { id: 'job-of-the-second', status: 'IN_QUEUE' });

it.each([
  ['an error', reply('504 Gateway Timeout', { error: 'upstream timed out' })],
  ['a page', reply('502 Bad Gateway', '<html>Bad gateway</html>', 'text/html')],
  ['a redirect', reply('302 Found', '')],
  ['a page with status 200', reply('200 OK', '<html>Please log in</html>', 'text/html')],
  ['an empty reply', reply('200 OK', '')],
  ['an answer without an id', reply('200 OK', { ok: true })],
])(
  'after %s, the real answer to a submission that comes too late is not taken for that of the next one',
  async (_what, first) => {
    proxy = await startProxy((connection, index) => {
      if (connection === 0) return index === 0 ? first : lateReply;
      return ownReply;
    });

    expect((await proxy.api.run('echo', '{"input":{"n":1}}')).result.ok).toBe(false);
    const second = await proxy.api.run('echo', '{"input":{"n":2}}');

    expect(second.result).toMatchObject({ ok: true, value: { id: 'job-of-the-second' } });
    expect(proxy.connections()).toBe(2);
  },
);

it('an answer that comes while the input is still being sent is that of an earlier request', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    // It reads the beginning, and no more until the answer has been read.
    socket.once('data', () => {
      socket.pause();
      socket.write(lateReply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const submitted = await apiAt(port).run('echo', JSON.stringify({ input: { text: 'x'.repeat(9_000_000) } }));
  expect(submitted.result).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
  for (const socket of sockets) socket.destroy();
  expect(sockets).toHaveLength(1);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

it.each([
  ['a submission', 'run'],
  ['a status read', 'status'],
  ['a cancel', 'cancel'],
] as const)(
  'a second answer to %s that comes after the next submission has left does not give that the id of another job',
  async (_what, operation) => {
    const first = reply('200 OK', { id: 'job-1', status: 'COMPLETED', output: 'of job-1' });
    proxy = await startProxy((connection) => (connection === 0 ? first : ownReply));
    const { api } = proxy;
    const asked = await (operation === 'run' ? api.run('echo', '{"input":{}}') : api[operation]('echo', 'job-1'));
    expect(asked.result.ok).toBe(true);

    expect((await api.run('echo', '{"input":{"n":2}}')).result).toMatchObject({
      ok: false,
      failure: { kind: 'malformed', mayHaveArrived: true, message: expect.stringContaining('job-1') },
    });
    expect((await api.run('echo', '{"input":{"n":3}}')).result).toMatchObject({
      ok: true,
      value: { id: 'job-of-the-second' },
    });
    expect(proxy.connections()).toBe(2);
  },
);

it('a job may be asked about many times on one connection', async () => {
  proxy = await startProxy(() => reply('200 OK', { id: 'job-1', status: 'IN_QUEUE' }));
  const { api } = proxy;
  expect((await api.run('echo', '{"input":{}}')).result.ok).toBe(true);
  for (const operation of ['status', 'status', 'cancel', 'retry'] as const)
    expect((await api[operation]('echo', 'job-1')).result.ok).toBe(true);
  expect(proxy.connections()).toBe(1);
});

it('after an answer about another job, the answers of its connection are no longer believed', async () => {
  proxy = await startProxy((connection, index) => {
    if (connection === 0) return reply('200 OK', { id: index === 0 ? 'job-0' : 'job-1', status: 'COMPLETED' });
    return ownReply;
  });

  expect((await proxy.api.status('echo', 'job-1')).result).toMatchObject({
    ok: false,
    failure: { kind: 'malformed' },
  });
  const submitted = await proxy.api.run('echo', '{"input":{}}');

  expect(submitted.result).toMatchObject({ ok: true, value: { id: 'job-of-the-second' } });
});

it.each([
  ['429 Too Many Requests', 'rate-limited'],
  ['404 Not Found', 'not-found'],
  ['401 Unauthorized', 'unauthorized'],
])('a connection whose service refuses in its own words (%s) is used again', async (status, kind) => {
  proxy = await startProxy((_connection, index) => (index === 0 ? reply(status, { error: 'No.' }) : ownReply));

  expect((await proxy.api.run('echo', '{"input":{}}')).result).toMatchObject({ ok: false, failure: { kind } });
  expect((await proxy.api.run('echo', '{"input":{}}')).result.ok).toBe(true);
  expect(proxy.connections()).toBe(1);
});
