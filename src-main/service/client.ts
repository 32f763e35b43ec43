import type { Connection } from '../../src-preload/connection.ts';
import { failed, ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { PodReply } from '../../src-preload/pod.ts';
import { isThisMachine } from '../../src-preload/url.ts';
import type { ServiceDate } from '../time/clock-record.ts';
import type { KnownSecrets } from '../redaction/redactor.ts';
import { isSameHost } from './address.ts';
import type { HttpOptions } from './http.ts';
import { createManagementAllowance, withAllowance } from './management-allowance.ts';
import { createManagementApi } from './management-api.ts';
import { createQueueApi } from './queue-api.ts';
import type { Network } from './proxy-and-certificates.ts';
import type { ReplyReader } from './read-reply.ts';
import type { ManagementApi, QueueApi, RequestOptions, ServiceTarget } from './reply.ts';
import { connectionRemovedText, notSentText } from '../messages/service/requests.ts';

/** The only access to the service: it decides who may send what, with whose key, and to which address. */
export interface ServiceClient {
  /** Where a new job of a connection is sent. */
  baseUrlOf(connectionId: string): Promise<Result<string>>;
  /** The queue interface for a job that was sent to `baseUrl`. A job stays with its base URL for life. */
  queueApi(job: { connectionId: string; baseUrl: string }): Promise<Result<QueueApi>>;
  /** The management interface. All connections of an account share its allowance (rulings 20 and 42). */
  managementApi(connectionId: string): Promise<Result<ManagementApi>>;
  /** `listener` gets every pod that is read. The reply is returned after it has finished (ruling 23). */
  onPodRead(listener: (connectionId: string, reply: PodReply) => Promise<void>): void;
  /** Whether a connection still exists. Also true if that cannot be read now. */
  hasConnection(connectionId: string): Promise<boolean>;
}

/** What the client needs to know of connections. */
interface ConnectionAccess {
  get(connectionId: string): Promise<Result<Connection>>;
  target(connectionId: string, pinnedBaseUrl?: string): Promise<Result<ServiceTarget>>;
  managementTarget(connectionId: string): Promise<Result<ServiceTarget>>;
  /** The service accepted a request that left at `atMs`. */
  noteAccepted(connectionId: string, atMs: number): void;
  /** The account whose limits a connection uses (ruling 42). */
  accountOf(connectionId: string): string;
}

export interface ServiceClientParts {
  network: Network;
  connections: ConnectionAccess;
  now: () => number;
  knownSecrets: KnownSecrets['all'];
  replies: ReplyReader;
  /** Reads the secrets that an earlier run sent with jobs, because the service may repeat them in this one. */
  learnSecrets: () => Promise<void>;
  /** Null if the sandbox is not running. */
  sandboxBaseUrl: () => string | null;
  /** Every 2xx answer, with the service's date. Null: it gave none, or it runs on this computer and has its clock. */
  onAnswer: (date: ServiceDate | null) => void;
}

/** When the app closes, replies that must not be lost are awaited for this long. */
const graceMs = 1_500;

/**
 * Both interfaces of each connection. What surrounds the bare operations, from the outside in:
 * - a connection without a key, and a stopped sandbox, are refused before anything is read or sent
 * - a job's key is sent only to the host that the job was sent to
 * - queue: requests whose reply must not be lost may finish for a moment after they are cancelled
 * - management: the store of pods gets each pod before its reply is returned; if the connection was removed
 *   meanwhile, a failure is returned; no more is sent than the allowance permits
 * - `send` (http.ts): deadline, key, redaction, and an accepted request shows that the key is valid
 */
export function createServiceClient(parts: ServiceClientParts): ServiceClient {
  const { connections, now } = parts;
  const allowance = createManagementAllowance({ random: Math.random, accountOf: (id) => connections.accountOf(id) });
  const podListeners: Parameters<ServiceClient['onPodRead']>[0][] = [];

  /** A connection that can be used: one with a key. */
  async function openConnection(connectionId: string): Promise<Result<Connection>> {
    const connection = await connections.get(connectionId);
    if (!connection.ok) return connection;
    const closed = missingKey(connection.value);
    return closed === null ? connection : failed(closed);
  }

  function httpOptions(connectionId: string): HttpOptions {
    return {
      now,
      knownSecrets: parts.knownSecrets,
      replies: parts.replies,
      network: parts.network,
      onExchange({ httpStatus, atMs }) {
        if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) connections.noteAccepted(connectionId, atMs);
      },
      onAnswer: (host, dateMs) => parts.onAnswer(dateMs === null || isThisMachine(host) ? null : { host, dateMs }),
    };
  }

  /**
   * Does not depend on whether it is running: after a restart on another port, the connection has the former port for a
   * moment.
   */
  function isStoppedSandbox({ isSandbox, baseUrl }: Connection): boolean {
    return isSandbox && !isSameHost(baseUrl, parts.sandboxBaseUrl() ?? '');
  }

  async function hasConnection(connectionId: string): Promise<boolean> {
    const connection = await connections.get(connectionId);
    return connection.ok || connection.failure.kind !== 'absent';
  }

  async function notePod(connectionId: string, reply: PodReply): Promise<void> {
    for (const listener of podListeners) await listener(connectionId, reply);
  }

  return {
    hasConnection,
    onPodRead: (listener) => void podListeners.push(listener),
    async baseUrlOf(connectionId) {
      const connection = await openConnection(connectionId);
      return connection.ok ? ok(connection.value.baseUrl) : connection;
    },
    async queueApi({ connectionId, baseUrl }) {
      const connection = await openConnection(connectionId);
      if (!connection.ok) return connection;
      const { isSandbox, baseUrl: home } = connection.value;
      if (isStoppedSandbox(connection.value)) return ok(stoppedSandboxApi(connection.value, now));
      // If the sandbox had to use another port, its jobs are read there. Another program may use the old port now and
      // must not get the key.
      if (!isSandbox && !isSameHost(home, baseUrl)) return failed(sentToOtherHost(baseUrl, home));
      const target = await connections.target(connectionId, isSandbox ? undefined : baseUrl);
      if (!target.ok) return target;
      await parts.learnSecrets();
      return ok(withGrace(createQueueApi(target.value, httpOptions(connectionId)), graceMs));
    },
    async managementApi(connectionId) {
      const connection = await openConnection(connectionId);
      if (!connection.ok) return connection;
      if (isStoppedSandbox(connection.value))
        return failed({ kind: 'refused', message: notSentText.sandboxStoppedForPods });
      const target = await connections.managementTarget(connectionId);
      if (!target.ok) return target;
      const bare = createManagementApi(target.value, httpOptions(connectionId));
      const allowed = withAllowance(bare, connectionId, allowance, now);
      const answered = unlessRemoved(allowed, () => hasConnection(connectionId));
      return ok(withPodsNoted(answered, (reply) => notePod(connectionId, reply)));
    },
  };
}

/**
 * Why nothing is sent on this connection until the user gives it a key. Null if requests may leave. A refused key is
 * tried again (ruling 35).
 */
export function missingKey({ id, state }: Pick<Connection, 'id' | 'state'>): Failure | null {
  if (state.kind !== 'no-key') return null;
  return { kind: 'no-key', connectionId: id, message: notSentText.noKeyYet };
}

function sentToOtherHost(jobBaseUrl: string, home: string): Failure {
  return { kind: 'refused', message: notSentText.otherAddress(jobBaseUrl, home) };
}

/**
 * The same operations, but those that remove or change something at the service may finish within `graceMs` after they
 * are cancelled: a read of a stream drains it, so an abandoned reply is lost (ruling 2), and an abandoned submission
 * has an unknown outcome (ruling 9). Plain reads end immediately.
 */
function withGrace(api: QueueApi, graceMs: number): QueueApi {
  async function inGrace<T>(
    options: RequestOptions | undefined,
    call: (options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const signal = options?.signal;
    if (signal === undefined || signal.aborted) return await call(options ?? {});
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const callOff = (): void => {
      timer = setTimeout(() => controller.abort(), graceMs);
    };
    signal.addEventListener('abort', callOff, { once: true });
    try {
      return await call({ ...options, signal: controller.signal });
    } finally {
      // The signal belongs to the whole engine and outlives the call.
      signal.removeEventListener('abort', callOff);
      clearTimeout(timer);
    }
  }

  return {
    ...api,
    run: (endpointId, body, options) => inGrace(options, (patient) => api.run(endpointId, body, patient)),
    runsync: (endpointId, body, waitMs, options) =>
      inGrace(options, (patient) => api.runsync(endpointId, body, waitMs, patient)),
    stream: (endpointId, jobId, options) => inGrace(options, (patient) => api.stream(endpointId, jobId, patient)),
    cancel: (endpointId, jobId, options) => inGrace(options, (patient) => api.cancel(endpointId, jobId, patient)),
    retry: (endpointId, jobId, options) => inGrace(options, (patient) => api.retry(endpointId, jobId, patient)),
    purgeQueue: (endpointId, options) => inGrace(options, (patient) => api.purgeQueue(endpointId, patient)),
  };
}

/**
 * The operations of a stopped sandbox: each fails as unreachable, and nothing is sent. Another program may use its port
 * meanwhile and must not get a request, let alone the key.
 */
function stoppedSandboxApi({ baseUrl, authorization }: Connection, now: () => number): QueueApi {
  const target: ServiceTarget = { baseUrl, restUrl: null, authorization, readKey: () => Promise.resolve(null) };
  return createQueueApi(target, { now, refusal: { kind: 'network', message: notSentText.sandboxStopped } });
}

/** The same interface, which passes every pod to `onPod` before its reply is returned (ruling 23). */
export function withPodsNoted(api: ManagementApi, onPod: (reply: PodReply) => Promise<void>): ManagementApi {
  return {
    ...api,
    async getPod(podId, include, options) {
      const reply = await api.getPod(podId, include, options);
      if (reply.result.ok) await onPod(reply.result.value);
      return reply;
    },
  };
}

/**
 * The same interface, whose reads fail if the connection was removed meanwhile: the reply then belongs to no
 * connection.
 */
function unlessRemoved(api: ManagementApi, hasConnection: () => Promise<boolean>): ManagementApi {
  return {
    ...api,
    async getPod(podId, include, options) {
      const reply = await api.getPod(podId, include, options);
      if (await hasConnection()) return reply;
      const { message } = connectionRemoved;
      return { ...reply, result: failed({ kind: 'cancelled', message, mayHaveArrived: true }) };
    },
  };
}

/** The failure for a reply whose connection was removed while it was on its way. */
export const connectionRemoved = { kind: 'absent', message: connectionRemovedText } as const;
