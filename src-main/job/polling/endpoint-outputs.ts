import { endpointKey } from '../../../src-preload/endpoint-key.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { LedgerChange } from '../store/ledger.ts';

/**
 * The handlers of many endpoints return nothing. After this many reads without an output, an endpoint counts as silent,
 * until one of its jobs has an output.
 */
const maxWithoutOutput = 6;
/**
 * How many jobs of an endpoint are read again at the same time. `late`: one of its jobs had an output later. `giving`:
 * others have one at their end, so that one without is an exception. `silent`: one job, so that an output that comes
 * later than those reads is noticed.
 */
const maxAtOnce = { late: 200, giving: 20, unknown: 6, silent: 1 } as const;

interface OfEndpoint {
  readsWithoutOutput: number;
  /** One of its jobs had an output at its end. */
  isGiving: boolean;
  /** One of its jobs had an output later. */
  isLate: boolean;
}

/** Whether the jobs of an endpoint have outputs, and when. It decides how many of them are read again. */
export interface EndpointOutputs {
  /** How many jobs of this one's endpoint may be read again at the same time. */
  maxAtOnce(job: Job): number;
  /** A job has an output. Returns whether it is the first of its endpoint that came after the end. */
  noteOutput(change: LedgerChange): boolean;
  /** A job of an earlier run has an output. */
  noteEarlier(job: Job): void;
  /** A read of this job found no output. */
  noteWithout(job: Job): void;
}

/** Nothing is known of any endpoint yet. */
export function createEndpointOutputs(): EndpointOutputs {
  const endpoints = new Map<string, OfEndpoint>();

  function outputsOf({ connectionId, endpointId }: Job): OfEndpoint {
    const key = endpointKey({ connectionId, endpointId });
    const known = endpoints.get(key) ?? { readsWithoutOutput: 0, isGiving: false, isLate: false };
    endpoints.set(key, known);
    return known;
  }

  return {
    maxAtOnce(job) {
      const { readsWithoutOutput, isGiving, isLate } = outputsOf(job);
      if (isLate) return maxAtOnce.late;
      if (readsWithoutOutput >= maxWithoutOutput) return maxAtOnce.silent;
      return isGiving ? maxAtOnce.giving : maxAtOnce.unknown;
    },
    noteOutput({ before, after }) {
      const endpoint = outputsOf(after);
      endpoint.readsWithoutOutput = 0;
      if (before?.phase !== 'finished') endpoint.isGiving = true;
      if (endpoint.isLate || before?.phase !== 'finished' || before.outputBytes > 0) return false;
      endpoint.isLate = true;
      return true;
    },
    noteEarlier(job) {
      outputsOf(job).isGiving = true;
    },
    noteWithout(job) {
      outputsOf(job).readsWithoutOutput += 1;
    },
  };
}
