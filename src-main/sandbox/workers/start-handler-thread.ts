import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock, ClockTimer } from '../clock.ts';
import { isPython } from './handler-protocol.ts';
import type { AboutRun, FromThread, HandlerThreadData, StreamChunk } from './handler-protocol.ts';
import { createSharedThread, startOwnThread, type OpenThread, type ThreadLink } from './handler-link.ts';
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
  /** The worker is to be replaced when its job is over. */
  onRefresh(): void;
  /** The handler's module, or one it imports, was loaded from this file (or searched for there). */
  onSourceFile(file: SourceFile): void;
  onChunk(chunk: StreamChunk): void;
  onProgress(outputJson: string): void;
  onDone(result: { outputJson: string | null; isStreamed: boolean }): void;
  /** `outputJson`: a failed job may have an output too. */
  onFailed(error: string, outputJson?: string | null): void;
  onStopped(): void;
  onExit(exit: ThreadExit): void;
}

/** A thread that runs one job at a time and is used again for the next. */
export interface HandlerThread {
  run(job: { jobId: string; submissionText: string }): void;
  /** Asks the running handler to stop. Answered by onStopped when it yields. */
  stop(): void;
  /** `isOverdue`: it was asked to stop and has not yielded in time, which its author should know. */
  terminate(isOverdue: boolean): Promise<void>;
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
  /** The threads' entry, handler-thread.ts. */
  workerUrl: URL;
  onLog(log: HandlerLog): void;
  /** A line that has no end yet, as far as it goes. It comes again with more, or to `onLog`. */
  onBegunLine?(log: HandlerLog): void;
  /** Real time. */
  clock: Clock;
  /** How many times faster than real the service's time runs; the built-in handlers' pauses follow it. */
  timeScale?: () => number;
}

/**
 * Starts handlers in worker threads: the built-in ones that hardly compute together in one, every other in its own.
 * What handlers print never reaches this process's own output (the command line prints one line there); it goes to
 * `onLog`.
 */
export function createThreadStarter(options: ThreadStarterOptions): StartHandlerThread {
  const lastNotices = new Map<string, string>();
  const openShared = createSharedThread(options.workerUrl);
  const openOwn: OpenThread = (data, receiver) => startOwnThread(options.workerUrl, data, receiver);
  return (data, events) => new RunningThread(data, events, options, lastNotices, isShared(data) ? openShared : openOwn);
}

/** Images are computed, and would keep the jobs of other handlers waiting. */
const shared: ReadonlySet<string> = new Set(['echo', 'text', 'mock']);

function isShared({ handler }: HandlerThreadData): boolean {
  return 'builtIn' in handler && shared.has(handler.builtIn);
}

/** A model may take longer to load. Its author should know that its jobs wait for that. */
const SLOW_START_MS = 10_000;

class RunningThread implements HandlerThread {
  readonly #data: HandlerThreadData;
  readonly #events: HandlerThreadEvents;
  readonly #options: ThreadStarterOptions;
  /** By endpoint, the notice that was logged last: if ten workers start together, it is logged once. */
  readonly #lastNotices: Map<string, string>;
  readonly #link: ThreadLink;
  readonly #lines: LogLines;
  #runId = 0;
  #jobId: string | null = null;
  /** Until it has started, or said why not. */
  #slowStart: ClockTimer | null;
  #error: Error | null = null;
  #report: string | null = null;

  constructor(
    data: HandlerThreadData,
    events: HandlerThreadEvents,
    options: ThreadStarterOptions,
    lastNotices: Map<string, string>,
    open: OpenThread,
  ) {
    const { endpointId, workerId } = data;
    this.#data = data;
    this.#events = events;
    this.#options = options;
    this.#lastNotices = lastNotices;
    this.#slowStart = options.clock.setTimeout(() => this.#noteSlowStart(), SLOW_START_MS);
    this.#lines = createLogLines(
      (line) => options.onLog({ endpointId, workerId, ...line }),
      (line) => options.onBegunLine?.({ endpointId, workerId, ...line }),
    );
    this.#link = open(data, {
      onMessage: (message) => this.#take(message),
      onError: (error) => this.#takeError(error),
      onExit: (code) => {
        this.#settleStart();
        this.#endRun(() => events.onExit({ code, error: this.#error, report: this.#report }));
      },
      // It says nothing of the job that caused it.
      onEscaped: (stream, text) => this.#lines.add({ stream, text, jobId: null }),
      onEscapedEnd: () => this.#lines.flush(),
    });
  }

  run(job: { jobId: string; submissionText: string }): void {
    this.#runId += 1;
    this.#jobId = job.jobId;
    this.#link.post({ type: 'run', runId: this.#runId, timeScale: this.#options.timeScale?.() ?? 1, ...job });
  }

  stop(): void {
    this.#link.post({ type: 'stop', runId: this.#runId });
  }

  async terminate(isOverdue: boolean): Promise<void> {
    if (isOverdue) {
      const advice = isPython(this.#data.handler) ? 're-raise the exception that stops it' : 'respect job.signal';
      this.#log(this.#jobId, [
        `The handler continued after it was asked to stop, and its worker was ended. To keep the worker, ${advice}.`,
      ]);
    }
    this.#settleStart();
    await this.#link.terminate();
  }

  #take(message: FromThread): void {
    const { changedFile, version } = this.#data;
    switch (message.type) {
      case 'ready':
        this.#settleStart();
        if (changedFile !== null)
          this.#logOnce([`${basename(changedFile)} changed: new jobs run the code as it is now (version ${version}).`]);
        return this.#events.onReady();
      case 'source-file':
        return this.#events.onSourceFile(message.file);
      case 'printed':
        return this.#lines.add(message);
      case 'failure-lines':
        return this.#log(message.jobId, message.lines);
      case 'load-failed':
        this.#settleStart();
        return this.#logOnce(message.lines);
      case 'crashing':
        this.#report = message.error;
        return;
      case 'refresh':
        return this.#events.onRefresh();
      case 'closed':
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
        return this.#link.post({ type: 'chunk-acknowledged', runId: this.#runId });
      case 'progress':
        this.#events.onProgress(message.outputJson);
        return this.#link.post({ type: 'progress-acknowledged', runId: this.#runId });
      case 'done':
        return this.#endRun(() => this.#events.onDone(message));
      case 'failed':
        return this.#endRun(() => this.#events.onFailed(message.error, message.outputJson));
      case 'stopped':
        return this.#endRun(() => this.#events.onStopped());
    }
  }

  #settleStart(): void {
    if (this.#slowStart !== null) this.#options.clock.clearTimeout(this.#slowStart);
    this.#slowStart = null;
  }

  #noteSlowStart(): void {
    const { handler } = this.#data;
    const name = 'moduleUrl' in handler ? basename(fileURLToPath(handler.moduleUrl)) : handler.builtIn;
    const seconds = SLOW_START_MS / 1_000;
    this.#logOnce([
      `${name} is still being loaded after ${seconds} s, and jobs wait. Is it waiting for something, or looping?`,
    ]);
  }

  #takeError(error: Error): void {
    this.#error = error;
    if (this.#slowStart !== null)
      this.#logOnce([`Its worker cannot start, and jobs wait until it can. ${error.name}: ${error.message}`]);
    // A thread reports what ends it, but not if it is out of memory.
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      this.#log(this.#jobId, [`${error.message}. The worker was ended; a new one replaces it.`]);
  }

  #endRun(report: () => void): void {
    this.#lines.flush();
    this.#jobId = null;
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
