import type { SourceFile } from './source-watch.ts';

/**
 * One increment of a handler's output, as JSON text: handlers serialise in their own thread, so that the server's
 * thread only joins strings.
 */
export interface StreamChunk {
  outputJson: string;
  metricsJson: string | null;
}

/** Where a handler comes from: a built-in one, or a module or Python file (a `file:` URL) with a `handler`. */
export type HandlerSource = { builtIn: string } | { moduleUrl: string };

/** Whether a handler runs in a Python process. */
export function isPython(source: HandlerSource): boolean {
  return 'moduleUrl' in source && /\.py$/i.test(source.moduleUrl);
}

/** What a handler thread is for. */
export interface HandlerThreadData {
  handler: HandlerSource;
  endpointId: string;
  workerId: string;
  /** The endpoint's version (ruling 31). */
  version: number;
  /** The file whose change led to this version, or null. */
  changedFile: string | null;
}

/** What the thread of one worker is started with. */
export interface OwnThreadData extends HandlerThreadData {
  /** One 32-bit count: bytes that the thread printed and the server has not read yet. */
  printedBytes: SharedArrayBuffer;
}

/** What a handler thread is started with: its worker, or that it is shared by many. */
export type HandlerWorkerData = OwnThreadData | 'shared';

/** `runId` distinguishes a job's messages from those of the job before it on the same thread. */
export type ToThread =
  | { type: 'run'; runId: number; jobId: string; submissionText: string; timeScale: number }
  | { type: 'stop'; runId: number }
  | { type: 'chunk-acknowledged'; runId: number }
  | { type: 'progress-acknowledged'; runId: number };

/** `close`, the last one, is for a thread with a Python process, and answered with `closed` when that is gone. */
export type ToOwnThread = ToThread | { type: 'close' };

export type OutputStream = 'stdout' | 'stderr';

/** Messages about the thread, not about the run of one job. */
type AboutThread =
  | { type: 'ready' }
  | { type: 'source-file'; file: SourceFile }
  /** A whole write, not lines. `jobId` null: printed between jobs. */
  | { type: 'printed'; stream: OutputStream; text: string; jobId: string | null }
  /** For the author: how the handler failed, or what may be a mistake. */
  | { type: 'failure-lines'; lines: string[]; jobId: string | null }
  /** For the author: why the handler could not be loaded. */
  | { type: 'load-failed'; lines: string[] }
  /** The thread will end soon, with its job; `error` is what the job reports. */
  | { type: 'crashing'; error: string }
  /** The worker is to be replaced when its job is over. */
  | { type: 'refresh' }
  | { type: 'closed' };

/** Values are JSON text, serialised in the handler's thread. `outputJson` null: there is no output. */
export type AboutRun =
  | { type: 'chunk'; runId: number; chunk: StreamChunk }
  | { type: 'progress'; runId: number; outputJson: string }
  | { type: 'done'; runId: number; outputJson: string | null; isStreamed: boolean }
  | { type: 'failed'; runId: number; error: string; outputJson: string | null }
  | { type: 'stopped'; runId: number };

export type FromThread = AboutThread | AboutRun;

/** To a worker of a shared thread. `open` is the first and `close` the last. */
export interface ToShared {
  workerId: string;
  message: ToThread | { type: 'open'; data: HandlerThreadData } | { type: 'close' };
}

/** From a worker of a shared thread. `exited` is the last. */
export interface FromShared {
  workerId: string;
  message: FromThread | { type: 'exited'; code: number };
}

/** How many chunks a thread may send before the server has read them, so that a fast handler cannot flood it. */
export const CHUNKS_IN_FLIGHT_MAX = 64;

/** Beyond so much progress that the server has not read, only the latest counts. */
export const PROGRESS_IN_FLIGHT_MAX = 64;

/** But so often some is sent in any case, because a handler that does not yield never learns what was read. */
export const PROGRESS_EVERY_MS = 10;

/** A thread that has printed more than this waits until the server has read some of it. */
export const PRINTED_BYTES_MAX = 2 ** 15;
