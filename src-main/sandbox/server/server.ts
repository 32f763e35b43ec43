import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { hangUpSignal, errorReply, type Reply } from '../http/reply.ts';
import { createBodyReader, discardRest, isUploading } from '../http/request-body.ts';
import type { HandleRequest } from './request-handling.ts';

/** The listener on 127.0.0.1, which can be taken offline and online again on the same port. */
export interface SandboxServer {
  readonly port: number;
  /** Closes the listener and every connection. */
  goOffline(): Promise<void>;
  /** Listens again on its port. Rejects if another process took it meanwhile. */
  goOnline(): Promise<void>;
}

/**
 * Longer than the pauses of a polling client, whose requests would otherwise coincide with the closing of its
 * connection.
 */
const KEEP_ALIVE_MS = 65_000;
const BACKLOG = 4_096;
/** How long a refused client may continue to send. */
const LINGER_MS = 5_000;
/** Connections that were answered with a refusal, and will end soon. */
const refused = new WeakSet<Duplex>();

/** `isAwaitingBody`: the client was not asked for the body it announced, and so does not send it. */
function write(response: ServerResponse, reply: Reply, isAwaitingBody = false): void {
  const { status, encoding, headers } = reply;
  const body = encoding === undefined ? reply.body : gzipSync(reply.body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    ...headers,
  });
  if (isAwaitingBody || !isUploading(response.req)) return void response.end(body);
  // Closing the connection during an upload loses the answer: the client only sees a broken pipe.
  response.write(body);
  discardRest(response.req, () => response.end());
}

function refuse(socket: Duplex, statusLine: string, sentence: string): void {
  refused.add(socket);
  // An error of a client that has left must not end the server.
  socket.on('error', () => undefined);
  const { body } = errorReply(0, sentence);
  socket.end(
    `HTTP/1.1 ${statusLine}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: ` +
      `close\r\n\r\n${body}`,
  );
  // What it still sends is read meanwhile, because closing a connection immediately loses the answer on its way.
  socket.resume();
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(lingering));
}

/** Answers what is not HTTP, so that even such a client gets a sentence. Everything after it is unreadable as well. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (refused.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    refuse(socket, '431 Request Header Fields Too Large', 'The headers of the request are too large.');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    refuse(socket, '408 Request Timeout', 'The request did not arrive in time.');
  else refuse(socket, '400 Bad Request', 'The request is not readable as HTTP.');
}

/** Listens on 127.0.0.1 and passes requests to `handle`. Rejects if the port is taken. */
export async function startServer(handle: HandleRequest, port: number): Promise<SandboxServer> {
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    isExpectingContinue = false,
  ): Promise<void> {
    const signal = hangUpSignal(response);
    let isWaitingToSend = isExpectingContinue;
    const askToSend = (): void => {
      isWaitingToSend = false;
      response.writeContinue();
    };
    const body = createBodyReader(request, isExpectingContinue ? askToSend : null);
    try {
      const outcome = await handle(request, { signal, readBody: body.read, receivedBytes: body.receivedBytes });
      if (outcome.kind === 'reply') {
        // A client that asked before sending its body and was refused never sends it: nothing can follow on this
        // connection. The same is true after a request for another protocol: Node's parser would silently skip what it
        // cannot read from then on.
        if (isWaitingToSend || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
        write(response, outcome.reply, isWaitingToSend);
      }
      if (outcome.kind === 'reset') request.socket.resetAndDestroy();
      if (outcome.kind === 'gone') response.destroy();
    } catch (error) {
      // A defect of the sandbox itself: printed on stderr, and still answered.
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      if (!response.headersSent) write(response, errorReply(500, 'The sandbox failed to answer this request.'));
    }
  }

  // A missing Host is refused with everything else, with a sentence.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false });
  // Not among Node's documented options. Without it, a client that ends its side after its request is cut off.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => void answer(request, response));
  server.on('checkContinue', (request, response) => void answer(request, response, true));
  server.on('checkExpectation', (request, response) => void answer(request, response));
  server.on('connect', (_request, socket) => refuse(socket, '400 Bad Request', 'CONNECT is not served here.'));
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
