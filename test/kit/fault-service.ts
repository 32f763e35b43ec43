import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The service's behaviour for one request. */
export type Fault =
  /** A whole reply. An object or array is written as JSON. */
  | { kind: 'reply'; status?: number; body?: unknown; contentType?: string | null; headers?: Record<string, string> }
  /** Accepts the request and never answers. */
  | { kind: 'hang' }
  /** Sends the head and `body`, and never the rest, or when `after` has settled. */
  | { kind: 'hang-in-body'; status?: number; body: string; rest?: { after: Promise<unknown>; body: string } }
  /** Accepts the request, then resets the connection. */
  | { kind: 'reset' }
  /** Sends the head and `body`, announces more, then resets the connection. */
  | { kind: 'reset-in-body'; status?: number; body: string }
  /** Announces more than `body` and closes the connection after it. */
  | { kind: 'truncated'; status?: number; body: string }
  /** Sends `body` in pieces. */
  | { kind: 'drip'; body: string; pieceBytes: number; everyMs: number }
  /** Sends `bytes` of one JSON string. */
  | { kind: 'huge'; status?: number; bytes: number }
  | { kind: 'redirect'; status?: number; to: string }
  /** Answers with something that is not HTTP. */
  | { kind: 'garbage' }
  /** Switches the connection to another protocol, as a proxy of web sockets does. */
  | { kind: 'switched' }
  /** Accepts the request and sends the whole reply when `until` has settled. */
  | { kind: 'held'; until: Promise<unknown>; body: unknown }
  /** Answers or fails, depending on the request. */
  | { kind: 'answer'; answer: (request: ReceivedRequest) => { status?: number; body: unknown } | Fault };

export interface ReceivedRequest {
  method: string;
  /** Path and query as received. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** What this connection has sent so far, in bytes. */
  sentBytes: () => number;
  /** Resolves when the connection is gone before the reply was complete. */
  abandoned: Promise<void>;
}

/** An HTTP service on 127.0.0.1 that fails on demand: once for each fault in `script`, then as `otherwise` says. */
export interface FaultService {
  /** Without a final slash. */
  url: string;
  host: string;
  /** Faults for the next requests, in order. */
  next(...faults: Fault[]): void;
  otherwise(fault: Fault): void;
  /** Every request received, with its whole body. */
  requests: readonly ReceivedRequest[];
  /** Request number `index` (from 0), as soon as it has arrived. */
  received(index: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

/** Starts one on a free port. Without a script it answers 200 and `{}`. */
export async function createFaultService(): Promise<FaultService> {
  const script: Fault[] = [];
  let fallback: Fault = { kind: 'reply', body: {} };
  const requests: ReceivedRequest[] = [];
  const waiting: { index: number; resolve: (request: ReceivedRequest) => void }[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const server = createServer((request, response) => {
    // In some tests the connection is reset while the body still arrives.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const came = receivedOf(request, response, Buffer.concat(pieces).toString('utf8'));
      requests.push(came);
      for (const each of waiting) if (each.index < requests.length) each.resolve(requests[each.index] ?? came);
      behave(script.shift() ?? fallback, came, response, timers);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = isAddress(address) ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    next: (...faults) => void script.push(...faults),
    otherwise: (fault) => {
      fallback = fault;
    },
    requests,
    received: (index) => {
      const there = requests[index];
      return there === undefined ? new Promise((resolve) => waiting.push({ index, resolve })) : Promise.resolve(there);
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function behave(fault: Fault, request: ReceivedRequest, response: ServerResponse, timers: Set<NodeJS.Timeout>): void {
  switch (fault.kind) {
    case 'reply': {
      const text =
        fault.body === undefined ? '' : typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body);
      const contentType = fault.contentType === undefined ? 'application/json' : fault.contentType;
      response.writeHead(fault.status ?? 200, {
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...fault.headers,
      });
      response.end(text);
      return;
    }
    case 'answer': {
      const answer = fault.answer(request);
      if ('kind' in answer) return behave(answer, request, response, timers);
      const { status, body } = answer;
      behave({ kind: 'reply', body, ...(status === undefined ? {} : { status }) }, request, response, timers);
      return;
    }
    case 'held':
      void fault.until.then(() => behave({ kind: 'reply', body: fault.body }, request, response, timers));
      return;
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang-in-body':
    case 'reset-in-body':
    case 'truncated': {
      const rest = fault.kind === 'hang-in-body' ? fault.rest : undefined;
      response.writeHead(fault.status ?? 200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(fault.body) + (rest === undefined ? 1_000 : Buffer.byteLength(rest.body)),
      });
      void rest?.after.then(() => response.end(rest.body));
      response.write(fault.body, () => {
        if (fault.kind === 'truncated') response.socket?.end();
        if (fault.kind === 'reset-in-body') response.socket?.resetAndDestroy();
      });
      return;
    }
    case 'drip': {
      const bytes = Buffer.from(fault.body);
      let sent = 0;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
      const timer = setInterval(() => {
        response.write(bytes.subarray(sent, sent + fault.pieceBytes));
        sent += fault.pieceBytes;
        if (sent < bytes.length) return;
        clearInterval(timer);
        response.end();
      }, fault.everyMs);
      timers.add(timer);
      return;
    }
    case 'huge':
      response.writeHead(fault.status ?? 200, { 'content-type': 'application/json' });
      response.end(`"${'x'.repeat(Math.max(0, fault.bytes - 2))}"`);
      return;
    case 'redirect':
      response.writeHead(fault.status ?? 302, { location: fault.to });
      response.end();
      return;
    case 'switched':
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      return;
    case 'garbage':
      response.socket?.end('this is no http\r\n\r\n');
  }
}

function receivedOf(request: IncomingMessage, response: ServerResponse, body: string): ReceivedRequest {
  const abandoned = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableFinished) resolve();
    });
  });
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    sentBytes: () => request.socket.bytesWritten,
    abandoned,
  };
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
