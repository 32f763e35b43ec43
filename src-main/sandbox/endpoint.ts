import type { HandlerSource } from './workers/handler-protocol.ts';

/** One endpoint: its handler and how its workers scale. Times in ms. */
export interface EndpointDefinition {
  id: string;
  handler: HandlerSource;
  /** Kept running once the endpoint has had its first request. */
  minWorkers: number;
  /** 0: nothing runs, jobs wait. */
  maxWorkers: number;
  /** The least time from starting a worker until it takes a job. */
  coldStartMs: number;
  /** How long a worker above the minimum stays without work. */
  idleTimeoutMs: number;
  /**
   * How often a job goes back into the queue when its worker ends under it, each time counted as retried, before it is
   * FAILED; as the field does ("job timed out after 1 retries"). Left out: 0, it is FAILED at once.
   */
  crashRetries?: number;
}

function builtIn(id: string): EndpointDefinition {
  return { id, handler: { builtIn: id }, minWorkers: 1, maxWorkers: 3, coldStartMs: 150, idleTimeoutMs: 10_000 };
}

/** The endpoints every sandbox has. */
export const BUILT_IN_ENDPOINTS: readonly EndpointDefinition[] = ['echo', 'text', 'image', 'mock'].map(builtIn);
