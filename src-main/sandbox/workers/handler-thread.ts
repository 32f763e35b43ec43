import { Worker } from 'node:worker_threads';
import type { FromThread, HandlerThreadData, ToThread } from './handler-protocol.ts';
import type { StreamChunk } from '../queue/stream-buffer.ts';

/** What happens on a thread. Events of a job end with one of onDone, onFailed, onStopped or onExit. */
export interface HandlerThreadEvents {
  onReady(): void;
  onChunk(chunk: StreamChunk): void;
  onProgress(outputJson: string): void;
  onDone(result: { outputJson: string | null; isStreamed: boolean }): void;
  onFailed(error: string): void;
  onStopped(): void;
  onExit(exit: { code: number; error: Error | null }): void;
}

/** A thread that runs one job at a time and is used again for the next. */
export interface HandlerThread {
  run(job: { jobId: string; submissionText: string }): void;
  /** Asks the running handler to stop; answered by onStopped when it yields. */
  stop(): void;
  terminate(): Promise<void>;
}

export type StartHandlerThread = (data: HandlerThreadData, events: HandlerThreadEvents) => HandlerThread;

/** What a handler printed; whole writes, not lines. */
export interface HandlerLog {
  endpointId: string;
  workerId: string;
  text: string;
}

/**
 * Starts handlers as worker threads of `workerUrl`. What handlers print never reaches this
 * process's own output (the command line prints one line there); it goes to `onLog`.
 */
export function createThreadStarter(workerUrl: URL, onLog: (log: HandlerLog) => void): StartHandlerThread {
  return (data, events) => {
    const worker = new Worker(workerUrl, { workerData: data, name: data.workerId, stdout: true, stderr: true });
    let runId = 0;
    let error: Error | null = null;
    const post = (message: ToThread): void => worker.postMessage(message, []);

    for (const output of [worker.stdout, worker.stderr]) {
      output.setEncoding('utf8');
      output.on('data', (text: string) => onLog({ endpointId: data.endpointId, workerId: data.workerId, text }));
    }
    worker.on('message', (message: FromThread) => {
      if (message.type === 'ready') return events.onReady();
      if (message.runId !== runId) return;
      switch (message.type) {
        case 'chunk':
          events.onChunk(message.chunk);
          return post({ type: 'chunk-taken', runId });
        case 'progress':
          return events.onProgress(message.outputJson);
        case 'done':
          return events.onDone(message);
        case 'failed':
          return events.onFailed(message.error);
        case 'stopped':
          return events.onStopped();
      }
    });
    worker.on('error', (thrown) => {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
    });
    worker.on('exit', (code) => events.onExit({ code, error }));

    return {
      run: (job) => {
        runId += 1;
        post({ type: 'run', runId, ...job });
      },
      stop: () => post({ type: 'stop', runId }),
      terminate: async () => {
        await worker.terminate();
      },
    };
  };
}
