import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorReply, type Reply } from './reply.ts';
import { readBody } from './request-body.ts';
import type { HandleRequest } from './request-handling.ts';

/** The listener on 127.0.0.1; taken off the network and put back on the same port at will. */
export interface SandboxServer {
  readonly port: number;
  /** Closes the listener and every connection. */
  goOffline(): Promise<void>;
  /** Listens again on the port it had; rejects when another process took it meanwhile. */
  goOnline(): Promise<void>;
}

/** Longer than the pauses of a polling client, which would otherwise race the closing of its connection. */
const KEEP_ALIVE_MS = 65_000;
const BACKLOG = 4_096;

function write(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** The signal is made on demand: most requests are answered at once and never need it. */
function hangUpSignal(response: ServerResponse): () => AbortSignal {
  let controller: AbortController | null = null;
  return () => {
    if (controller === null) {
      const made = new AbortController();
      controller = made;
      response.on('close', () => made.abort());
      if (response.destroyed) made.abort();
    }
    return controller.signal;
  };
}

/** Answers what is not HTTP at all, so that even such a client gets a sentence. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const { body } = errorReply(400, 'The request is not readable as HTTP.');
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
}

/** Listens on 127.0.0.1 and brings requests to `handle`; rejects when the port is taken. */
export async function startServer(handle: HandleRequest, port: number): Promise<SandboxServer> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signal = hangUpSignal(response);
    try {
      const outcome = await handle(request, { signal, readBody: (maxBytes) => readBody(request, response, maxBytes) });
      if (outcome.kind === 'reply') write(response, outcome.reply);
      if (outcome.kind === 'reset') request.socket.resetAndDestroy();
      if (outcome.kind === 'gone') response.destroy();
    } catch (error) {
      // A defect of the sandbox itself: said on stderr, and still answered.
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      if (!response.headersSent) write(response, errorReply(500, 'The sandbox failed to answer this request.'));
    }
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  server.on('request', (request, response) => void answer(request, response));
  server.on('checkContinue', (request, response) => void answer(request, response));
  server.on('clientError', refuseUnreadable);

  async function listen(onPort: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: onPort, backlog: BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : onPort;
  }

  const boundPort = await listen(port);
  return {
    port: boundPort,
    goOffline: async () => {
      if (!server.listening) return;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
    goOnline: async () => {
      if (!server.listening) await listen(boundPort);
    },
  };
}
