import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

const MOCK = {
  id: 'mock',
  handler: { builtIn: 'mock' },
  minWorkers: 0,
  maxWorkers: 1,
  coldStartMs: 0,
  idleTimeoutMs: 1e9,
};

let sandbox: Sandbox;
let caller: Caller;
let sockets: Socket[];

beforeEach(async () => {
  sandbox = await startSandbox({ endpoints: [MOCK], dialect: 'observed' });
  caller = createCaller(sandbox);
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await sandbox.close();
});

/** Sends a request and ends this side of the connection; the other stays open. */
function sendAndEnd(head: string, body = ''): { socket: Socket; answer: Promise<string> } {
  const socket = connect({ port: sandbox.port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  const length = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`${head}\r\nhost: 127.0.0.1\r\nauthorization: ${TEST_API_KEY}\r\n${length}\r\n${body}`);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return {
    socket,
    answer: new Promise((resolve, reject) => {
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    }),
  };
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise<void>((resolve) => setImmediate(resolve));
}

function answeredStatuses(operation: string): number[] {
  return sandbox.requestLog.since(0).flatMap((entry) => (entry.operation === operation ? [entry.status ?? 0] : []));
}

describe('a client that ends its side of the connection after its request', () => {
  it('is answered if the request is held: runsync', async () => {
    const body = JSON.stringify({ input: { mock_delay: 400, mock_return: 'late' } });
    const text = await sendAndEnd('POST /v2/mock/runsync HTTP/1.1', body).answer;
    expect(text).toContain('HTTP/1.1 200 OK');
    expect(text).toContain('"output":"late"');
  });

  it('is answered if the request is held: stream', async () => {
    const id = await caller.run('mock', { mock_delay: 400, mock_stream: ['a'] });
    const text = await sendAndEnd(`GET /v2/mock/stream/${id}?wait=20000 HTTP/1.1`).answer;
    expect(text).toContain('"stream":[{"output":"a"}]');
  });

  it('is answered if the request is not held', async () => {
    expect(await sendAndEnd('GET /v2/mock/health HTTP/1.1').answer).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('frees its slot when it hangs up after all, and removes no chunk', async () => {
    const id = await caller.run('mock', { mock_delay: 3_600_000 });
    const { socket } = sendAndEnd(`GET /v2/mock/stream/${id}?wait=300000 HTTP/1.1`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await until(() => answeredStatuses('stream').length === 1);
    expect(answeredStatuses('stream')).toEqual([0]);
  });

  it('of HTTP/1.0 counts as one that hangs up', async () => {
    const id = await caller.run('mock', { mock_delay: 3_600_000 });
    expect(await sendAndEnd(`GET /v2/mock/stream/${id}?wait=300000 HTTP/1.0`).answer).toBe('');
  });
});

it('a client that keeps its side open receives nothing before its answer, because some treat `102 Processing` as the answer (Python)', async () => {
  const id = await caller.run('mock', { mock_delay: 3_600_000 });
  const socket = connect(sandbox.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  // Longer than the first two times that a client that ended its side is asked; the second on the same connection.
  for (let count = 1; count <= 2; count += 1) {
    socket.write(
      `GET /v2/mock/stream/${id}?wait=100 HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${TEST_API_KEY}\r\n\r\n`,
    );
    await until(() => answeredStatuses('stream').length === count && text.split('"stream":').length > count);
  }
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  // The same read of one that ended its side: it is asked.
  expect(
    (await sendAndEnd(`GET /v2/mock/stream/${id}?wait=100 HTTP/1.1`).answer).match(/HTTP\/1\.1 \d+/g)?.slice(0, 1),
  ).toEqual(['HTTP/1.1 102']);
});

it('held requests leave nothing behind on their connection', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', note);
  const id = await caller.run('mock', { mock_delay: 3_600_000 });
  const held = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const url = `${sandbox.baseUrl}/v2/mock/stream/${id}?wait=1`;
      get(
        url,
        { agent: held, headers: { authorization: TEST_API_KEY } },
        (response) => void response.resume().on('end', resolve),
      ).on('error', reject);
    });
  // One more than an emitter takes without a warning.
  for (let count = 0; count < 12; count += 1) await read();
  held.destroy();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

describe('a client that hangs up while its request is held', () => {
  it.each(['destroy', 'resetAndDestroy'] as const)('ends the hold: %s', async (how) => {
    const id = await caller.run('mock', { mock_delay: 3_600_000 });
    const socket = connect(sandbox.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      `GET /v2/mock/stream/${id}?wait=300000 HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${TEST_API_KEY}\r\n\r\n`,
    );
    await until(() => sandbox.transitions().some(({ to }) => to === 'IN_PROGRESS'));
    await caller.get('mock/health');
    socket[how]();
    await until(() => answeredStatuses('stream').length === 1);
    expect(answeredStatuses('stream')).toEqual([0]);
  });
});
