import { Worker } from 'node:worker_threads';
import type { SandboxState } from '../../src-preload/app.ts';
import type { Result } from '../../src-preload/failure.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { FromSandboxHost, SandboxHostData, ToSandboxHost } from '../sandbox/host.ts';

export interface SandboxAddress {
  baseUrl: string;
  restUrl: string;
  apiKey: string;
  endpoints: string[];
}

export interface SandboxThread {
  /** Starts it where it does not run; answers where it is. */
  start(): Promise<Result<SandboxAddress>>;
  stop(): Promise<void>;
  state(): SandboxState;
}

export interface SandboxThreadParts {
  hostUrl: URL;
  handlerUrl: URL;
  /** The port of the time before, so that jobs still waiting there keep their address while the app restarts. */
  preferredPort: () => Promise<number | null>;
  keepPort: (port: number) => Promise<void>;
  onChange: (state: SandboxState) => void;
}

const stopped: SandboxState = { isRunning: false, baseUrl: null, restUrl: null, endpoints: [], problem: null };

/** The built-in sandbox in a thread of its own: serving and its handlers never delay the app's own loop. */
export function createSandboxThread(parts: SandboxThreadParts): SandboxThread {
  let running: { worker: Worker; address: Promise<Result<SandboxAddress>> } | null = null;
  let state: SandboxState = stopped;

  const setState = (changed: SandboxState): void => {
    state = changed;
    parts.onChange(changed);
  };

  const launch = async (): Promise<Result<SandboxAddress>> => {
    const port = await parts.preferredPort();
    const data: SandboxHostData = { ...(port === null ? {} : { port }), workerUrl: parts.handlerUrl.href };
    const worker = new Worker(parts.hostUrl, { workerData: data });
    worker.on('exit', () => {
      if (running?.worker !== worker) return;
      running = null;
      setState({ ...stopped, problem: state.problem });
    });
    const address = firstMessage(worker);
    running = { worker, address };
    const answered = await address;
    if (answered.ok) {
      await parts.keepPort(Number(new URL(answered.value.baseUrl).port));
      setState({ isRunning: true, baseUrl: answered.value.baseUrl, restUrl: answered.value.restUrl, endpoints: answered.value.endpoints, problem: null });
    } else {
      running = null;
      setState({ ...stopped, problem: answered.failure.message });
    }
    return answered;
  };

  let starting: Promise<Result<SandboxAddress>> | null = null;
  return {
    start() {
      if (running !== null) return running.address;
      starting ??= launch().finally(() => {
        starting = null;
      });
      return starting;
    },
    async stop() {
      const current = running;
      if (current === null) return;
      const ended = new Promise<void>((resolve) => current.worker.once('exit', () => resolve()));
      const message: ToSandboxHost = { type: 'close' };
      current.worker.postMessage(message);
      await ended;
    },
    state: () => state,
  };
}

function firstMessage(worker: Worker): Promise<Result<SandboxAddress>> {
  return new Promise((resolve) => {
    const fail = (detail: string): void => resolve(failed({ kind: 'defect', message: `The sandbox did not start: ${detail}`, detail }));
    worker.once('message', (message: FromSandboxHost) => {
      if (message.type === 'ready') resolve(ok({ baseUrl: message.baseUrl, restUrl: message.restUrl, apiKey: message.apiKey, endpoints: message.endpoints }));
      else fail(message.message);
    });
    worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
    worker.once('exit', (code) => fail(`its thread ended with ${code}`));
  });
}
