import { Worker } from 'node:worker_threads';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { errorText } from '../async/error-text.ts';
import { createSerialQueue } from '../async/queues.ts';
import { threadEnv } from '../async/thread-env.ts';
import type {
  FromSandboxThread,
  SandboxThreadData,
  SetAsideState,
  ToSandboxThread,
} from '../sandbox/sandbox-thread.ts';
import type { Activity } from '../sandbox/activity-feed.ts';
import type { PrintedNews } from '../sandbox/printed-feed.ts';
import { closingFailure } from './closing.ts';
import { within } from '../time/timers.ts';
import { sandboxText } from '../messages/sandbox.ts';

/** Where a started sandbox is, and what it offers. */
type SandboxAddress = Omit<Extract<FromSandboxThread, { type: 'ready' }>, 'type' | 'setAside'>;

/** The state of the sandbox that the thread knows. Its settings are kept by the code that started it. */
export type SandboxRun = Omit<SandboxState, 'timeScale' | 'faults' | 'handlers'>;

export interface SandboxThreadParts {
  hostUrl: URL;
  handlerUrl: URL;
  /** The port of the last run, so that the address of waiting jobs stays valid over a restart. */
  preferredPort: () => Promise<number | null>;
  savePort: (port: number) => Promise<void>;
  /** Saves its jobs over stops and restarts. */
  stateFile: string;
  /** Settings that apply from the first request. */
  settings?: () => Pick<SandboxThreadData, 'timeScale' | 'faults' | 'handlers'>;
  onChange: (state: SandboxRun) => void;
  /** Requests and workers of the running sandbox, while a window watches. */
  onActivity?: (sight: Activity) => void;
  /** What handlers print, until the sandbox has ended. */
  onPrinted?: (news: PrintedNews) => void;
  /** Its state file could not be used and was set aside. It starts without the jobs in it. */
  onStateSetAside?: (setAside: SetAsideState) => void;
  /** Its state file cannot be written, for this reason. Null: it can be written again. */
  onStateTrouble?: (sentence: string | null) => void;
  /** How long a start and a stop may take. The app's start waits for the sandbox's, so there must be a limit. */
  limits?: { startMs: number; stopMs: number };
}

interface Running {
  worker: Worker;
  address: SandboxAddress;
  /** Resolves when the thread has ended, with its error if there was one. */
  ended: Promise<unknown>;
  /** Called in the order of the messages that were sent, when each applies. */
  onApplied: (() => void)[];
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

/**
 * The built-in sandbox in a thread of its own, so that it never blocks the app. Starts and stops run one after the
 * other, in the order of the calls.
 */
export class SandboxThread {
  readonly #parts: SandboxThreadParts;
  readonly #limits: { startMs: number; stopMs: number };
  readonly #turns = createSerialQueue();
  #running: Running | null = null;
  #state: SandboxRun = stopped;
  #isClosed = false;

  constructor(parts: SandboxThreadParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? { startMs: 15_000, stopMs: 3_000 };
  }

  /** Starts the sandbox unless it is running. `isNew` is true for the call that started it. */
  start(): Promise<Result<{ address: SandboxAddress; isNew: boolean }>> {
    return this.#turns.run(() => this.#start());
  }

  /** Stops the sandbox if it is running. It can be started again. */
  stop(): Promise<void> {
    return this.#turns.run(() => this.#stop());
  }

  /** Stops the sandbox for good: later starts are refused. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.stop();
  }

  /** Whether and where it runs. */
  state(): SandboxRun {
    return this.#state;
  }

  /**
   * Sends a message to the running sandbox; dropped if it is not running. Resolves when it applies to every later
   * request, or after some seconds without an answer.
   */
  async send(message: Exclude<ToSandboxThread, { type: 'close' }>): Promise<void> {
    const current = this.#running;
    if (current === null) return;
    const applied = new Promise<void>((resolve) => current.onApplied.push(resolve));
    current.worker.postMessage(message);
    await within(Promise.race([applied, current.ended]), this.#limits.stopMs);
  }

  #setState(changed: SandboxRun): void {
    this.#state = changed;
    this.#parts.onChange(changed);
  }

  async #start(): Promise<Result<{ address: SandboxAddress; isNew: boolean }>> {
    if (this.#isClosed) return failed(closingFailure);
    if (this.#running !== null) return ok({ address: this.#running.address, isNew: false });
    // Any port will do, and a history that cannot be read is reported elsewhere.
    const port = await this.#parts.preferredPort().catch(() => null);
    const launched = await this.#launch(port);
    if (!launched.ok) {
      this.#setState({ ...stopped, problem: launched.failure.message });
      return launched;
    }
    const current = launched.value;
    const { baseUrl, restUrl, endpoints, pods, templates } = current.address;
    this.#running = current;
    this.#setState({ isRunning: true, baseUrl, restUrl, endpoints, pods, templates, problem: null });
    void current.ended.then((reason) => {
      if (this.#running !== current) return;
      this.#running = null;
      this.#setState({
        ...stopped,
        problem: sandboxText.endedUnexpectedly(reason === undefined ? null : errorText(reason)),
      });
    });
    await this.#parts.savePort(Number(new URL(baseUrl).port)).catch(() => undefined);
    return ok({ address: current.address, isNew: true });
  }

  async #launch(port: number | null): Promise<Result<Running>> {
    const data: SandboxThreadData = {
      ...(port === null ? {} : { port }),
      workerUrl: this.#parts.handlerUrl.href,
      stateFile: this.#parts.stateFile,
      userCompileCache: process.env['NODE_COMPILE_CACHE'] ?? null,
      ...this.#parts.settings?.(),
    };
    const worker = new Worker(this.#parts.hostUrl, { workerData: data, name: 'sandbox', env: threadEnv() });
    const ended = endOf(worker);
    const diedOf = ended.then((reason): StartMessage => ({
      type: 'failed',
      message: reason === undefined ? sandboxText.threadEnded : errorText(reason),
    }));
    const onApplied: Running['onApplied'] = [];
    worker.on('message', (message: FromSandboxThread) => this.#receive(message, onApplied));
    const first = await within(Promise.race([startMessage(worker), diedOf]), this.#limits.startMs);
    if (first?.type === 'ready') {
      if (first.setAside !== null) this.#parts.onStateSetAside?.(first.setAside);
      const { baseUrl, restUrl, apiKey, endpoints, pods, templates } = first;
      return ok({ worker, address: { baseUrl, restUrl, apiKey, endpoints, pods, templates }, ended, onApplied });
    }
    await worker.terminate();
    const detail = first?.type === 'failed' ? first.message : sandboxText.noAnswer;
    return failed({ kind: 'defect', message: sandboxText.didNotStart(detail), detail });
  }

  #receive(message: FromSandboxThread, onApplied: Running['onApplied']): void {
    const { onActivity, onPrinted, onStateTrouble } = this.#parts;
    if (message.type === 'applied') onApplied.shift()?.();
    if (message.type === 'requests' || message.type === 'workers') onActivity?.(message);
    if (message.type === 'printed' || message.type === 'jobs-printed') onPrinted?.(message);
    if (message.type === 'stateTrouble') onStateTrouble?.(message.sentence);
  }

  async #stop(): Promise<void> {
    const current = this.#running;
    if (current === null) return;
    this.#running = null;
    // Reported first, because from now on another program may use its port.
    this.#setState(stopped);
    const message: ToSandboxThread = { type: 'close' };
    current.worker.postMessage(message);
    const ended = current.ended.then(() => 'ended');
    const isLate = (await within(ended, this.#limits.stopMs)) === null;
    if (isLate) await current.worker.terminate();
  }
}

type StartMessage = Extract<FromSandboxThread, { type: 'ready' | 'failed' }>;

/** The result of the start, which the host sends once. */
function startMessage(worker: Worker): Promise<StartMessage> {
  return new Promise((resolve) => {
    worker.on('message', (message: FromSandboxThread) => {
      if (message.type === 'ready' || message.type === 'failed') resolve(message);
    });
  });
}

/** An error event comes before the exit that it causes. */
function endOf(worker: Worker): Promise<unknown> {
  let reason: unknown;
  worker.on('error', (error) => {
    reason = error;
  });
  return new Promise((resolve) => void worker.once('exit', () => resolve(reason)));
}
