import { parentPort, workerData } from 'node:worker_threads';
import type { FaultRule } from './faults/faults.ts';
import { createActivityFeed, type ActivityFeed, type Activity } from './activity-feed.ts';
import { BUILT_IN_ENDPOINTS, DEFAULT_SCALING, type EndpointDefinition } from './endpoint.ts';
import { PrintedFeed, type PrintedNews } from './printed-feed.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { setStateFileAside } from './state/state-file.ts';
import { StateFileRefused } from './state/state-refusal.ts';

/**
 * The entry of a worker thread that runs the sandbox beside an application, so that it never blocks the application.
 * Started with {@link SandboxThreadData}, answers with {@link FromSandboxThread}, receives {@link ToSandboxThread}.
 */

export interface SandboxThreadData {
  /** Tried first. If it is taken, a free port is used instead. */
  port?: number;
  apiKey?: string;
  /** The handler threads' entry, as a URL. */
  workerUrl?: string;
  timeScale?: number;
  faults?: FaultRule[];
  /**
   * Keeps jobs over restarts, without any secret in it. A damaged or foreign file is set aside under a dated name and
   * replaced by a new one.
   */
  stateFile?: string;
  /**
   * The user's NODE_COMPILE_CACHE (null: they have none), if the one in this thread's environment is the application's
   * own. Handlers get the user's environment.
   */
  userCompileCache?: string | null;
  /** Endpoints beside the built-in ones, with the handler in a file (its `file:` URL). */
  handlers?: OwnHandler[];
}

/** An endpoint and the file of its handler. */
export interface OwnHandler {
  endpointId: string;
  moduleUrl: string;
}

export type ToSandboxThread =
  | { type: 'close' }
  | { type: 'setTimeScale'; timeScale: number }
  | { type: 'setFaults'; faults: FaultRule[] }
  /** While watched, requests and workers are reported. */
  | { type: 'watch'; isWatched: boolean };

export type FromSandboxThread =
  | {
      type: 'ready';
      baseUrl: string;
      restUrl: string;
      apiKey: string;
      endpoints: string[];
      pods: string[];
      templates: string[];
      /** The state file that could not be used and was set aside, or null. */
      setAside: SetAsideState | null;
    }
  | { type: 'failed'; message: string }
  /** The oldest unanswered message applies now. */
  | { type: 'applied' }
  /** The state file cannot be written, for this reason. Null: it can be written again. */
  | { type: 'stateTrouble'; sentence: string | null }
  | PrintedNews
  | Activity;

/** A state file that was set aside: where it is now, and why, as a sentence without its full stop. */
export interface SetAsideState {
  path: string;
  reason: string;
}

const port = parentPort;
if (port === null) throw new Error('The sandbox runs here as a worker thread only.');

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');
}

async function startOnSomePort(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await createSandbox(options);
  } catch (error) {
    if (options.port === 0 || !isPortTaken(error)) throw error;
    return createSandbox({ ...options, port: 0 });
  }
}

/** What threads and programs that handlers start inherit from this thread is the user's environment from now on. */
function restoreEnvironment({ userCompileCache }: SandboxThreadData): void {
  if (userCompileCache === null) delete process.env['NODE_COMPILE_CACHE'];
  else if (userCompileCache !== undefined) process.env['NODE_COMPILE_CACHE'] = userCompileCache;
}

function ownEndpoint({ endpointId, moduleUrl }: OwnHandler): EndpointDefinition {
  return { id: endpointId, handler: { moduleUrl }, ...DEFAULT_SCALING };
}

async function start(
  data: SandboxThreadData,
  printed: PrintedFeed,
): Promise<{ sandbox: Sandbox; setAside: SetAsideState | null }> {
  const options: SandboxOptions = {
    port: data.port ?? 0,
    endpoints: [...BUILT_IN_ENDPOINTS, ...(data.handlers ?? []).map(ownEndpoint)],
    onHandlerLog: (log) => printed.note(log, false),
    onBegunLine: (log) => printed.note(log, true),
    stateFile: data.stateFile ?? null,
    keepsSecrets: false,
    onStateTrouble: (sentence) => post({ type: 'stateTrouble', sentence }),
    ...(data.apiKey === undefined ? {} : { apiKey: data.apiKey }),
    ...(data.workerUrl === undefined ? {} : { workerUrl: new URL(data.workerUrl) }),
    ...(data.timeScale === undefined ? {} : { timeScale: data.timeScale }),
    ...(data.faults === undefined ? {} : { faults: data.faults }),
  };
  try {
    return { sandbox: await startOnSomePort(options), setAside: null };
  } catch (error) {
    if (data.stateFile === undefined || !(error instanceof StateFileRefused) || !error.isContentAtFault) throw error;
    const path = setStateFileAside(data.stateFile, Date.now());
    return { sandbox: await startOnSomePort(options), setAside: { path, reason: error.finding } };
  }
}

function post(message: FromSandboxThread): void {
  port?.postMessage(message);
}

function feedActivity(sandbox: Sandbox): ActivityFeed {
  const feed = createActivityFeed({
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
  sandbox.requestLog.listen(feed.note);
  return feed;
}

const printed = new PrintedFeed({
  post,
  now: Date.now,
  later: (afterMs, run) => {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
});

try {
  const data: SandboxThreadData = workerData ?? {};
  restoreEnvironment(data);
  const { sandbox, setAside } = await start(data, printed);
  const feed = feedActivity(sandbox);
  port.on('message', (message: ToSandboxThread) => {
    switch (message.type) {
      case 'setTimeScale':
        sandbox.setTimeScale(message.timeScale);
        break;
      case 'setFaults':
        sandbox.setFault(message.faults);
        break;
      case 'watch':
        feed.watch(message.isWatched);
        break;
      case 'close':
        feed.close();
        return void sandbox.close().then(() => {
          printed.close();
          port.close();
        });
    }
    post({ type: 'applied' });
  });
  const { baseUrl, restUrl, apiKey, endpoints, pods, templates } = sandbox;
  post({ type: 'ready', baseUrl, restUrl, apiKey, endpoints, pods, templates, setAside });
} catch (error) {
  post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}
