import { createServer as createPlain, request, type Server } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { makePrivateCa, type PrivateCa } from './private-ca.ts';

/** A company's network: a service behind a proxy. Its certificate is signed by the company's own authority. */
export interface CompanyNetwork {
  ca: PrivateCa;
  /** Only the proxy knows this host. */
  serviceUrl: string;
  /** As host and port. */
  proxy: string;
  /** The addresses that the proxy was asked to connect to. */
  tunnels: string[];
  /** The way to sign in at the proxy, and the login (`name:password`). Null if it needs none. */
  login: { way: 'Basic'; user: string } | { way: 'NTLM' } | null;
  close(): void;
}

/** `serviceUrl` leads to the service at `targetUrl`. */
export async function openCompanyNetwork(targetUrl: string): Promise<CompanyNetwork> {
  const ca = makePrivateCa();
  const target = new URL(targetUrl);
  const service = createSecure({ key: ca.key, cert: ca.cert }, (incoming, outgoing) => {
    const { host: _host, ...headers } = incoming.headers;
    const forwarded = request(
      { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const servicePort = await listening(service);
  const tunnels: string[] = [];
  const proxy = createPlain((_incoming, outgoing) => outgoing.writeHead(405).end());
  proxy.on('connect', (incoming, socket) => {
    const { login } = network;
    const isIn =
      login === null ||
      (login.way === 'Basic' &&
        incoming.headers['proxy-authorization'] === `Basic ${Buffer.from(login.user).toString('base64')}`);
    if (!isIn) {
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${login.way}\r\n\r\n`);
      return;
    }
    tunnels.push(incoming.url ?? '');
    if (incoming.url !== 'service.example:443') {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onwards = connect(servicePort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onwards).pipe(socket);
    });
    for (const end of [socket, onwards]) end.on('error', () => end.destroy());
  });
  const proxyPort = await listening(proxy);
  const network: CompanyNetwork = {
    ca,
    serviceUrl: 'https://service.example',
    proxy: `127.0.0.1:${proxyPort}`,
    tunnels,
    login: null,
    close() {
      for (const server of [service, proxy]) {
        server.close();
        server.closeAllConnections();
      }
      ca.close();
    },
  };
  return network;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
