import type { StreamChunk } from '../queue/stream-buffer.ts';

/** Where a handler comes from: one of the built-in ones, or a module exporting `handler`. */
export type HandlerSource = { builtIn: string } | { moduleUrl: string };

/** What a handler thread is started with. */
export interface HandlerThreadData {
  handler: HandlerSource;
  endpointId: string;
  workerId: string;
}

/** `runId` tells a job's messages from those of the job before it on the same thread. */
export type ToThread =
  | { type: 'run'; runId: number; jobId: string; submissionText: string }
  | { type: 'stop'; runId: number }
  | { type: 'chunk-taken'; runId: number };

/** Values arrive as JSON text, serialised in the handler's thread. `outputJson` null: nothing returned. */
export type FromThread =
  | { type: 'ready' }
  | { type: 'chunk'; runId: number; chunk: StreamChunk }
  | { type: 'progress'; runId: number; outputJson: string }
  | { type: 'done'; runId: number; outputJson: string | null; isStreamed: boolean }
  | { type: 'failed'; runId: number; error: string }
  | { type: 'stopped'; runId: number };

/** Chunks a thread may send before the server has taken them, so that a fast handler cannot flood it. */
export const CHUNKS_IN_FLIGHT_MAX = 64;
