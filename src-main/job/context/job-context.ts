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

/** What the job engine needs of the rest of the app. */
export interface JobSurroundings {
  history: History;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  log: Log;
  /** Where new jobs of a connection are sent: its base URL, normalised; `absent` or `no-key` where they cannot be. */
  baseUrlOf: (connectionId: string) => Promise<Result<string>>;
  /** Operations of a connection at the base URL a job is pinned to. */
  apiFor: (of: { connectionId: string; baseUrl: string }) => Promise<Result<QueueApi>> | Result<QueueApi>;
  /** The s3 values of a profile with their secret, for the wire only. */
  s3Config: (profileId: string) => Promise<Result<S3Config>>;
  /**
   * What goes out as webhook with the submission `jobKey`: an address of its own where `webhook` is our receiver's
   * (ruling 25). What is stored stays.
   */
  callbackFor: (webhook: string, jobKey: string) => string;
  /** Why a job is not asked about now; null when it is followed. Read at each use: it changes with the connections. */
  whyNotFollowed: (job: Pick<Job, 'connectionId' | 'baseUrl'>) => WhyNotFollowed | null;
  /** Shares of the service's limits that may be spent (ruling 21); read at each use. */
  rateShare: () => RateShare;
  /** What the jobs of an endpoint are called (job-title.ts); empty: by what their inputs say. Absent: all so. */
  titleRuleOf?: (connectionId: string, endpointId: string) => string;
  /** Whose limits a connection spends (ruling 42); read at each use. Absent: each its own. */
  accountOf?: (connectionId: string) => string;
  /** The disk refused something; it is tried again. The log has it in any case. */
  onStorageTrouble?: (message: string) => void;
}

/** What one part of the job engine tells the others. */
interface JobEvents {
  /** Something changed: the next requests have to be planned again. */
  'plan-outdated': null;
  /** Changes that are on disk, in their order. */
  committed: LedgerChange[];
  'connection-state': { connectionId: string; state: ConnectionState };
  /** An operation was refused that was taken until now: a read of another one tells whether it is the key. */
  refused: Lane;
  /** A health call of this endpoint leaves. */
  'health-asked': EndpointPollingState;
  'health-read': { endpoint: EndpointPollingState; record: HealthRecord };
}

/** What all parts of the job engine share. Made once, by `Jobs` (jobs.ts). */
export interface JobContext extends Omit<JobSurroundings, 'apiFor' | 'rateShare' | 'accountOf' | 'onStorageTrouble'> {
  events: Events<JobEvents>;
  ledger: Ledger;
  newKey: () => string;
  durableWrites: DurableWrites;
  pollingStates: JobPollingStates;
  endpointStates: EndpointPollingStates;
  governor: RateGovernor;
  reachability: Reachability;
  dispatch: Dispatch;
  /** Whether the user paused everything but what is asked for one job. */
  pausing: { isPaused: boolean };
  /** An error of the disk, or of our own: into the log, and said. */
  onTrouble: (error: unknown) => void;
  /** From now on trouble is no longer reported. */
  close: () => void;
}

/** Makes what all parts of the job engine share, from what the rest of the app gives it. */
export function createJobContext(surroundings: JobSurroundings): JobContext {
  const { history, clock, random, log, rateShare, accountOf, apiFor } = surroundings;
  const { now } = clock;
  let isClosed = false;

  const events = createEvents<JobEvents>({
    'plan-outdated': [],
    committed: [],
    'connection-state': [],
    refused: [],
    'health-asked': [],
    'health-read': [],
  });
  const onTrouble = (error: unknown): void => {
    if (isClosed) return;
    const message = errorText(error);
    log.error(message);
    surroundings.onStorageTrouble?.(message);
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
    ...surroundings,
    events,
    ledger,
    newKey: createJobKeys(now, random),
    durableWrites: createDurableWrites({ clock, random, onTrouble }),
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
