import type { TrackerState } from '../../src-preload/app.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { ConnectionState } from '../../src-preload/connection.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Job, SubmissionDraft } from '../../src-preload/job.ts';
import type { UnknownJob } from '../../src-preload/webhook.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { RateShare } from '../service/rate-governor.ts';
import type { QueueApi } from '../service/reply.ts';
import type { S3Config } from '../service/submission-body.ts';
import type { JobsElsewhere } from './submission/follow-external.ts';
import type { Batches } from './submission/batches.ts';
import type { Clock } from '../time/clock.ts';
import type { WhyNotFollowed } from './store/orphans.ts';
import type { QueuePurge } from './commands/queue-purge.ts';
import type { WebhookCall } from './webhook-calls/webhook-matches.ts';
import type { StreamListener } from './stream/subscriptions.ts';

/** Jobs from the intent to the saved result. Every answer and every event is about what is already on disk. */
export interface Jobs {
  /**
   * Reads the live jobs a former run left, for `liveJobs` to tell; nothing is done about any before `start`. Once: the
   * later calls read nothing.
   */
  takeUp(): Promise<void>;
  /**
   * Goes on with what a former run left: results nearest to leaving the service first. Call once, before anything else
   * but `takeUp`, which it does where that was not done.
   * `forgottenBy`: connections whose service started with an empty memory since.
   */
  start(forgottenBy?: readonly string[]): Promise<void>;
  /** Journals the intent and sends it once; answers when the intent is on disk (ruling 9). */
  submit(draft: SubmissionDraft): Promise<Result<Job>>;
  /** Many inputs at once. */
  batches: Pick<Batches, 'submit' | 'list' | 'setPaused' | 'withdraw' | 'submitFailed'>;
  cancel(key: string): Promise<Result<Job>>;
  /**
   * Retries a job (spec: Queue operations, retry). Answers when the service did, or that the retry waits to be sent
   * (`retryAskedAtMs`); `cancel` takes such a one back.
   */
  retry(key: string): Promise<Result<Job>>;
  /** Sends the saved submission again as a new job, on the connection as it is now. */
  resubmit(key: string): Promise<Result<Job>>;
  /** Takes up jobs that were submitted elsewhere, by their ids; answers them as they are known here. */
  followExternal(jobs: JobsElsewhere): Promise<Result<Job[]>>;
  /** The saved submission, for the composer. */
  draftOf(key: string): Promise<Result<SubmissionDraft>>;
  extendTtl(key: string, ttlMs: number): Promise<Result<Job>>;
  /** The user's marks on a job, live or not. Null: there is no such job. These reject when the disk refuses. */
  setStarred(key: string, isStarred: boolean): Promise<Job | null>;
  setTags(key: string, tags: string[]): Promise<Job | null>;
  /** Answers only the jobs that changed. */
  markSeen(keys: readonly string[]): Promise<Job[]>;
  /** Looks at the job now, whatever it waits for. Refused while paused. */
  checkNow(key: string): Promise<Result<null>>;
  /** Gives up the rest of a stream that could not be read since its job ended (ruling 36). */
  stopWaiting(key: string): Promise<Result<Job>>;
  /** Tells what becomes of an attempt's stream from now on. Answers the function that ends it. */
  subscribe(key: string, attempt: number, listener: StreamListener): () => void;
  /** Stops everything but what a user asks for one job; submissions wait in the outbox. */
  pause(): TrackerState;
  resume(): TrackerState;
  /** Looks at once at everything that waits for a next try. */
  tryNow(): TrackerState;
  trackerState(): TrackerState;
  /**
   * Jobs in the phases waiting, submitting and active as they stand on disk, oldest first. From memory: tens of
   * thousands cost milliseconds.
   */
  liveJobs(): Job[];
  /** The jobs on view: they are near-live. Replaces the former ones. */
  setWatched(keys: readonly string[]): void;
  setWindowVisible(isVisible: boolean): void;
  setOnBattery(isOnBattery: boolean): void;
  /** The key, the address or the form of authorization changed, or a test passed: its jobs are followed again. */
  connectionChanged(connectionId: string): void;
  /**
   * The connection is gone, and `whyNotFollowed` says so by now: its jobs stay, in a state of their own, and are
   * followed no more.
   */
  connectionRemoved(connectionId: string): void;
  /** The connection is there, perhaps again: its jobs that were left behind are followed from now on. */
  connectionPresent(connectionId: string): Promise<void>;
  /** What is known of a connection from talking to it. */
  connectionState(connectionId: string): ConnectionState;
  /** Reads an endpoint's health now, within the cap of one a second (ruling 20). Also tells `onHealth`. */
  readHealth(connectionId: string, endpointId: string): Promise<Result<Health>>;
  /** This app purged the endpoint's queue: its queued jobs that now answer 404 were purged, not lost (ruling 11). */
  notePurged(connectionId: string, endpointId: string, acceptedUntilMs?: number): void;
  /** Purging an endpoint's queue. */
  purge: QueuePurge;
  /**
   * A webhook call named this job: it is looked at now, or noted on the submission whose own path was called; nothing
   * else of it is believed (ruling 25).
   */
  hint(call: WebhookCall): void;
  /** Follows the job that a submission of unknown outcome probably became. */
  confirmSubmission(key: string): Promise<Result<Job>>;
  /** The service behind this connection started with an empty memory (the built-in sandbox): its live jobs are gone. */
  noteForgotten(connectionId: string): Promise<void>;
  /** Stops. What is under way is aborted and found in the journal at the next start. */
  close(): Promise<void>;
}

export interface JobsParts {
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
  /** Whose limits a connection spends (ruling 42); read at each use. Absent: each its own. */
  accountOf?: (connectionId: string) => string;
  /** Jobs as they now stand on disk. Rows of a new batch are first told when something becomes of them. */
  onJobsChanged: (jobs: Job[]) => void;
  /** Batches as they now stand; at most twice a second. */
  onBatchesChanged: (batches: Batch[]) => void;
  /** Once, when the last row of a batch has ended. */
  onBatchEnded: (batch: Batch) => void;
  /** Jobs that webhooks told of and nobody here knows, newest first. */
  onUnknownJobs: (unknownJobs: UnknownJob[]) => void;
  /** Once for each attempt, when nothing more will come and all of it is on disk. */
  onJobEnded: (job: Job) => void;
  onTrackerState: (state: TrackerState) => void;
  /** What talking to a connection showed. */
  reportConnectionState: (connectionId: string, state: ConnectionState) => void;
  onHealth: (health: Health) => void;
  /** The disk refused something; it is tried again. The log has it in any case. */
  onStorageTrouble?: (message: string) => void;
}
