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
import { createLogLines } from './printed.ts';
import type { LogLine } from './printed.ts';
import type { SourceFile } from './source-watch.ts';

/** How a thread ended: `report`, when it could still say, is the error its job is to have. */
export interface ThreadExit {
  code: number;
  error: Error | null;
  report?: string | null;
}

/** What happens on a thread. Events of a job end with one of onDone, onFailed, onStopped or onExit. */
export interface HandlerThreadEvents {
  onReady(): void;
  /** The handler's module, or one it imports, was loaded from this file (or looked for there). */
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
  /** Asks the running handler to stop; answered by onStopped when it yields. */
  stop(): void;
  terminate(): Promise<void>;
}

export type StartHandlerThread = (data: HandlerThreadData, events: HandlerThreadEvents) => HandlerThread;

/**
 * One line for the people who write handlers: printed by a handler, or about how one failed, or was
 * loaded again. `jobId` null: not about a job. A job's lines come before the event that ends it.
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
 * Starts handlers as worker threads. What handlers print never reaches this
 * process's own output (the command line prints one line there); it goes to `onLog`.
 */
export function createThreadStarter({
  workerUrl,
  onLog,
  timeScale = () => 1,
}: ThreadStarterOptions): StartHandlerThread {
  /** By endpoint. What was said last: ten workers that start together say it once. */
  const lastNotices = new Map<string, string>();

  return (data, events) => {
    const { endpointId, workerId, version, changedFile } = data;
    const printedBytes = new SharedArrayBuffer(4);
    const printedCount = new Int32Array(printedBytes);
    const workerData: HandlerWorkerData = { ...data, printedBytes };
    const worker = new Worker(workerUrl, { workerData, name: workerId, stdout: true, stderr: true });
    const lines = createLogLines((line) => onLog({ endpointId, workerId, ...line }));
    let runId = 0;
    let jobId: string | null = null;
    /** Told to stop, and the handler has not yielded yet. */
    let isStopping = false;
    let error: Error | null = null;
    let report: string | null = null;
    const post = (message: ToThread): void => worker.postMessage(message, []);

    function tell(about: string | null, told: readonly string[]): void {
      lines.flush();
      for (const line of told) onLog({ endpointId, workerId, jobId: about, stream: 'stderr', line });
    }

    function tellOnce(told: readonly string[]): void {
      const text = `${version} ${told.join('\n')}`;
      if (lastNotices.get(endpointId) === text) return;
      lastNotices.set(endpointId, text);
      tell(null, told);
    }

    function endRun(tell: () => void): void {
      lines.flush();
      jobId = null;
      isStopping = false;
      tell();
    }

    function onRunMessage(message: AboutRun): void {
      if (message.runId !== runId) return;
      switch (message.type) {
        case 'chunk':
          events.onChunk(message.chunk);
          return post({ type: 'chunk-taken', runId });
        case 'progress':
          return events.onProgress(message.outputJson);
        case 'done':
          return endRun(() => events.onDone(message));
        case 'failed':
          return endRun(() => events.onFailed(message.error));
        case 'stopped':
          return endRun(() => events.onStopped());
      }
    }

    worker.on('message', (message: FromThread) => {
      switch (message.type) {
        case 'ready':
          if (changedFile !== null)
            tellOnce([`${basename(changedFile)} changed: new jobs run the code as it is now (version ${version}).`]);
          return events.onReady();
        case 'source-file':
          return events.onSourceFile(message.file);
        case 'printed':
          lines.add(message);
          Atomics.sub(printedCount, 0, message.text.length);
          return void Atomics.notify(printedCount, 0);
        case 'failure-lines':
          return tell(message.jobId, message.lines);
        case 'load-failed':
          return tellOnce(message.lines);
        case 'crashing':
          report = message.error;
          return;
        default:
          return onRunMessage(message);
      }
    });
    /** What a handler prints comes as messages; this is what found a way around them. */
    function takeEscaped(stream: OutputStream): void {
      worker[stream].setEncoding('utf8').on('data', (text: string) => lines.add({ stream, text, jobId }));
      worker[stream].on('end', () => lines.flush());
    }
    takeEscaped('stdout');
    takeEscaped('stderr');
    worker.on('error', (thrown) => {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
      // What ends a thread says so from inside, but not when it has no room left to.
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        tell(jobId, [`${error.message}. The worker is gone, another one takes its place.`]);
    });
    worker.on('exit', (code) => endRun(() => events.onExit({ code, error, report })));

    return {
      run: (job) => {
        runId += 1;
        ({ jobId } = job);
        post({ type: 'run', runId, timeScale: timeScale(), ...job });
      },
      stop: () => {
        isStopping = true;
        post({ type: 'stop', runId });
      },
      terminate: async () => {
        if (isStopping)
          tell(jobId, [
            'The handler went on after it was told to stop, and its worker was ended: heed job.signal to keep it.',
          ]);
        await worker.terminate();
      },
    };
  };
}
