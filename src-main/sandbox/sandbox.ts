import { randomBytes } from 'node:crypto';
import { createScaledClock, systemClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { createMemoryDocuments, keptVersion } from './documents.ts';
import { BUILT_IN_ENDPOINTS } from './endpoint.ts';
import type { EndpointDefinition, Scaling } from './endpoint.ts';
import { createFaults } from './faults/faults.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import { createAuthorization } from './http/access.ts';
import { createEchoText } from './http/reply.ts';
import { createManagement } from './management/management.ts';
import type { Management } from './management/management.ts';
import type { JobCounts } from './queue/job-book.ts';
import type { JobRecord } from './queue/job-record.ts';
import { createQueue } from './queue/queue.ts';
import type { Queue } from './queue/queue.ts';
import { createRoutes } from './queue/routes.ts';
import { createMemoryWebhooks } from './queue/store.ts';
import { createTransitionLog } from './queue/transition-log.ts';
import type { Transition } from './queue/transition-log.ts';
import { createWebhookSender, webhookBody } from './queue/webhook.ts';
import type { WebhookAttempt } from './queue/webhook.ts';
import { createControl } from './server/control-routes.ts';
import { admitEveryone, createRateLimits } from './server/rate-limits.ts';
import { createRequestHandling } from './server/request-handling.ts';
import { createRequestCounters, createRequestLog, createRequestRecord } from './server/request-log.ts';
import type { RequestCount, RequestLog } from './server/request-log.ts';
import { startServer } from './server/server.ts';
import { RUNSYNC_RETENTION_MS, STOP_GRACE_MS } from './specification.ts';
import type { Dialect } from './specification.ts';
import { openStateFile } from './state/state-file.ts';
import { createThreadStarter } from './workers/handler-thread.ts';
import type { HandlerLog } from './workers/handler-thread.ts';
import type { WorkerCounts } from './workers/worker-pool.ts';

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
  /**
   * How many times faster than that clock the service's time runs (ttl, timeouts, retention, limits, cold starts,
   * pauses of the built-in handlers).
   */
  timeScale?: number;
  /** The handler threads' entry; differs when the sandbox runs from a bundle. */
  workerUrl?: URL;
  endpoints?: readonly EndpointDefinition[];
  /** How long runsync results are kept, 1 to 300000 ms (spec: Limits). */
  syncRetentionMs?: number;
  /** Reads of stream repeat from the first chunk instead of draining (ruling 2). */
  isStreamReplayed?: boolean;
  /** Keeps jobs over restarts in this file; see state/state-file.ts. Left out or null: in memory. */
  stateFile?: string | null;
  /** False: no secret is written to the state file, so s3Config and changes of templates end with this start. */
  keepsSecrets?: boolean;
  /**
   * Template settings with a default that an update leaves out are `reset` to it (the default) or `keep` their value
   * (ruling 22).
   */
  templateOmitted?: 'reset' | 'keep';
  /** How the workers of all endpoints scale, where it differs from the endpoints' own. */
  scaling?: Partial<Scaling>;
  /** `off`: the table of rate limits is not enforced. */
  limits?: 'on' | 'off';
  /** For the dynamic rule (spec: Limits); 0, the default, leaves the base limits alone. */
  requestsPerWorker?: number;
  /** What goes wrong from the first request on. */
  faults?: readonly FaultRule[];
  /** Makes the chance in fault rules repeatable. */
  faultSeed?: number;
  /** What handlers print. Left out: dropped. */
  onHandlerLog?: (log: HandlerLog) => void;
  /** Told, in a sentence, when the state file refuses to be written, and null when it was written again. */
  onStateTrouble?: (sentence: string | null) => void;
}

/** A running sandbox. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly restUrl: string;
  readonly apiKey: string;
  readonly endpoints: string[];
  /** Pods that are there from the start, the one with the most to show first; workers are pods besides. */
  readonly pods: string[];
  /** Templates: those of the endpoints in their order, then those of pods. */
  readonly templates: string[];
  readonly port: number;
  /** Every move of every job, in order (the oldest are forgotten beyond 50,000). */
  transitions(): Transition[];
  /** How requests were answered so far. */
  requests(): RequestCount[];
  webhookAttempts(): WebhookAttempt[];
  /** Makes requests fail on purpose until told otherwise; null ends it. */
  setFault(rules: FaultRule | readonly FaultRule[] | null): void;
  /** The rules in force, in the order they are tried. */
  faults(): FaultRule[];
  /** The latest 1,000 requests as they come; no keys, no bodies. */
  readonly requestLog: Pick<RequestLog, 'since' | 'listen'>;
  /** Job and worker counts of an endpoint; null when there is none of this name. */
  health(endpointId: string): { jobs: JobCounts; workers: WorkerCounts } | null;
  timeScale(): number;
  /** Takes effect at once, for everything that waits; throws a `RangeError` outside 1 to 10,000. */
  setTimeScale(timeScale: number): void;
  /** How an endpoint's workers scale; null when there is no endpoint of this name. */
  scaling(endpointId: string): Scaling | null;
  /** Takes effect at once; throws a `RangeError` for a field out of bounds or an unknown endpoint. */
  setScaling(endpointId: string, change: Partial<Scaling>): void;
  /** Closes the listener and all connections; jobs go on. */
  goOffline(): Promise<void>;
  /** Listens again on the same port. */
  goOnline(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the service of the specification on 127.0.0.1, with its own handlers in worker threads.
 * Rejects when the port is taken (`EADDRINUSE`), an option is out of bounds (`RangeError`) or the state file cannot be
 * used ({@link StateFileRefused}).
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
    scaling,
    limits = 'on',
    requestsPerWorker = 0,
    faultSeed = 1,
    onHandlerLog = () => undefined,
    onStateTrouble = () => undefined,
    stateFile = null,
    keepsSecrets = true,
    templateOmitted = 'reset',
  } = options;
  if (!Number.isInteger(requestsPerWorker) || requestsPerWorker < 0)
    throw new RangeError('The requests per worker must be a whole number from 0.');
  if (!Number.isInteger(syncRetentionMs) || syncRetentionMs < 1 || syncRetentionMs > RUNSYNC_RETENTION_MS.max) {
    throw new RangeError(`The retention of runsync results must be 1 to ${RUNSYNC_RETENTION_MS.max} ms.`);
  }

  const state =
    stateFile === null ? null : openStateFile(stateFile, { clock: beneath, onTrouble: onStateTrouble, keepsSecrets });
  const clock = createScaledClock({ beneath, timeScale, startMs: Math.max(beneath.now(), state?.clockMs ?? 0) });
  const transitions = createTransitionLog();
  const counters = createRequestCounters();
  const echo = createEchoText(apiKey);
  const faults = createFaults(faultSeed, options.faults, clock.now);
  // A handler yields in real time, however fast the service's runs.
  const stopGraceMs = (): number => STOP_GRACE_MS * clock.timeScale();
  const webhooks = createWebhookSender({ clock, faults, store: state?.webhooks ?? createMemoryWebhooks() });
  const startThread = createThreadStarter({ workerUrl, onLog: onHandlerLog, timeScale: clock.timeScale });

  const onCompleted = (endpointId: string, record: JobRecord): void => {
    const url = record.submission.webhook;
    if (url !== null)
      webhooks.send({ endpointId, jobId: record.id, url, body: webhookBody(record, url, dialect, clock.now()) });
  };
  const queues = new Map<string, Queue>();
  const closeQueues = async (): Promise<void> => {
    await Promise.all([...queues.values()].map((queue) => queue.close()));
    state?.close();
  };
  // A start that fails leaves no workers behind, and nothing locked.
  const closeAndRethrow = async (error: unknown): Promise<never> => {
    await closeQueues();
    throw error;
  };
  const documents = state?.documents ?? createMemoryDocuments();
  let management: Management;
  try {
    for (const endpoint of endpoints) {
      const store = state?.jobStore(endpoint.id) ?? null;
      queues.set(
        endpoint.id,
        createQueue({
          endpoint,
          dialect,
          clock,
          syncRetentionMs,
          startThread,
          pool: { ...keptVersion(documents, endpoint.id), stopGraceMs },
          transitions,
          store,
          onCompleted: (record) => onCompleted(endpoint.id, record),
        }),
      );
      if (scaling !== undefined) queues.get(endpoint.id)?.setScaling(scaling);
    }
    const managed = [...queues].map(([id, queue]) => ({
      id,
      workers: queue.workers,
      version: queue.version,
      release: queue.release,
      maxWorkers: () => queue.scaling().maxWorkers,
    }));
    management = createManagement({
      clock,
      dialect,
      endpoints: managed,
      omitted: templateOmitted,
      documents,
      keepsTemplates: keepsSecrets,
    });
  } catch (error) {
    return closeAndRethrow(error);
  }

  const routes = createRoutes({ clock, dialect, isStreamReplayed, echo });
  const isAuthorized = createAuthorization(apiKey);
  const requestLog = createRequestLog();
  const record = createRequestRecord({
    clock,
    hasEndpoint: (endpointId) => queues.has(endpointId),
    counters,
    log: requestLog,
    echo,
  });
  const control = createControl({
    clock,
    dialect,
    queues,
    faults,
    counters,
    requestLog,
    transitions,
    webhookAttempts: webhooks.attempts,
    stateTrouble: () => state?.trouble() ?? null,
    echo,
  });
  const runningWorkers = (endpointId: string): number => queues.get(endpointId)?.workerCounts().running ?? 0;
  const admit =
    limits === 'off'
      ? admitEveryone
      : createRateLimits({ clock, timeScale: clock.timeScale, requestsPerWorker, runningWorkers });
  const handle = createRequestHandling({
    queues,
    routes,
    dialect,
    clock,
    isAuthorized,
    admit,
    faults,
    management,
    control,
    echo,
    record,
  });
  const server = await startServer(handle, port).catch(closeAndRethrow);
  webhooks.resume();
  const url = `http://127.0.0.1:${server.port}`;

  return {
    baseUrl: url,
    restUrl: url,
    apiKey,
    endpoints: [...queues.keys()],
    pods: management.podIds,
    templates: management.templateIds,
    port: server.port,
    transitions: transitions.all,
    requests: counters.all,
    webhookAttempts: webhooks.attempts,
    health: (endpointId) => {
      const queue = queues.get(endpointId);
      return queue === undefined ? null : { jobs: queue.jobCounts(), workers: queue.workerCounts() };
    },
    requestLog,
    faults: faults.rules,
    setFault: faults.set,
    timeScale: clock.timeScale,
    setTimeScale: clock.setTimeScale,
    scaling: (endpointId) => queues.get(endpointId)?.scaling() ?? null,
    setScaling: (endpointId, change) => {
      const queue = queues.get(endpointId);
      if (queue === undefined) throw new RangeError(`There is no endpoint ${endpointId}.`);
      queue.setScaling(change);
    },
    goOffline: server.goOffline,
    goOnline: server.goOnline,
    close: async () => {
      await server.goOffline();
      webhooks.close();
      await closeQueues();
    },
  };
}
