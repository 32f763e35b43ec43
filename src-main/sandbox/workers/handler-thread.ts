import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  AboutRun,
  FromThread,
  HandlerThreadData,
  HandlerWorkerData,
  OutputStream,
  StreamChunk,
  ToThread,
} from './handler-protocol.ts';
import { createLogLines, type LogLine, type LogLines } from './printed.ts';
import type { SourceFile } from './source-watch.ts';

/** How a thread ended. `report`, if it could still report, is the error for its job. */
export interface ThreadExit {
  code: number;
  error: Error | null;
  report?: string | null;
}

/** The events of a thread. Those of a job end with one of onDone, onFailed, onStopped or onExit. */
export interface HandlerThreadEvents {
  onReady(): void;
  /** The handler's module, or one it imports, was loaded from this file (or searched for there). */
  onSourceFile(file: SourceFile): void;
  onChunk(chunk: StreamChunk): void;
  onProgress(outputJson: string): void;
  onDone(result: { outputJson: string | null; isStreamed: boolean }): void;
  onFailed(error: string): void;
  onStopped(): void;
  onExit(exit: ThreadExit): void;
}

/** A thread that runs one job at a time and is used again for the next. */
export interface HandlerThread {
  run(job: { jobId: string; submissionText: string }): void;
  /** Asks the running handler to stop. Answered by onStopped when it yields. */
  stop(): void;
  terminate(): Promise<void>;
}

export type StartHandlerThread = (data: HandlerThreadData, events: HandlerThreadEvents) => HandlerThread;

/**
 * One line for authors of handlers: printed by a handler, or about a failure or a reload. `jobId` null: not about a
 * job. A job's lines come before the event that ends it.
 */
export interface HandlerLog extends LogLine {
  endpointId: string;
  workerId: string;
}

export interface ThreadStarterOptions {
  /** The threads' entry, handler-worker.ts. */
  workerUrl: URL;
  onLog(log: HandlerLog): void;
  /** How many times faster than real the service's time runs; the built-in handlers' pauses follow it. */
  timeScale?: () => number;
}

/**
 * Starts handlers as worker threads. What handlers print never reaches this process's own output (the command line
 * prints one line there); it goes to `onLog`.
 */
export function createThreadStarter(options: ThreadStarterOptions): StartHandlerThread {
  const lastNotices = new Map<string, string>();
  return (data, events) => new RunningThread(data, events, options, lastNotices);
}

class RunningThread implements HandlerThread {
  readonly #data: HandlerThreadData;
  readonly #events: HandlerThreadEvents;
  readonly #options: ThreadStarterOptions;
  /** By endpoint, the notice that was logged last: if ten workers start together, it is logged once. */
  readonly #lastNotices: Map<string, string>;
  readonly #printedCount: Int32Array<SharedArrayBuffer>;
  readonly #worker: Worker;
  readonly #lines: LogLines;
  #runId = 0;
  #jobId: string | null = null;
  /** It was asked to stop, and the handler has not yielded yet. */
  #isStopping = false;
  #error: Error | null = null;
  #report: string | null = null;

  constructor(
    data: HandlerThreadData,
    events: HandlerThreadEvents,
    options: ThreadStarterOptions,
    lastNotices: Map<string, string>,
  ) {
    const { endpointId, workerId } = data;
    const printedBytes = new SharedArrayBuffer(4);
    const workerData: HandlerWorkerData = { ...data, printedBytes };
    this.#data = data;
    this.#events = events;
    this.#options = options;
    this.#lastNotices = lastNotices;
    this.#printedCount = new Int32Array(printedBytes);
    this.#lines = createLogLines((line) => options.onLog({ endpointId, workerId, ...line }));
    this.#worker = new Worker(options.workerUrl, { workerData, name: workerId, stdout: true, stderr: true });
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    this.#worker.on('error', (thrown) => this.#takeError(thrown));
    this.#worker.on('exit', (code) =>
      this.#endRun(() => events.onExit({ code, error: this.#error, report: this.#report })),
    );
    this.#takeEscaped('stdout');
    this.#takeEscaped('stderr');
  }

  run(job: { jobId: string; submissionText: string }): void {
    this.#runId += 1;
    this.#jobId = job.jobId;
    this.#post({ type: 'run', runId: this.#runId, timeScale: this.#options.timeScale?.() ?? 1, ...job });
  }

  stop(): void {
    this.#isStopping = true;
    this.#post({ type: 'stop', runId: this.#runId });
  }

  async terminate(): Promise<void> {
    if (this.#isStopping)
      this.#log(this.#jobId, [
        'The handler went on after it was told to stop, and its worker was ended: heed job.signal to keep it.',
      ]);
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message, []);
  }

  #take(message: FromThread): void {
    const { changedFile, version } = this.#data;
    switch (message.type) {
      case 'ready':
        if (changedFile !== null)
          this.#logOnce([`${basename(changedFile)} changed: new jobs run the code as it is now (version ${version}).`]);
        return this.#events.onReady();
      case 'source-file':
        return this.#events.onSourceFile(message.file);
      case 'printed':
        this.#lines.add(message);
        Atomics.sub(this.#printedCount, 0, message.text.length);
        return void Atomics.notify(this.#printedCount, 0);
      case 'failure-lines':
        return this.#log(message.jobId, message.lines);
      case 'load-failed':
        return this.#logOnce(message.lines);
      case 'crashing':
        this.#report = message.error;
        return;
      default:
        return this.#takeOfRun(message);
    }
  }

  #takeOfRun(message: AboutRun): void {
    if (message.runId !== this.#runId) return;
    switch (message.type) {
      case 'chunk':
        this.#events.onChunk(message.chunk);
        return this.#post({ type: 'chunk-taken', runId: this.#runId });
      case 'progress':
        return this.#events.onProgress(message.outputJson);
      case 'done':
        return this.#endRun(() => this.#events.onDone(message));
      case 'failed':
        return this.#endRun(() => this.#events.onFailed(message.error));
      case 'stopped':
        return this.#endRun(() => this.#events.onStopped());
    }
  }

  #takeError(thrown: unknown): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    this.#error = error;
    // A thread reports what ends it, but not if it is out of memory.
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      this.#log(this.#jobId, [`${error.message}. The worker is gone, another one takes its place.`]);
  }

  /** What a handler prints comes as messages. This is output that bypassed them. */
  #takeEscaped(stream: OutputStream): void {
    const printed = this.#worker[stream].setEncoding('utf8');
    printed.on('data', (text: string) => this.#lines.add({ stream, text, jobId: this.#jobId }));
    printed.on('end', () => this.#lines.flush());
  }

  #endRun(report: () => void): void {
    this.#lines.flush();
    this.#jobId = null;
    this.#isStopping = false;
    report();
  }

  #log(jobId: string | null, lines: readonly string[]): void {
    const { endpointId, workerId } = this.#data;
    this.#lines.flush();
    for (const line of lines) this.#options.onLog({ endpointId, workerId, jobId, stream: 'stderr', line });
  }

  #logOnce(lines: readonly string[]): void {
    const { endpointId, version } = this.#data;
    const text = `${version} ${lines.join('\n')}`;
    if (this.#lastNotices.get(endpointId) === text) return;
    this.#lastNotices.set(endpointId, text);
    this.#log(null, lines);
  }
}
