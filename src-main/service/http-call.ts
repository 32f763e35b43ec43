import { Agent, request as requestPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { ConnectTimeout, NotConnected } from './connect-errors.ts';
import { acceptedCodings } from './reply-body.ts';

/**
 * The head of a reply, and its body as it comes: not unpacked, so that whoever reads it can stop at a limit (ruling
 * 43).
 */
export interface HttpReply {
  status: number;
  isOk: boolean;
  headers: Headers;
  body: IncomingMessage;
}

export interface HttpCall {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  /** JSON text. */
  body: string | undefined;
  signal: AbortSignal;
}

/** A connection nobody uses is closed after this: before most services do it, whose closing could meet a request. */
const idleMs = 4_000;
const agents = {
  plain: new Agent({ keepAlive: true, timeout: idleMs }),
  secure: new SecureAgent({ keepAlive: true, timeout: idleMs }),
};

/** A host that has not taken the connection by then is not waited for. */
const connectLimitMs = 10_000;

/**
 * Sends one request and answers as soon as the head of its reply is there. Follows no redirect, retries nothing, and
 * has no time limit but `signal`: a runsync may wait for minutes. Rejects with what the system says when no head comes,
 * and with `NotConnected` where that was before there was a connection.
 */
export function callHttp({ method, url, headers, body, signal }: HttpCall): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const sent = (isSecure ? requestSecure : requestPlain)(url, {
      method,
      agent: isSecure ? agents.secure : agents.plain,
      headers: {
        ...headers,
        'accept-encoding': acceptedCodings,
        'user-agent': 'Jobdeck',
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    });
    let isConnected = false;
    const connecting = setTimeout(() => sent.destroy(new ConnectTimeout()), connectLimitMs);
    const connected = (): void => {
      isConnected = true;
      clearTimeout(connecting);
    };
    sent.on('socket', (socket) => {
      if (sent.reusedSocket) connected();
      // A request is written once the other side has shown its certificate, not before.
      else socket.once(isSecure ? 'secureConnect' : 'connect', connected);
    });
    sent.on('response', (reply) => {
      // Whoever reads the body gets the error; until then nobody listens.
      reply.on('error', () => undefined);
      const status = reply.statusCode ?? 0;
      resolve({ status, isOk: status >= 200 && status < 300, headers: headersOf(reply), body: reply });
    });
    sent.on('error', (error) => {
      clearTimeout(connecting);
      reject(isConnected || signal.aborted ? error : new NotConnected(error));
    });
    sent.end(body);
  });
}

function headersOf(reply: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(reply.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}
