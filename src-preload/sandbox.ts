import type { z } from 'zod';
import type { sandboxFault } from './sandbox-schema.ts';

/** The state and settings of the built-in sandbox. */
export interface SandboxState {
  isRunning: boolean;
  baseUrl: string | null;
  restUrl: string | null;
  endpoints: string[];
  /** Ids of its pods, without workers. The service has no operation that lists them. */
  pods: string[];
  /** Ids of its templates. */
  templates: string[];
  /** Why it did not start, or ended on its own. */
  problem: string | null;
  /** How many times faster than real time the sandbox's time runs. */
  timeScale: number;
  /** In the order they are tried. */
  faults: SandboxFault[];
  /** The endpoints with a handler of the user's own. */
  handlers: SandboxHandler[];
}

/** An endpoint of the sandbox, and the file of its handler. */
export interface SandboxHandler {
  endpointId: string;
  /** Absolute. */
  path: string;
}

/**
 * Makes requests fail on purpose. Null: every operation, every endpoint, no end, at any time, no delay, the kind's own
 * status.
 */
export type SandboxFault = z.infer<typeof sandboxFault>;

/** One request that the sandbox answered, from any client. */
export interface SandboxRequest {
  /** Grows over the whole session, even if the sandbox is started again. */
  seq: number;
  /** When it was answered, real time. */
  atMs: number;
  /** Real milliseconds until it was answered. */
  durationMs: number;
  method: string;
  operation: string;
  endpointId: string | null;
  /** The id of the job it was about. */
  jobId: string | null;
  /** 0: dropped without an answer. */
  status: number;
  requestBytes: number;
  replyBytes: number;
  /** The fault that affected it. */
  fault: string | null;
}

/** The current workers of one endpoint. */
export interface SandboxWorkers {
  endpointId: string;
  running: number;
  idle: number;
  starting: number;
  inQueue: number;
}

/** Some of the requests that the sandbox answered. */
export interface SandboxRequests {
  /** Oldest first. */
  requests: SandboxRequest[];
  /** How many further requests are not in `requests`: they came too fast, or are too old. */
  missed: number;
}

/** What a window gets first when it begins to watch. */
export interface SandboxSight extends SandboxRequests {
  workers: SandboxWorkers[];
}
