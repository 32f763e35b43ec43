import { parentPort, workerData } from 'node:worker_threads';
import type { FaultRule } from './faults/fault-rule.ts';
import { createHostSights } from './host-sights.ts';
import type { HostSights, Sight } from './host-sights.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

/**
 * The entry of a worker thread that runs the sandbox beside an application, so that serving never
 * delays the application's own loop. Started with {@link SandboxHostData}, answers with
 * {@link FromSandboxHost}, is told with {@link ToSandboxHost}.
 */

export interface SandboxHostData {
  /** Tried first; when it is taken, a free port is used instead. */
  port?: number;
  apiKey?: string;
  /** The handler threads' entry as a URL text. */
  workerUrl?: string;
  timeScale?: number;
  faults?: FaultRule[];
}

export type ToSandboxHost =
  | { type: 'close' }
  | { type: 'setTimeScale'; timeScale: number }
  | { type: 'setFaults'; faults: FaultRule[] }
  /** While watched, requests and workers are told of. */
  | { type: 'watch'; isWatched: boolean };

export type FromSandboxHost =
  | {
      type: 'ready';
      baseUrl: string;
      restUrl: string;
      apiKey: string;
      endpoints: string[];
      pods: string[];
      templates: string[];
    }
  | { type: 'failed'; message: string }
  | Sight;

const port = parentPort;
if (port === null) throw new Error('The sandbox host runs as a worker thread only.');

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}

async function start(data: SandboxHostData): Promise<Sandbox> {
  const options: SandboxOptions = {
    port: data.port ?? 0,
    ...(data.apiKey === undefined ? {} : { apiKey: data.apiKey }),
    ...(data.workerUrl === undefined ? {} : { workerUrl: new URL(data.workerUrl) }),
    ...(data.timeScale === undefined ? {} : { timeScale: data.timeScale }),
    ...(data.faults === undefined ? {} : { faults: data.faults }),
  };
  try {
    return await createSandbox(options);
  } catch (error) {
    if (options.port === 0 || !isPortTaken(error)) throw error;
    return createSandbox({ ...options, port: 0 });
  }
}

function post(message: FromSandboxHost): void {
  port?.postMessage(message);
}

function showSights(sandbox: Sandbox): HostSights {
  const sights = createHostSights({
    readWorkers: () =>
      sandbox.endpoints.flatMap((endpointId) => {
        const health = sandbox.health(endpointId);
        if (health === null) return [];
        const { idle, running, initializing } = health.workers;
        return [{ endpointId, running, idle, starting: initializing, inQueue: health.jobs.inQueue }];
      }),
    post,
    now: Date.now,
    every: (everyMs, run) => {
      const timer = setInterval(run, everyMs);
      return () => clearInterval(timer);
    },
  });
  sandbox.requestLog.listen(sights.note);
  return sights;
}

try {
  const sandbox = await start(workerData ?? {});
  const sights = showSights(sandbox);
  port.on('message', (message: ToSandboxHost) => {
    switch (message.type) {
      case 'setTimeScale':
        return sandbox.setTimeScale(message.timeScale);
      case 'setFaults':
        return sandbox.setFault(message.faults);
      case 'watch':
        return sights.watch(message.isWatched);
      case 'close':
        sights.close();
        return void sandbox.close().then(() => port.close());
    }
  });
  const { baseUrl, restUrl, apiKey, endpoints, pods, templates } = sandbox;
  post({ type: 'ready', baseUrl, restUrl, apiKey, endpoints, pods, templates });
} catch (error) {
  post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}
