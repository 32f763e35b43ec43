import type { Answer, HttpClient, OpenRequest } from './http-client.ts';
import { createPacing } from './pacing.ts';
import type { Time } from './time.ts';

export type Dialect = 'spec' | 'observed';

/** How a queue operation is called: its method, and whether a job's id follows it (spec: Queue operations). */
export const OPERATIONS = {
  runsync: { method: 'POST', isOfJob: false },
  run: { method: 'POST', isOfJob: false },
  status: { method: 'GET', isOfJob: true },
  stream: { method: 'GET', isOfJob: true },
  cancel: { method: 'POST', isOfJob: true },
  retry: { method: 'POST', isOfJob: true },
  'purge-queue': { method: 'POST', isOfJob: false },
  health: { method: 'GET', isOfJob: false },
} as const;

export type Operation = keyof typeof OPERATIONS;

export interface CallOptions {
  job?: string;
  /** With the question mark. */
  query?: string;
  /** A text or bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The value of the authorization header; null leaves it out. */
  authorization?: string | null;
  method?: string;
  endpoint?: string;
  /** Sent even where it goes over a limit. */
  isUnpaced?: boolean;
}

export interface ServiceOptions {
  /** Without a slash at the end. */
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoint: string;
  /** A second endpoint, to see that the two are apart. */
  otherEndpoint: string | null;
  dialect: Dialect;
  time: Time;
  http: HttpClient;
  /** The most of the service's time that one check may let pass, in ms. */
  maxWaitMs: number;
  /** Pods and templates that may be read and, for templates, changed. */
  pods: readonly string[];
  templates: readonly string[];
  /** How many jobs the endpoint runs at once; null: learnt when first needed. */
  workers: number | null;
}

/** The service under test, as its rules see it: from outside. */
export interface Service extends ServiceOptions {
  /** Whether the handler behind the endpoint understands `mock_*` inputs. */
  understandsMock: boolean;
  readonly isOnLoopback: boolean;
  /** Jobs that the current check left running or waiting; cancelled after it. */
  readonly unfinished: Set<string>;
  /** What the current check wants undone after it. */
  readonly afterwards: (() => Promise<void>)[];
  /** The authorization header's usual value. */
  readonly bearer: string;
  /** The full address of an operation. */
  address(operation: string, options?: Pick<CallOptions, 'job' | 'query' | 'endpoint'>): string;
  call(operation: Operation, options?: CallOptions): Promise<Answer>;
  /** As `call`, without waiting for the answer. */
  begin(operation: Operation, options?: CallOptions): Promise<OpenRequest>;
  /** A call of the management interface; `path` follows `/v1/`. */
  manage(
    method: string,
    path: string,
    options?: Pick<CallOptions, 'body' | 'headers' | 'authorization'>,
  ): Promise<Answer>;
}

const POLL_MS = 100;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

export function createService(options: ServiceOptions): Service {
  const { baseUrl, restUrl, apiKey, endpoint, http, time } = options;
  const pacing = createPacing(time);
  const bearer = `Bearer ${apiKey}`;

  const address: Service['address'] = (operation, { job, query = '', endpoint: other = endpoint } = {}) =>
    `${baseUrl}/v2/${encodeURIComponent(other)}/${operation}${job === undefined ? '' : `/${encodeURIComponent(job)}`}${query}`;

  function headersOf({ body, headers = {}, authorization = bearer }: CallOptions): Record<string, string> {
    return {
      ...(authorization === null ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
  }

  const begin: Service['begin'] = async (operation, call = {}) => {
    if (call.isUnpaced !== true) await pacing.before(operation);
    const method = call.method ?? OPERATIONS[operation].method;
    return http.start({ method, url: address(operation, call), headers: headersOf(call), ...bodyOf(call.body) });
  };

  return {
    ...options,
    understandsMock: false,
    isOnLoopback: LOOPBACK.test(new URL(baseUrl).hostname),
    unfinished: new Set(),
    afterwards: [],
    bearer,
    address,
    begin,
    call: async (operation, call) => {
      const open = await begin(operation, call);
      // These may be held until something happens, which needs the service's time to advance.
      if (operation === 'runsync' || operation === 'stream') {
        while (!open.isSettled()) await time.pass(POLL_MS);
      }
      return open.answer;
    },
    manage: (method, path, call = {}) =>
      http.send({ method, url: `${restUrl}/v1/${path}`, headers: headersOf(call), ...bodyOf(call.body) }),
  };
}

function bodyOf(body: unknown): { body?: string | Buffer } {
  if (body === undefined) return {};
  return { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) };
}
