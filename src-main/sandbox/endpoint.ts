import { WEEK_MS } from './specification.ts';
import type { HandlerSource } from './workers/handler-protocol.ts';

/** One endpoint: its handler and how its workers scale. Times in ms. */
export interface EndpointDefinition {
  id: string;
  handler: HandlerSource;
  /** Kept running after the endpoint's first request. */
  minWorkers: number;
  /** 0: nothing runs, jobs wait. */
  maxWorkers: number;
  /** The least time from starting a worker until it takes a job. */
  coldStartMs: number;
  /** How long a worker above the minimum stays idle before it ends. */
  idleTimeoutMs: number;
  /**
   * How often a job returns to the queue when its worker crashes, each time counted as retried, before it is FAILED, as
   * seen in the field ("job timed out after 1 retries"). Default 0: it is FAILED immediately.
   */
  crashRetries?: number;
}

/** How the workers of an endpoint scale unless the command line or a window says otherwise. */
export const DEFAULT_SCALING = { minWorkers: 1, maxWorkers: 3, coldStartMs: 150, idleTimeoutMs: 10_000 };

function builtIn(id: string): EndpointDefinition {
  return { id, handler: { builtIn: id }, ...DEFAULT_SCALING };
}

/** The endings that the file of a user's own handler can have. */
export const HANDLER_ENDINGS: readonly string[] = ['py', 'mjs', 'js', 'cjs', 'ts', 'mts', 'cts'];

/** The endpoints every sandbox has. */
export const BUILT_IN_ENDPOINTS: readonly EndpointDefinition[] = ['echo', 'text', 'image', 'mock'].map(builtIn);

/** How an endpoint's workers scale. Times in ms. */
export interface Scaling {
  /** Kept running after the endpoint's first request. */
  minWorkers: number;
  /** 0: nothing runs, jobs wait. */
  maxWorkers: number;
  /** The least time from starting a worker until it takes a job. */
  coldStartMs: number;
  /** How long a worker above the minimum stays idle before it ends. */
  idleTimeoutMs: number;
  /** Workers that the host holds back: they count as throttled and reduce how many can run. */
  throttledWorkers: number;
}

const MOST_WORKERS = 256;

/** The bounds of each field: whole numbers from 0. A worker is a thread, so the number is limited. */
export const SCALING_MAX: Readonly<Record<keyof Scaling, number>> = {
  minWorkers: MOST_WORKERS,
  maxWorkers: MOST_WORKERS,
  coldStartMs: WEEK_MS,
  idleTimeoutMs: WEEK_MS,
  throttledWorkers: MOST_WORKERS,
};

/** One sentence about the first field that is out of bounds, or null. */
export function scalingProblem(change: Partial<Scaling>): string | null {
  for (const [field, max] of Object.entries(SCALING_MAX)) {
    const value = Object.entries(change).find(([name]) => name === field)?.[1];
    if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) continue;
    return `${field} must be a whole number from 0 to ${max}, not ${value}.`;
  }
  return null;
}
