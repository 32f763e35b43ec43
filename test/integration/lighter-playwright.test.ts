import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import '../kit/lighter-playwright.ts';

/** The headers with which a request for this protocol arrives, if its sender offers to compress messages. */
async function headersOf(protocol: string): Promise<IncomingHttpHeaders> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<IncomingMessage>((resolve) => {
    server.once('upgrade', (incoming, socket) => {
      socket.destroy();
      resolve(incoming);
    });
  });
  const headers = { Connection: 'Upgrade', Upgrade: protocol, 'Sec-WebSocket-Extensions': 'permessage-deflate' };
  request({ port, host: '127.0.0.1', headers })
    .on('error', () => undefined)
    .end();
  return (await arrived).headers;
}

it('a web socket is opened without the offer to compress its messages, and other requests leave unchanged', async () => {
  expect(await headersOf('websocket')).not.toHaveProperty('sec-websocket-extensions');
  expect(await headersOf('another')).toHaveProperty('sec-websocket-extensions');
});
