import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../../src-main/sandbox/clock.ts';
import { createHttpClient } from '../conformance/http-client.ts';

/** A request on its way to the good service. */
export interface Exchange {
  method: string;
  /** Beginning with /v2 or /v1, without the query. */
  path: string;
  /** With the question mark. Empty if there is none. */
  query: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The queue operation, `get-pod`, `update-template`, or an empty string. */
  operation: string;
  /** The job, pod or template in the path. */
  subject: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The functions that a broken service may use. */
export interface Hands {
  /** Sends the request to the good service, with these changes. */
  forward(changes?: Partial<Exchange>): Promise<Reply>;
  /** Calls the good service with the right key. `path` begins with /v2 or /v1 and includes its query. */
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Sends a request to any address. */
  send(method: string, url: string, headers: Record<string, string>, body: string): Promise<number>;
  /** Listens until the service is closed, and resolves with the address. `take` returns the status to answer with. */
  listen(take: (request: IncomingMessage, body: string) => Promise<number>): Promise<string>;
  clock: Clock;
}

/** What the service does with a request instead of passing it on. */
export type Behaviour = (exchange: Exchange, hands: Hands) => Promise<Reply>;

/** A plausible defect of an implementation, and the rule that should detect it. */
export interface Mutation {
  name: string;
  breaks: string;
  dialect?: 'spec' | 'observed';
  /** A new one for each run, because some keep state. */
  behave: () => Behaviour;
}

export interface BrokenService {
  baseUrl: string;
  /** The jobs that the good service got through this one, finished ones included. */
  jobs(): string[];
  close(): Promise<void>;
}

const LONGEST_ANSWER_MS = 20_000;
const HOP_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date'];

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries.filter(([name]) => !HOP_HEADERS.includes(name)));
}

function subjectOf(path: string): Pick<Exchange, 'operation' | 'subject'> {
  const [, version, first = '', second = '', third = ''] = path.split('/');
  if (version === 'v2') return { operation: second, subject: third };
  if (first === 'pods') return { operation: 'get-pod', subject: second };
  return { operation: first === 'templates' ? 'update-template' : '', subject: second };
}

/** An HTTP service on 127.0.0.1 that behaves as `behave` says and passes everything else to a good service. */
export async function startBrokenService(
  good: { baseUrl: string; apiKey: string; clock: Clock },
  behave: Behaviour,
): Promise<BrokenService> {
  const client = createHttpClient(LONGEST_ANSWER_MS);
  const closing: (() => Promise<void>)[] = [];
  const jobs = new Set<string>();

  async function pass({ method, path, query, headers, body }: Exchange): Promise<Reply> {
    const answer = await client.send({
      method,
      url: `${good.baseUrl}${path}${query}`,
      headers,
      ...(body.length === 0 ? {} : { body }),
    });
    const id = /\/run(sync)?$/.test(path) ? /"id":"([^"]+)"/.exec(answer.text)?.[1] : undefined;
    if (id !== undefined) jobs.add(id);
    return { status: answer.status, headers: passedOn(answer.headers), text: answer.text };
  }

  async function listenOn(handle: (request: IncomingMessage, body: Buffer) => Promise<Reply>): Promise<string> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => void pieces.push(piece));
      request.on('end', () => {
        handle(request, Buffer.concat(pieces)).then(
          ({ status, headers, text }) => response.writeHead(status, headers).end(text),
          () => response.destroy(),
        );
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  const hands = (exchange: Exchange): Hands => ({
    forward: (changes = {}) => pass({ ...exchange, ...changes }),
    ask: async (method, path, body) => {
      const [bare = '', query] = path.split('?');
      return pass({
        method,
        path: bare,
        query: query === undefined ? '' : `?${query}`,
        headers: {
          authorization: `Bearer ${good.apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
        ...subjectOf(bare),
      });
    },
    send: async (method, url, headers, body) =>
      (await client.send({ method, url, headers, ...(method === 'GET' ? {} : { body }) })).status,
    listen: (take) =>
      listenOn(async (request, body) => ({
        status: await take(request, body.toString('utf8')),
        headers: {},
        text: '',
      })),
    clock: good.clock,
  });

  const baseUrl = await listenOn(async (request, body) => {
    const [path = '', query] = (request.url ?? '').split('?');
    const exchange: Exchange = {
      method: request.method ?? 'GET',
      path,
      query: query === undefined ? '' : `?${query}`,
      headers: passedOn(request.headers),
      body,
      ...subjectOf(path),
    };
    return behave(exchange, hands(exchange));
  });

  return {
    baseUrl,
    jobs: () => [...jobs],
    close: async () => {
      client.close();
      await Promise.all(closing.map((close) => close()));
    },
  };
}
