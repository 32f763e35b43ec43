import { createScaledClock, type ScaledClock } from './clock.ts';
import { createMemoryDocuments, savedVersion } from './documents.ts';
import type { Scaling } from './endpoint.ts';
import { createFaults, type Faults, type FaultRule } from './faults/faults.ts';
import { createAuthorization } from './http/request-target.ts';
import { createEchoText } from './http/reply.ts';
import { createManagement, type Management } from './management/management.ts';
import type { ManagedEndpoint } from './management/pod-catalogue.ts';
import type { JobCounts } from './queue/job-book.ts';
import { type JobRecord, createTransitionLog, type Transition, type TransitionLog } from './queue/job-record.ts';
import { createQueue, type Queue } from './queue/queue.ts';
import { createRoutes } from './queue/routes.ts';
import { createMemoryWebhooks } from './queue/store.ts';
import { createWebhookSender, webhookBody, type WebhookAttempt, type WebhookSender } from './queue/webhook.ts';
import { settingsOf, type SandboxOptions, type Settings } from './sandbox-options.ts';
import { createControl } from './server/control-routes.ts';
import { admitEveryone, createRateLimits } from './server/rate-limits.ts';
import { RequestHandling } from './server/request-handling.ts';
import { createRequestCounters, createRequestLog, createRequestRecord } from './server/request-log.ts';
import type { RequestCount, RequestLog } from './server/request-log.ts';
import { startServer } from './server/server.ts';
import { STOP_GRACE_MS } from './specification.ts';
import { openStateFile } from './state/state-file.ts';
import { createThreadStarter } from './workers/start-handler-thread.ts';
import type { WorkerCounts } from './workers/worker-pool.ts';

/** A running sandbox. */
export interface Sandbox {
  readonly baseUrl: string;
  readonly restUrl: string;
  readonly apiKey: string;
  readonly endpoints: string[];
  /** The pods that exist from the start, the one with the most content first. Workers are pods too. */
  readonly pods: string[];
  /** Templates: those of the endpoints in their order, then those of pods. */
  readonly templates: string[];
  readonly port: number;
  /** Every status change of every job, in order. Beyond 50,000 the oldest are dropped. */
  transitions(): Transition[];
  /** How requests were answered so far. */
  requests(): RequestCount[];
  webhookAttempts(): WebhookAttempt[];
  /** Makes requests fail on purpose until the next call. Null ends it. */
  setFault(rules: FaultRule | readonly FaultRule[] | null): void;
  /** The active rules, in the order they are tried. */
  faults(): FaultRule[];
  /** The latest 1,000 requests as they come, without keys and bodies. */
  readonly requestLog: Pick<RequestLog, 'since' | 'listen'>;
  /** Job and worker counts of an endpoint. Null if there is none with this name. */
  health(endpointId: string): { jobs: JobCounts; workers: WorkerCounts } | null;
  timeScale(): number;
  /** Takes effect immediately, even for what is waiting. Throws a `RangeError` outside 1 to 10,000. */
  setTimeScale(timeScale: number): void;
  /** How an endpoint's workers scale. Null if there is no endpoint with this name. */
  scaling(endpointId: string): Scaling | null;
  /** Takes effect immediately. Throws a `RangeError` for a field out of bounds or an unknown endpoint. */
  setScaling(endpointId: string, change: Partial<Scaling>): void;
  /** Closes the listener and all connections; jobs continue. */
  goOffline(): Promise<void>;
  /** Listens again on the same port. */
  goOnline(): Promise<void>;
  close(): Promise<void>;
}

/** Everything behind the listener. */
interface Service {
  clock: ScaledClock;
  faults: Faults;
  webhooks: WebhookSender;
  transitions: TransitionLog;
  queues: ReadonlyMap<string, Queue>;
  management: Management;
  stateTrouble(): string | null;
  /** Ends all workers and releases the state file. */
  close(): Promise<void>;
}

/** Opens the state file and starts the queues. A start that fails leaves no workers and no lock. */
async function openService(settings: Settings): Promise<Service> {
  const { clock: beneath, dialect, endpoints, keepsSecrets, onStateTrouble, stateFile, timeScale } = settings;
  const state =
    stateFile === null ? null : openStateFile(stateFile, { clock: beneath, onTrouble: onStateTrouble, keepsSecrets });
  const clock = createScaledClock({ beneath, timeScale, startMs: Math.max(beneath.now(), state?.clockMs ?? 0) });
  const transitions = createTransitionLog();
  const faults = createFaults(settings.faultSeed, settings.faults, clock.now);
  const webhooks = createWebhookSender({ clock, faults, store: state?.webhooks ?? createMemoryWebhooks() });
  const startThread = createThreadStarter({
    workerUrl: settings.workerUrl,
    onLog: settings.onHandlerLog,
    onBegunLine: settings.onBegunLine,
    clock: beneath,
    timeScale: clock.timeScale,
  });
  // A handler yields in real time, however fast the service's time runs.
  const stopGraceMs = (): number => STOP_GRACE_MS * clock.timeScale();
  const documents = state?.documents ?? createMemoryDocuments();

  const onCompleted = (endpointId: string, record: JobRecord): void => {
    const url = record.submission.webhook;
    if (url !== null)
      webhooks.send({ endpointId, jobId: record.id, url, body: webhookBody(record, url, dialect, clock.now()) });
  };
  const queues = new Map<string, Queue>();
  const close = async (): Promise<void> => {
    webhooks.close();
    await Promise.all([...queues.values()].map((queue) => queue.close()));
    state?.close();
  };
  try {
    for (const endpoint of endpoints) {
      const queue = createQueue({
        endpoint,
        dialect,
        clock,
        syncRetentionMs: settings.syncRetentionMs,
        startThread,
        pool: { ...savedVersion(documents, endpoint.id), stopGraceMs },
        transitions,
        store: state?.jobStore(endpoint.id) ?? null,
        onCompleted: (record) => onCompleted(endpoint.id, record),
      });
      queues.set(endpoint.id, queue);
      if (settings.scaling !== undefined) queue.setScaling(settings.scaling);
    }
    const management = createManagement({
      clock,
      dialect,
      endpoints: [...queues].map(managedEndpoint),
      omitted: settings.templateOmitted,
      documents,
      keepsTemplates: keepsSecrets,
    });
    const stateTrouble = (): string | null => state?.trouble() ?? null;
    return { clock, faults, webhooks, transitions, queues, management, stateTrouble, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function managedEndpoint([id, queue]: [string, Queue]): ManagedEndpoint {
  const { workers, version, release } = queue;
  return { id, workers, version, release, maxWorkers: () => queue.scaling().maxWorkers };
}

/**
 * Starts the service of the specification on 127.0.0.1, with its handlers in worker threads. Rejects if the port is
 * taken (`EADDRINUSE`), an option is out of bounds (`RangeError`) or the state file cannot be used
 * (`StateFileRefused`).
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  const { apiKey, dialect, isStreamReplayed, limits, requestsPerWorker } = settings;
  const service = await openService(settings);
  const { clock, faults, webhooks, transitions, queues, management } = service;

  const counters = createRequestCounters();
  const requestLog = createRequestLog();
  const echo = createEchoText(apiKey);
  const runningWorkers = (endpointId: string): number => queues.get(endpointId)?.workerCounts().running ?? 0;
  const handling = new RequestHandling({
    queues,
    routes: createRoutes({ clock, dialect, isStreamReplayed, echo }),
    dialect,
    clock,
    isAuthorized: createAuthorization(apiKey),
    admit:
      limits === 'off'
        ? admitEveryone
        : createRateLimits({ clock, timeScale: clock.timeScale, requestsPerWorker, runningWorkers }),
    faults,
    management,
    control: createControl({
      clock,
      dialect,
      queues,
      faults,
      counters,
      requestLog,
      transitions,
      webhookAttempts: webhooks.attempts,
      stateTrouble: service.stateTrouble,
      echo,
    }),
    echo,
    record: createRequestRecord({ clock, hasEndpoint: (id) => queues.has(id), counters, log: requestLog, echo }),
  });
  const server = await startServer((request, access) => handling.handle(request, access), settings.port).catch(
    async (error: unknown) => {
      await service.close();
      throw error;
    },
  );
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
      await service.close();
    },
  };
}
