import type { Job } from '../../../src-preload/job.ts';
import { backoffMs } from '../../../src-preload/backoff.ts';
import { nothingCounted, type CountedEnds } from '../schedule/counted-ends.ts';
import type { PlannedEndpoint } from '../schedule/plan.ts';

/** What is known of reading one attempt's stream. It is lost at a restart and then derived from what is saved. */
export interface StreamPollingState {
  attempt: number;
  /** When the last read left, answered or not. */
  requestedAtMs: number | null;
  readAtMs: number | null;
  /** When it was last read without a failure. */
  succeededAtMs: number | null;
  emptyReads: number;
  failures: number;
  /** A read of it has failed, and what that contained is not known. */
  hasFailed: boolean;
  notBeforeMs: number;
  /** Until when the service asked us to wait, which no deadline overrides (ruling 10). */
  retryAfterUntilMs: number;
  /** The job's status in the last reply. Null if it had none. */
  lastReplyStatus: string | null;
  /** How many empty replies since the end of the job was known said that it is not over. */
  emptyUnended: number;
  /**
   * The beginning of the last reply that exceeded the limits and had nothing new. The next may be the same (ruling 43).
   */
  beyondBeginning: string | undefined;
}

/** What tracking a live job needs in addition to the job. Never on disk. */
export interface JobPollingState {
  notBeforeMs: number;
  /** Failures in a row of status requests or submissions. */
  failures: number;
  isBusy: boolean;
  /** Its end was read and waits to be saved. */
  isEndUnsaved: boolean;
  isStatusReadWanted: boolean;
  /** A webhook reported that it ended (ruling 25). */
  hasWebhookHint: boolean;
  cancelAtMs: number | null;
  /** Errors of the service in answer to a cancel. After enough of them it is given up. */
  cancelFailures: number;
  /** The step of a cancel's back-off: its failed tries, answered or not. */
  cancelStep: number;
  isCancelBusy: boolean;
  stream: StreamPollingState;
  /** Reads of its stream in progress. More than one only if the rest will soon expire on the service. */
  streamReads: number;
  /** Purged from here while it was queued, so a 404 means that (ruling 11). */
  wasPurgedHere: boolean;
  /** When the purge was answered. If a read that left later shows the job in the queue, the purge did not remove it. */
  purgeAnsweredAtMs: number | null;
  /** The job at the end of the run that was retried, and until when a record of that run may be outdated. */
  formerRun: { job: Job; untilMs: number } | null;
}

export interface JobPollingStates {
  of(job: Job): JobPollingState;
  /** Null if the job is not tracked. */
  find(key: string): JobPollingState | null;
  forget(key: string): void;
  /** Waits before the next status request or submission, longer each time (ruling 10). */
  backOff(polling: JobPollingState, retryAfterMs: number | undefined): void;
  /** Every status is read as soon as its wait allows that. */
  readAgain(): void;
  /** Everything may be tried immediately. */
  tryNow(): void;
}

/** The polling states of jobs, by key. `now` returns epoch milliseconds, `random` 0 up to 1. */
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
          isEndUnsaved: false,
          isStatusReadWanted: false,
          hasWebhookHint: false,
          // The user still wants a cancel that was requested before a restart.
          cancelAtMs: job.isCancelling ? 0 : null,
          cancelFailures: 0,
          cancelStep: 0,
          isCancelBusy: false,
          stream: newStreamPollingState(job.attempt),
          streamReads: 0,
          wasPurgedHere: false,
          purgeAnsweredAtMs: null,
          formerRun: null,
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
    readAgain() {
      for (const polling of pollingStates.values()) polling.isStatusReadWanted = true;
    },
    tryNow() {
      for (const polling of pollingStates.values()) {
        polling.notBeforeMs = 0;
        polling.stream.notBeforeMs = 0;
        polling.stream.retryAfterUntilMs = 0;
        polling.stream.readAtMs = null;
        polling.isStatusReadWanted = true;
        if (polling.cancelAtMs !== null) polling.cancelAtMs = 0;
      }
    },
  };
}

/** The state for an attempt whose stream was never read. */
function newStreamPollingState(attempt: number): StreamPollingState {
  return {
    attempt,
    requestedAtMs: null,
    readAtMs: null,
    succeededAtMs: null,
    emptyReads: 0,
    failures: 0,
    hasFailed: false,
    notBeforeMs: 0,
    retryAfterUntilMs: 0,
    lastReplyStatus: null,
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
  countedEnds: CountedEnds;
  isHealthBusy: boolean;
  /** When its health last answered with a record, which proves that the endpoint exists. */
  knownAtMs: number | null;
  /** When the status of one of its jobs was last answered, in whatever way. */
  answeredAtMs: number | null;
  /** When its health last got no answer. */
  healthLostAtMs: number | null;
  /** See `PlannedEndpoint`. */
  errorsMs: readonly number[];
}

export interface EndpointPollingStates {
  of(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): EndpointPollingState;
  find(id: string): EndpointPollingState | null;
  all(): Iterable<EndpointPollingState>;
  /** Everything may be tried immediately. */
  tryNow(): void;
  /** For the schedule. */
  planned(): ReadonlyMap<string, PlannedEndpoint>;
}

/** The endpoint of a job at its own base URL, as a map key. In memory only. */
export function addressKeyOf(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): string {
  return `${job.connectionId}\n${job.baseUrl}\n${job.endpointId}`;
}

/** The polling states of endpoints, each created when first needed. */
export function createEndpointPollingStates(): EndpointPollingStates {
  const endpointStates = new Map<string, EndpointPollingState>();
  /**
   * Every plan needs this for every live job. A committed job never changes, and making the id is the expensive part.
   */
  const known = new WeakMap<object, EndpointPollingState>();
  return {
    of(job) {
      const found = known.get(job);
      if (found !== undefined) return found;
      const id = addressKeyOf(job);
      let endpoint = endpointStates.get(id);
      if (endpoint === undefined) {
        endpoint = {
          id,
          connectionId: job.connectionId,
          baseUrl: job.baseUrl,
          endpointId: job.endpointId,
          countedEnds: nothingCounted,
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
    tryNow() {
      for (const endpoint of endpointStates.values())
        endpoint.countedEnds = { ...endpoint.countedEnds, notBeforeMs: 0 };
    },
    planned: () => endpointStates,
  };
}
