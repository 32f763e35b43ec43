import type { Job } from '../../../src-preload/job.ts';
import { backoffMs } from '../../service/rate-governor.ts';
import { openGate, type HealthGate } from '../schedule/health-gate.ts';
import type { PlannedEndpoint } from '../schedule/plan.ts';

/** What is known of reading one attempt's stream; lost at a restart, and then learned again from what is stored. */
export interface StreamPollingState {
  attempt: number;
  /** When the last read left, answered or not. */
  askedAtMs: number | null;
  readAtMs: number | null;
  /** When it was last read without a failure. */
  goodAtMs: number | null;
  emptyReads: number;
  failures: number;
  /** A read of it failed once: what that held is not known. */
  hasFailed: boolean;
  notBeforeMs: number;
  /** Until when the service asked to wait: no deadline is a reason not to (ruling 10). */
  askedToWaitUntilMs: number;
  /** Empty replies since the job was known to be over, which said that it is not. */
  emptyUnended: number;
  /**
   * How the last reply began that exceeded the limits and brought nothing new: the next may be the same (ruling 43).
   */
  beyondBeginning: string | undefined;
}

/** What following one live job needs to know beyond the job. Never on disk. */
export interface JobPollingState {
  notBeforeMs: number;
  /** Failures in a row of status requests or submissions. */
  failures: number;
  isBusy: boolean;
  isStatusReadWanted: boolean;
  /** A webhook reported that it ended (ruling 25). */
  hasWebhookHint: boolean;
  cancelAtMs: number | null;
  cancelFailures: number;
  isCancelBusy: boolean;
  stream: StreamPollingState;
  /** Reads of its stream in progress: more than one only where the rest is about to leave the service. */
  streamReads: number;
  /** Purged from here while it was queued: a 404 means that (ruling 11). */
  wasPurgedHere: boolean;
  /** When the purge was answered: a job seen in the queue by a read that left later is one it did not take. */
  purgeAnsweredAtMs: number | null;
}

export interface JobPollingStates {
  of(job: Job): JobPollingState;
  /** Null when the job is not followed. */
  find(key: string): JobPollingState | null;
  forget(key: string): void;
  /** Waits before the next status request or submission, longer each time (ruling 10). */
  backOff(polling: JobPollingState, retryAfterMs: number | undefined): void;
  /** Everything may be tried at once. */
  tryNow(): void;
}

/** The polling states of jobs, by key. `now` gives epoch milliseconds, `random` 0 up to 1. */
export function createJobPollingStates(now: () => number, random: () => number): JobPollingStates {
  const pollingStates = new Map<string, JobPollingState>();

  return {
    of(job) {
      let polling = pollingStates.get(job.key);
      if (polling === undefined) {
        polling = {
          notBeforeMs: 0,
          failures: 0,
          isBusy: false,
          isStatusReadWanted: false,
          hasWebhookHint: false,
          // A cancel that was asked for before a restart is still wanted.
          cancelAtMs: job.isCancelling ? 0 : null,
          cancelFailures: 0,
          isCancelBusy: false,
          stream: newStreamPollingState(job.attempt),
          streamReads: 0,
          wasPurgedHere: false,
          purgeAnsweredAtMs: null,
        };
        pollingStates.set(job.key, polling);
      }
      if (polling.stream.attempt !== job.attempt) polling.stream = newStreamPollingState(job.attempt);
      return polling;
    },
    find: (key) => pollingStates.get(key) ?? null,
    forget: (key) => void pollingStates.delete(key),
    backOff(polling, retryAfterMs) {
      polling.notBeforeMs = now() + Math.max(retryAfterMs ?? 0, backoffMs(polling.failures, random));
      polling.failures += 1;
    },
    tryNow() {
      for (const polling of pollingStates.values()) {
        polling.notBeforeMs = 0;
        polling.stream.notBeforeMs = 0;
        polling.stream.askedToWaitUntilMs = 0;
        polling.stream.readAtMs = null;
        polling.isStatusReadWanted = true;
        if (polling.cancelAtMs !== null) polling.cancelAtMs = 0;
      }
    },
  };
}

/** Nothing is known yet of how this attempt's stream is read. */
function newStreamPollingState(attempt: number): StreamPollingState {
  return {
    attempt,
    askedAtMs: null,
    readAtMs: null,
    goodAtMs: null,
    emptyReads: 0,
    failures: 0,
    hasFailed: false,
    notBeforeMs: 0,
    askedToWaitUntilMs: 0,
    emptyUnended: 0,
    beyondBeginning: undefined,
  };
}

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

/** The endpoint of a job at its own base URL as one text, to key maps by. In memory only. */
export function endpointKeyOf(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): string {
  return `${job.connectionId}\n${job.baseUrl}\n${job.endpointId}`;
}

/** The polling states of endpoints, each made when first asked for. */
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
