import { randomBytes } from 'node:crypto';
import { admitEveryone, type Admit } from './http/admission.ts';
import { createAuthorization } from './http/authorization.ts';
import { systemClock, type Clock } from './time/clock.ts';
import type { Dialect } from './dialect.ts';
import { BUILT_IN_ENDPOINTS, type EndpointDefinition } from './endpoint.ts';
import { createFaults, type FaultRule } from './faults/faults.ts';
import { createThreadStarter, type HandlerLog } from './workers/handler-thread.ts';
import { renderJob, type JobRecord } from './queue/job-record.ts';
import { RUNSYNC_RETENTION_MS } from './limits.ts';
import { createScaledClock } from './time/scaled-clock.ts';
import { createQueue, type Queue } from './queue/queue.ts';
import { createRequestCounters, type RequestCount } from './http/request-counters.ts';
import { createRequestHandling } from './http/request-handling.ts';
import { createRoutes } from './queue/routes.ts';
import { startServer } from './http/server.ts';
import { createTransitionLog, type Transition } from './queue/transition-log.ts';
import { createWebhookSender, type WebhookAttempt } from './queue/webhook.ts';

/** Not written inside `new URL(...)`: a bundler would copy the unbuilt source along as an asset. */
const HANDLER_WORKER = './workers/handler-worker.ts';

export interface SandboxOptions {
  /** 0 (the default) takes a free port. */
  port?: number;
  /** Left out: a random one. */
  apiKey?: string;
  dialect?: Dialect;
  /** The clock beneath; a test passes a virtual one. */
  clock?: Clock;
  /** How many times faster than that clock the service's time runs (ttl, timeouts, retention, limits, cold starts, pauses of the built-in handlers). */
  timeScale?: number;
  /** The handler threads' entry; differs when the sandbox runs from a bundle. */
  workerUrl?: URL;
  endpoints?: readonly EndpointDefinition[];
  /** How long runsync results are kept, 1 to 300000 ms (spec: Limits). */
  syncRetentionMs?: number;
  /** Reads of stream repeat from the first chunk instead of draining (ruling 2). */
  isStreamReplayed?: boolean;
  /** Decides on requests before they are routed; rate limits go here. */
  admit?: Admit;
  /** Makes the chance in fault rules repeatable. */
  faultSeed?: number;
  /** What handlers print. Left out: dropped. */
  onHandlerLog?: (log: HandlerLog) => void;
}

/** A running sandbox. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly restUrl: string;
  readonly apiKey: string;
  readonly endpoints: string[];
  readonly port: number;
  /** Every move of every job, in order (the oldest are forgotten beyond 50,000). */
  transitions(): Transition[];
  /** How requests were answered so far. */
  requests(): RequestCount[];
  webhookAttempts(): WebhookAttempt[];
  /** Makes requests fail on purpose until told otherwise; null ends it. */
  setFault(rules: FaultRule | readonly FaultRule[] | null): void;
  /** Closes the listener and all connections; jobs go on. */
  goOffline(): Promise<void>;
  /** Listens again on the same port. */
  goOnline(): Promise<void>;
  close(): Promise<void>;
}

/** Ruling 25: the job record plus `input` and `webhook`. */
function webhookBody(record: JobRecord, url: string, dialect: Dialect, nowMs: number): string {
  const { input }: { input: unknown } = JSON.parse(record.submission.text);
  return `${renderJob(record, dialect, nowMs).slice(0, -1)},"input":${JSON.stringify(input)},"webhook":${JSON.stringify(url)}}`;
}

/**
 * Starts the service of the specification on 127.0.0.1, with its own handlers in worker threads.
 * Rejects when the port is taken (`EADDRINUSE`) or an option is out of bounds (`RangeError`).
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    apiKey = `sandbox-${randomBytes(18).toString('base64url')}`,
    dialect = 'spec',
    clock: beneath = systemClock,
    timeScale = 1,
    workerUrl = new URL(HANDLER_WORKER, import.meta.url),
    endpoints = BUILT_IN_ENDPOINTS,
    syncRetentionMs = RUNSYNC_RETENTION_MS.default,
    isStreamReplayed = false,
    admit = admitEveryone,
    faultSeed = 1,
    onHandlerLog = () => undefined,
  } = options;
  if (!Number.isInteger(syncRetentionMs) || syncRetentionMs < 1 || syncRetentionMs > RUNSYNC_RETENTION_MS.max) {
    throw new RangeError(`The retention of runsync results must be 1 to ${RUNSYNC_RETENTION_MS.max} ms.`);
  }

  const clock = createScaledClock({ beneath, timeScale });
  const transitions = createTransitionLog();
  const counters = createRequestCounters();
  const faults = createFaults(faultSeed);
  const webhooks = createWebhookSender(clock);
  const startThread = createThreadStarter(workerUrl, onHandlerLog);

  const onCompleted = (record: JobRecord): void => {
    const url = record.submission.webhook;
    if (url !== null) webhooks.send({ jobId: record.id, url, body: webhookBody(record, url, dialect, clock.now()) });
  };
  const queues = new Map<string, Queue>();
  for (const endpoint of endpoints) {
    queues.set(endpoint.id, createQueue({ endpoint, dialect, clock, syncRetentionMs, startThread, transitions, onCompleted }));
  }

  const routes = createRoutes({ clock, dialect, isStreamReplayed });
  const isAuthorized = createAuthorization(apiKey);
  const handle = createRequestHandling({ queues, routes, dialect, clock, isAuthorized, admit, faults, counters });
  const server = await startServer(handle, port);
  const url = `http://127.0.0.1:${server.port}`;

  return {
    baseUrl: url,
    restUrl: url,
    apiKey,
    endpoints: [...queues.keys()],
    port: server.port,
    transitions: transitions.all,
    requests: counters.all,
    webhookAttempts: webhooks.attempts,
    setFault: faults.set,
    goOffline: server.goOffline,
    goOnline: server.goOnline,
    close: async () => {
      await server.goOffline();
      webhooks.close();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
