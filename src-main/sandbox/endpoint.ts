import { WEEK_MS } from './specification.ts';
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

/** How an endpoint's workers scale. Times in ms. */
export interface Scaling {
  /** Kept running once the endpoint has had its first request. */
  minWorkers: number;
  /** 0: nothing runs, jobs wait. */
  maxWorkers: number;
  /** The least time from starting a worker until it takes a job. */
  coldStartMs: number;
  /** How long a worker above the minimum stays without work. */
  idleTimeoutMs: number;
  /** Workers the host holds back: they count as throttled and lower what can run. */
  throttledWorkers: number;
}

const MOST_WORKERS = 256;

/** The bounds of each field: whole numbers from 0. A worker is a thread, so their number must stay within reason. */
export const SCALING_MAX: Readonly<Record<keyof Scaling, number>> = {
  minWorkers: MOST_WORKERS,
  maxWorkers: MOST_WORKERS,
  coldStartMs: WEEK_MS,
  idleTimeoutMs: WEEK_MS,
  throttledWorkers: MOST_WORKERS,
};

/** One sentence about the first field that is out of bounds; null when the change can be made. */
export function scalingProblem(change: Partial<Scaling>): string | null {
  for (const [field, max] of Object.entries(SCALING_MAX)) {
    const value = Object.entries(change).find(([name]) => name === field)?.[1];
    if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) continue;
    return `${field} must be a whole number from 0 to ${max}, not ${value}.`;
  }
  return null;
}
