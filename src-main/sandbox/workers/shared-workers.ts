import { parentPort } from 'node:worker_threads';
import { reportCrashing, reportThrown } from './error-report.ts';
import type { FromShared, HandlerThreadData, ToShared, ToThread } from './handler-protocol.ts';
import type { Handler } from './handlers/job.ts';
import { loadHandler } from './handlers/load.ts';
import { JobRun } from './job-run.ts';

/** A thread for the built-in handlers of many workers, each of which runs one job at a time. */

const port = parentPort;
/** Null while the handler is loaded. */
const workers = new Map<string, SharedWorker | null>();

class SharedWorker {
  readonly #data: HandlerThreadData;
  readonly #handler: Handler;
  #current: JobRun | null = null;

  constructor(data: HandlerThreadData, handler: Handler) {
    this.#data = data;
    this.#handler = handler;
  }

  take(message: ToThread): void {
    if (message.type === 'run') return this.#run(message);
    if (message.runId === this.#current?.runId) this.#current.take(message);
  }

  /** Stops its job, if any, whose result is not needed. */
  close(): void {
    this.#current?.stop();
  }

  #run(message: Extract<ToThread, { type: 'run' }>): void {
    const run = new JobRun({
      handler: this.#handler,
      message,
      post: (about) => this.#post(about),
      report: async (thrown) => reportThrown(thrown, this.#data),
      crash: () => this.#crash(),
    });
    this.#current = run;
    void run.begin().then(() => {
      if (this.#current === run) this.#current = null;
    });
  }

  /** Ends this worker as `process.exit` would end its thread. */
  #crash(): void {
    const thrown = new Error('The handler called process.exit(1).');
    this.#post({ type: 'crashing', error: reportCrashing(1, thrown, this.#data, null) });
    this.#post({ type: 'exited', code: 1 });
    workers.delete(this.#data.workerId);
  }

  #post(message: FromShared['message']): void {
    post(this.#data.workerId, message);
  }
}

function post(workerId: string, message: FromShared['message']): void {
  port?.postMessage({ workerId, message } satisfies FromShared);
}

async function open(workerId: string, data: HandlerThreadData): Promise<void> {
  workers.set(workerId, null);
  const handler = await loadHandler(data.handler);
  if (!workers.has(workerId)) return;
  workers.set(workerId, new SharedWorker(data, handler));
  post(workerId, { type: 'ready' });
}

port?.on('message', ({ workerId, message }: ToShared) => {
  switch (message.type) {
    case 'open':
      return void open(workerId, message.data);
    case 'close':
      workers.get(workerId)?.close();
      workers.delete(workerId);
      return;
    default:
      return workers.get(workerId)?.take(message);
  }
});
