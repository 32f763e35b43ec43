import { Worker } from 'node:worker_threads';
import { isPython } from './handler-protocol.ts';
import type {
  FromShared,
  FromThread,
  HandlerThreadData,
  HandlerWorkerData,
  OutputStream,
  ToOwnThread,
  ToShared,
  ToThread,
} from './handler-protocol.ts';
import { createReadPace } from './read-pace.ts';

/** The way to the handler of one worker. */
export interface ThreadLink {
  post(message: ToThread): void;
  /** Ends it. Resolves when it is gone. */
  terminate(): Promise<void>;
}

/** What comes from the handler of one worker. */
export interface ThreadReceiver {
  onMessage(message: FromThread): void;
  /** It is about to exit because of this. */
  onError(error: Error): void;
  onExit(code: number): void;
  /** What a handler prints comes as messages. This is output that bypassed them. */
  onEscaped(stream: OutputStream, text: string): void;
  onEscapedEnd(): void;
}

export type OpenThread = (data: HandlerThreadData, receiver: ThreadReceiver) => ThreadLink;

/** Real time. */
const CLOSE_WITHIN_MS = 2_000;

/** Starts a thread for the handler of one worker. `url`: the threads' entry. */
export function startOwnThread(url: URL, data: HandlerThreadData, receiver: ThreadReceiver): ThreadLink {
  const printedBytes = new SharedArrayBuffer(4);
  const printedCount = new Int32Array(printedBytes);
  const pace = createReadPace({
    acknowledge: (length) => {
      Atomics.sub(printedCount, 0, length);
      Atomics.notify(printedCount, 0);
    },
    nowMs: () => performance.now(),
    // Not within this turn of the event loop: the thread would send more, and the turn would never end.
    later: (afterMs, run) => void (afterMs === 0 ? setImmediate(run) : setTimeout(run, afterMs)),
  });
  const workerData: HandlerWorkerData = { ...data, printedBytes };
  const thread = new Worker(url, { workerData, name: data.workerId, stdout: true, stderr: true });
  thread.on('message', (message: FromThread) => {
    if (message.type === 'printed') pace.read(message.text.length, () => receiver.onMessage(message));
    else receiver.onMessage(message);
  });
  thread.on('error', (thrown) => receiver.onError(asError(thrown)));
  thread.on('exit', (code) => receiver.onExit(code));
  for (const stream of ['stdout', 'stderr'] as const) {
    const printed = thread[stream].setEncoding('utf8');
    printed.on('data', (text: string) => receiver.onEscaped(stream, text));
    printed.on('end', () => receiver.onEscapedEnd());
  }
  return {
    post: (message) => thread.postMessage(message, []),
    terminate: async () => {
      if (isPython(data.handler)) await closed(thread);
      await thread.terminate();
    },
  };
}

/** Until its Python process is gone: what a thread leaves behind when it is ended stays until this process ends. */
async function closed(thread: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tooLate = setTimeout(resolve, CLOSE_WITHIN_MS);
  thread.on('message', ({ type }: FromThread) => (type === 'closed' ? resolve() : undefined));
  thread.once('exit', () => resolve());
  thread.postMessage({ type: 'close' } satisfies ToOwnThread, []);
  await promise;
  clearTimeout(tooLate);
}

/**
 * One thread for the handlers of many workers, which must yield often and print nothing. It starts with the first of
 * them and ends with the last. `url`: the threads' entry.
 */
export function createSharedThread(url: URL): OpenThread {
  const receivers = new Map<string, ThreadReceiver>();
  let thread: Worker | null = null;

  function start(): Worker {
    const workerData: HandlerWorkerData = 'shared';
    const started = new Worker(url, { workerData, name: 'built-in handlers', stdout: true });
    // On stderr, like Node's own warnings: the output of this process belongs to the program that started the sandbox.
    started.stdout.on('data', (printed: Buffer) => void process.stderr.write(printed));
    started.on('message', ({ workerId, message }: FromShared) => {
      const receiver = receivers.get(workerId);
      if (message.type !== 'exited') return receiver?.onMessage(message);
      receivers.delete(workerId);
      // Before its exit is reported, so that the worker in its place is not in a thread that ends.
      if (receivers.size === 0 && thread === started) void end(started);
      receiver?.onExit(message.code);
    });
    started.on('error', (thrown) => {
      for (const receiver of receivers.values()) receiver.onError(asError(thrown));
    });
    started.on('exit', (code) => {
      // It was ended when it had no more workers. Those that exist now are in another thread.
      if (thread !== started) return;
      thread = null;
      const left = [...receivers.values()];
      receivers.clear();
      for (const receiver of left) receiver.onExit(code);
    });
    return started;
  }

  async function end(ended: Worker): Promise<void> {
    if (thread === ended) thread = null;
    await ended.terminate();
  }

  return (data, receiver) => {
    const { workerId } = data;
    const used = (thread ??= start());
    const post = (message: ToShared['message']): void => used.postMessage({ workerId, message } satisfies ToShared, []);
    receivers.set(workerId, receiver);
    post({ type: 'open', data });
    return {
      post,
      terminate: async () => {
        if (!receivers.delete(workerId)) return;
        post({ type: 'close' });
        if (receivers.size > 0) return receiver.onExit(1);
        await end(used);
        receiver.onExit(1);
      },
    };
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
