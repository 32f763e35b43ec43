import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { load } from '../../bench/sandbox-load/load.ts';

const GET = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

let server: Server | null = null;

afterEach(async () => {
  await new Promise((resolve) => {
    server?.close(resolve);
    server?.closeAllConnections();
  });
});

/** Listens with an answer by the number of the request, from 1. 'drop': the connection is closed instead. */
async function serve(answer: (number: number) => 200 | 429 | 'drop' | 'and-close-others'): Promise<number> {
  let requests = 0;
  const sockets: Socket[] = [];
  const made = createServer((request, response) => {
    requests += 1;
    const kind = answer(requests);
    if (kind === 'drop') return void response.destroy();
    const body = JSON.stringify(kind === 429 ? { error: `Too many for ${crypto.randomUUID()}-u1.` } : {});
    response.writeHead(kind === 429 ? 429 : 200, { 'content-length': body.length }).end(body);
    if (kind === 'and-close-others') for (const socket of sockets) if (socket !== request.socket) socket.destroy();
  });
  made.on('connection', (socket) => sockets.push(socket));
  server = made;
  await new Promise<void>((resolve) => void made.listen(0, '127.0.0.1', resolve));
  const address = made.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

it('requests fail by the kind of their answer, and a broken connection is opened again', async () => {
  const port = await serve((request) => (request % 10 === 3 ? 429 : request % 10 === 7 ? 'drop' : 200));
  const { offered, accepted, failures } = await load({
    port,
    connections: 2,
    durationMs: 100,
    ratePerS: 1_000,
    nextRequest: () => GET,
  });
  expect(offered).toBe(100);
  expect(accepted).toBe(80);
  expect(failures).toEqual({
    '429 {"error":"Too many for ID."}': 10,
    'no answer: closed by the service': 10,
  });
});

it('a connection that closes without a request on it fails none', async () => {
  const port = await serve((request) => (request === 5 ? 'and-close-others' : 200));
  const { accepted, failures, idleCloses } = await load({
    port,
    connections: 4,
    // Far apart, so that none is on its way over another connection when the fifth is answered.
    durationMs: 1_000,
    ratePerS: 10,
    nextRequest: () => GET,
  });
  expect({ accepted, failures }).toEqual({ accepted: 10, failures: {} });
  expect(Object.keys(idleCloses)).toEqual(['closed by the service']);
});
