import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createNetwork } from '../../../src-main/service/proxy-and-certificates.ts';
import { createQueueApi } from '../../../src-main/service/queue-api.ts';
import type { QueueApi } from '../../../src-main/service/reply.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A service that answers once on each connection and resets it at the next request, as one that forgot it does. */
async function forgetfulService(now: () => number): Promise<QueueApi> {
  const known = new WeakSet<object>();
  server = createServer(({ socket }, response) => {
    if (known.has(socket)) return void socket.resetAndDestroy();
    known.add(socket);
    response.end('{"id":"job-1","status":"IN_QUEUE"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const network = createNetwork({
    resolveProxy: () => Promise.resolve('DIRECT'),
    choice: () => ({ kind: 'none' }),
    now,
  });
  const target = { baseUrl, restUrl: null, authorization: 'bearer', readKey: () => Promise.resolve('key') } as const;
  return createQueueApi(target, { now, network });
}

it('a submission after the machine slept leaves on a new connection', async () => {
  let nowMs = 1_700_000_000_000;
  const api = await forgetfulService(() => nowMs);
  await api.run('ep', '{"input":{}}');
  // The timers of this process stand still meanwhile, as in a sleep.
  nowMs += 3_600_000;
  expect((await api.run('ep', '{"input":{}}')).result).toMatchObject({ ok: true, value: { id: 'job-1' } });
});

it('requests that follow each other share a connection', async () => {
  const api = await forgetfulService(Date.now);
  await api.run('ep', '{"input":{}}');
  expect((await api.run('ep', '{"input":{}}')).result).toMatchObject({ ok: false, failure: { mayHaveArrived: true } });
});
