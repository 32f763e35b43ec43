import type { ConnectionState } from '../../../src-preload/connection.ts';
import type { Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { createEvents, type Events } from '../../async/events.ts';
import { errorText } from '../../async/error-text.ts';
import type { Log } from '../../log.ts';
import type { History } from '../../history/history.ts';
import { RateGovernor, type Lane, type RateShare } from '../../service/rate-governor.ts';
import type { HealthRecord, QueueApi } from '../../service/reply.ts';
import type { S3Config } from '../../service/submission-body.ts';
import type { Clock } from '../../time/clock.ts';
import { createDurableWrites, type DurableWrites } from '../store/durable-writes.ts';
import { createJobKeys } from '../reducer/new-job.ts';
import { Ledger, type LedgerChange } from '../store/ledger.ts';
import type { WhyNotFollowed } from '../store/orphans.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import {
  createEndpointPollingStates,
  type EndpointPollingState,
  type EndpointPollingStates,
  createJobPollingStates,
  type JobPollingStates,
} from './polling-state.ts';
import { Reachability } from './reachability.ts';

/** What the job engine needs from the rest of the app. */
export interface JobContextParts {
  history: History;
  clock: Clock;
  /** Whether that clock may be wrong by years (docs/decisions/088). Read at each use. */
  isClockDoubted: () => boolean;
  /** From 0 up to 1. */
  random: () => number;
  log: Log;
  /** Where new jobs of a connection are sent: its base URL, normalised. `absent` or `no-key` if they cannot be sent. */
  baseUrlOf: (connectionId: string) => Promise<Result<string>>;
  /** Operations of a connection at the base URL a job is pinned to. */
  apiFor: (target: { connectionId: string; baseUrl: string }) => Promise<Result<QueueApi>> | Result<QueueApi>;
  /** The s3 values of a profile with their secret, for the wire only. */
  s3Config: (profileId: string) => Promise<Result<S3Config>>;
  /**
   * The webhook address that is sent with the submission `jobKey`: one of its own if `webhook` is our receiver's
   * (ruling 25). What is saved does not change.
   */
  callbackFor: (webhook: string, jobKey: string) => string;
  /** Why a job is not tracked now, or null. Read at each use, because it changes with the connections. */
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /** The shares of the service's limits that may be used (ruling 21). Read at each use. */
  rateShare: () => RateShare;
  /**
   * The title rule of an endpoint (job-title.ts). Empty: titles are made from the inputs. Absent: for all endpoints.
   */
  titleRuleOf?: (connectionId: string, endpointId: string) => string;
  /** The account whose limits a connection uses (ruling 42). Read at each use. Absent: each connection has its own. */
  accountOf?: (connectionId: string) => string;
  /** The disk refused a write, which is repeated. It is logged in any case. */
  onStorageTrouble?: (message: string) => void;
  /** The disk accepted everything that it had refused. */
  onStorageRecovered?: () => void;
}

/** Events between the parts of the job engine. */
interface JobEvents {
  /** Something changed, so the next requests must be planned again. */
  'plan-outdated': null;
  /** Changes that are on disk, in order. */
  committed: LedgerChange[];
  'connection-state': { connectionId: string; state: ConnectionState };
  /** A submission or retry that left at `requestedAtMs` was accepted. */
  accepted: { job: Job; requestedAtMs: number };
  /** An operation was refused that was accepted before. A read of another one shows whether it is the key. */
  refused: Lane;
  /** A health request of this endpoint leaves. */
  'health-requested': EndpointPollingState;
  'health-read': { endpoint: EndpointPollingState; record: HealthRecord };
}

/** What all parts of the job engine share. Created once, by `Jobs` (jobs.ts). */
export interface JobContext extends Omit<
  JobContextParts,
  'apiFor' | 'rateShare' | 'accountOf' | 'onStorageTrouble' | 'onStorageRecovered'
> {
  events: Events<JobEvents>;
  ledger: Ledger;
  newKey: () => string;
  durableWrites: DurableWrites;
  pollingStates: JobPollingStates;
  endpointStates: EndpointPollingStates;
  governor: RateGovernor;
  reachability: Reachability;
  dispatch: Dispatch;
  /** Whether the user paused everything except requests for a single job. */
  pausing: { isPaused: boolean };
  /** An error of the disk or of our own code. It is logged and reported. */
  onTrouble: (error: unknown) => void;
  /** From now on errors are no longer reported. */
  close: () => void;
}

/** Creates what all parts of the job engine share. */
export function createJobContext(parts: JobContextParts): JobContext {
  const { history, clock, random, log, rateShare, accountOf, apiFor } = parts;
  const { now } = clock;
  let isClosed = false;

  const events = createEvents<JobEvents>({
    'plan-outdated': [],
    committed: [],
    'connection-state': [],
    accepted: [],
    refused: [],
    'health-requested': [],
    'health-read': [],
  });
  const onTrouble = (error: unknown): void => {
    if (isClosed) return;
    const message = errorText(error);
    log.error(message);
    parts.onStorageTrouble?.(message);
  };
  const governor = new RateGovernor({ share: rateShare, random, ...(accountOf === undefined ? {} : { accountOf }) });
  const reachability = new Reachability({
    now,
    random,
    onChange: (connectionId, state) => events.emit('connection-state', { connectionId, state }),
    onClosures: () => events.emit('plan-outdated', null),
    onRefused: (lane) => events.emit('refused', lane),
  });
  const ledger = new Ledger({
    history,
    now,
    log,
    onCommitted(changes) {
      if (!isClosed) events.emit('committed', changes);
    },
  });
  return {
    ...parts,
    events,
    ledger,
    newKey: createJobKeys(now, random),
    durableWrites: createDurableWrites({
      clock,
      random,
      onTrouble,
      onRecovered: () => parts.onStorageRecovered?.(),
    }),
    pollingStates: createJobPollingStates(now, random),
    endpointStates: createEndpointPollingStates(),
    governor,
    reachability,
    dispatch: createDispatch({
      governor,
      reachability,
      apiFor,
      now,
      onRequest: (jobKey, request) => ledger.noteRequest(jobKey, request),
    }),
    pausing: { isPaused: false },
    onTrouble,
    close() {
      isClosed = true;
    },
  };
}
