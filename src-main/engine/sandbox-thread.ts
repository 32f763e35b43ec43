import { Worker } from 'node:worker_threads';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { errorText } from '../async/error-text.ts';
import { createSerialQueue } from '../async/queues.ts';
import type { FromSandboxHost, SandboxHostData, SetAsideState, ToSandboxHost } from '../sandbox/host.ts';
import type { Activity } from '../sandbox/host-activity.ts';
import { closingFailure } from './closing.ts';
import { within } from '../time/timers.ts';

interface SandboxAddress {
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoints: string[];
  pods: string[];
  templates: string[];
}

/** What the thread itself knows of the sandbox; its settings are kept by the code that started it. */
export type SandboxRun = Omit<SandboxState, 'timeScale' | 'faults'>;

/** Starts and stops are done one after the other, in the order they were asked for. */
export interface SandboxThread {
  /** Starts it where it does not run. `isNew` to the one whose call started it. */
  start(): Promise<Result<{ address: SandboxAddress; isNew: boolean }>>;
  stop(): Promise<void>;
  state(): SandboxRun;
  /** Sent to the running sandbox; dropped where none runs. */
  send(message: Exclude<ToSandboxHost, { type: 'close' }>): void;
  /** Stops it, and lets nothing start it again. */
  close(): Promise<void>;
}

export interface SandboxThreadParts {
  hostUrl: URL;
  handlerUrl: URL;
  /** The port of the time before, so that jobs still waiting there keep their address while the app restarts. */
  preferredPort: () => Promise<number | null>;
  keepPort: (port: number) => Promise<void>;
  /** Keeps its jobs over stops and restarts. */
  stateFile: string;
  /** What a sandbox is set to from its first request on. */
  settings?: () => Pick<SandboxHostData, 'timeScale' | 'faults'>;
  onChange: (state: SandboxRun) => void;
  /** Requests and workers of the running sandbox, while they are watched. */
  onActivity?: (sight: Activity) => void;
  /** Its state file could not be used and was set aside: it starts without the jobs in there. */
  onStateSetAside?: (setAside: SetAsideState) => void;
  /** Its state file refuses to be written, for this reason; null: it was written again. */
  onStateTrouble?: (sentence: string | null) => void;
  /** How long a start and a stop may take. The app's own start waits for the sandbox's, so that must end. */
  limits?: { startMs: number; stopMs: number };
}

interface Running {
  worker: Worker;
  address: SandboxAddress;
  /** Resolves when the thread is gone; with what it died of, if it did. */
  ended: Promise<unknown>;
}

const stopped: SandboxRun = {
  isRunning: false,
  baseUrl: null,
  restUrl: null,
  endpoints: [],
  pods: [],
  templates: [],
  problem: null,
};

/** The built-in sandbox in a thread of its own: serving and its handlers never delay the app's own loop. */
export function createSandboxThread(parts: SandboxThreadParts): SandboxThread {
  const { startMs, stopMs } = parts.limits ?? { startMs: 15_000, stopMs: 3_000 };
  let running: Running | null = null;
  let state: SandboxRun = stopped;
  let isClosed = false;

  function setState(changed: SandboxRun): void {
    state = changed;
    parts.onChange(changed);
  }

  const turns = createSerialQueue();

  async function start(): Promise<Result<{ address: SandboxAddress; isNew: boolean }>> {
    if (isClosed) return failed(closingFailure);
    if (running !== null) return ok({ address: running.address, isNew: false });
    // Another port is as good; and a history that cannot be read says so elsewhere.
    const port = await parts.preferredPort().catch(() => null);
    const launched = await launch(port);
    if (!launched.ok) {
      setState({ ...stopped, problem: launched.failure.message });
      return launched;
    }
    const current = launched.value;
    const { baseUrl, restUrl, endpoints, pods, templates } = current.address;
    running = current;
    setState({ isRunning: true, baseUrl, restUrl, endpoints, pods, templates, problem: null });
    void current.ended.then((reason) => {
      if (running !== current) return;
      running = null;
      setState({
        ...stopped,
        problem:
          `The built-in sandbox ended unexpectedly${reason === undefined ? '' : ` (${errorText(reason)})`}. Its ` +
          'jobs are saved on disk and continue when you open it again.',
      });
    });
    await parts.keepPort(Number(new URL(baseUrl).port)).catch(() => undefined);
    return ok({ address: current.address, isNew: true });
  }

  async function launch(port: number | null): Promise<Result<Running>> {
    const data: SandboxHostData = {
      ...(port === null ? {} : { port }),
      workerUrl: parts.handlerUrl.href,
      stateFile: parts.stateFile,
      ...parts.settings?.(),
    };
    const worker = new Worker(parts.hostUrl, { workerData: data, name: 'sandbox' });
    const ended = endOf(worker);
    const diedOf = ended.then((reason): StartMessage => ({
      type: 'failed',
      message: reason === undefined ? 'its thread ended' : errorText(reason),
    }));
    worker.on('message', (message: FromSandboxHost) => {
      if (message.type === 'requests' || message.type === 'workers') parts.onActivity?.(message);
      if (message.type === 'stateTrouble') parts.onStateTrouble?.(message.sentence);
    });
    const first = await within(Promise.race([startMessage(worker), diedOf]), startMs);
    if (first?.type === 'ready') {
      if (first.setAside !== null) parts.onStateSetAside?.(first.setAside);
      const { baseUrl, restUrl, apiKey, endpoints, pods, templates } = first;
      return ok({ worker, address: { baseUrl, restUrl, apiKey, endpoints, pods, templates }, ended });
    }
    await worker.terminate();
    const detail = first?.type === 'failed' ? first.message : 'its thread did not answer in time';
    return failed({
      kind: 'defect',
      message: `The built-in sandbox did not start: ${detail}. Everything else works; try again.`,
      detail,
    });
  }

  async function stop(): Promise<void> {
    const current = running;
    if (current === null) return;
    running = null;
    // Said first: from here on its port may be anyone's.
    setState(stopped);
    const message: ToSandboxHost = { type: 'close' };
    current.worker.postMessage(message);
    const isLate =
      (await within(
        current.ended.then(() => 'ended'),
        stopMs,
      )) === null;
    if (isLate) await current.worker.terminate();
  }

  return {
    start: () => turns.run(start),
    stop: () => turns.run(stop),
    state: () => state,
    send: (message) => running?.worker.postMessage(message),
    close() {
      isClosed = true;
      return turns.run(stop);
    },
  };
}

type StartMessage = Extract<FromSandboxHost, { type: 'ready' | 'failed' }>;

/** How the start went, which the host says once. */
function startMessage(worker: Worker): Promise<StartMessage> {
  return new Promise((resolve) => {
    worker.on('message', (message: FromSandboxHost) => {
      if (message.type === 'ready' || message.type === 'failed') resolve(message);
    });
  });
}

/** An error comes before the exit it causes. */
function endOf(worker: Worker): Promise<unknown> {
  let reason: unknown;
  worker.on('error', (error) => {
    reason = error;
  });
  return new Promise((resolve) => void worker.once('exit', () => resolve(reason)));
}
