import type { z } from 'zod';
import type { sandboxFault } from './sandbox-schema.ts';

/** What the built-in sandbox is doing, and how it is set. */
export interface SandboxState {
  isRunning: boolean;
  baseUrl: string | null;
  restUrl: string | null;
  endpoints: string[];
  /** Ids of its pods, without workers; no interface of the service lists them. */
  pods: string[];
  /** Ids of its templates. */
  templates: string[];
  /** Why it did not start, or ended by itself. */
  problem: string | null;
  /** How many times faster than real time the service's time runs. */
  timeScale: number;
  /** In the order they are tried. */
  faults: SandboxFault[];
}

/**
 * Makes requests fail on purpose. Null: every operation, every endpoint, no end, at any time, no delay, the kind's own
 * status.
 */
export type SandboxFault = z.infer<typeof sandboxFault>;

/** One request the sandbox answered, from any client. */
export interface SandboxRequest {
  /** Grows over the whole session, also when the sandbox is started again. */
  seq: number;
  /** When it was answered, real time. */
  atMs: number;
  /** Real milliseconds until it was answered. */
  durationMs: number;
  method: string;
  operation: string;
  endpointId: string | null;
  /** The service's id of the job it was about. */
  jobId: string | null;
  /** 0: dropped without an answer. */
  status: number;
  requestBytes: number;
  replyBytes: number;
  /** The fault that hit it. */
  fault: string | null;
}

/** Workers of one endpoint, as the sandbox has them now. */
export interface SandboxWorkers {
  endpointId: string;
  running: number;
  idle: number;
  starting: number;
  inQueue: number;
}

/** A part of what the sandbox answered. */
export interface SandboxRequests {
  /** Oldest first. */
  requests: SandboxRequest[];
  /** How many more there were that are not in `requests`: they came too fast to be shown, or lie too far back. */
  missed: number;
}

/** What a window gets at once when it begins to watch. */
export interface SandboxSight extends SandboxRequests {
  workers: SandboxWorkers[];
}
