import type { Job } from '../../../src-preload/job.ts';
import { openGate } from '../schedule/health-gate.ts';
import type { HealthGate } from '../schedule/health-gate.ts';
import type { PlannedEndpoint } from '../schedule/plan.ts';

/** An endpoint at the address its jobs were sent to. */
export interface EndpointPollingState {
  id: string;
  connectionId: string;
  baseUrl: string;
  endpointId: string;
  gate: HealthGate;
  isHealthBusy: boolean;
  /** When its health last answered with a record, so that the endpoint is known to exist. */
  knownAtMs: number | null;
  /** When the status of one of its jobs was last answered, whatever was said. */
  answeredAtMs: number | null;
  /** When its health last got no answer at all. */
  healthLostAtMs: number | null;
  /** See PlannedGroup. */
  errorsMs: readonly number[];
}

export interface EndpointPollingStates {
  of(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): EndpointPollingState;
  find(id: string): EndpointPollingState | null;
  all(): Iterable<EndpointPollingState>;
  /** For the schedule. */
  planned(): ReadonlyMap<string, PlannedEndpoint>;
}

export function endpointKeyOf(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): string {
  return `${job.connectionId}\n${job.baseUrl}\n${job.endpointId}`;
}

export function createEndpointPollingStates(): EndpointPollingStates {
  const endpointStates = new Map<string, EndpointPollingState>();
  /** Asked of every live job at every plan: a job as committed never changes, and making its id is the dear part. */
  const known = new WeakMap<object, EndpointPollingState>();
  return {
    of(job) {
      const found = known.get(job);
      if (found !== undefined) return found;
      const id = endpointKeyOf(job);
      let endpoint = endpointStates.get(id);
      if (endpoint === undefined) {
        endpoint = {
          id,
          connectionId: job.connectionId,
          baseUrl: job.baseUrl,
          endpointId: job.endpointId,
          gate: openGate,
          knownAtMs: null,
          answeredAtMs: null,
          healthLostAtMs: null,
          isHealthBusy: false,
          errorsMs: [],
        };
        endpointStates.set(id, endpoint);
      }
      known.set(job, endpoint);
      return endpoint;
    },
    find: (id) => endpointStates.get(id) ?? null,
    all: () => endpointStates.values(),
    planned: () => endpointStates,
  };
}
