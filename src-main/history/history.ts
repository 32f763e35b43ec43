import type { AlertRecord } from '../../src-preload/alert.ts';
import type { Preparation } from '../../src-preload/app.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { CostRate, CostSum, EndpointCost, ViewCost } from '../../src-preload/cost.ts';
import type { Health, HealthTrend, JobTimings } from '../../src-preload/health.ts';
import type { BodyText, JobCounts, JobFilter, JobPage, RunTimes } from '../../src-preload/history.ts';
import type { Attempt, Job, Policy, RequestRecord, StreamChunk } from '../../src-preload/job.ts';
import type { StreamPage } from '../../src-preload/stream-digest.ts';
import type { PackedSeries } from './health/points.ts';

/**
 * What was submitted, kept so that it can be sent again. `inputText` is the text as typed. Secrets stand as references.
 */
export interface StoredSubmission {
  inputText: string;
  policy: Policy;
  webhook: string | null;
  waitMs: number | null;
  s3ProfileId: string | null;
}

/** A body received for one attempt: the output or error as JSON or plain text, or the last raw reply that was odd. */
export interface BodyToKeep {
  part: 'output' | 'error' | 'reply';
  attempt: number;
  text: string;
}

/** One change of one job. All changes of one `commit` become durable together or not at all. */
export interface JobCommit {
  /**
   * The whole job after the change, inserted or replaced by key. `isStarred`, `isSeen` and `tags` are only read at
   * birth: they belong to the user's calls below.
   */
  job: Job;
  /** Only at birth. */
  submission?: StoredSubmission;
  /** Inserted or replaced by number. */
  attempt?: Attempt;
  bodies?: BodyToKeep[];
  requests?: Omit<RequestRecord, 'id'>[];
}

/** A chunk before it has its place. */
export interface NewChunk {
  outputJson: string;
  metricsJson: string | null;
}

/** What mending a stream by the job's output came to. */
export interface MendedStream {
  /** Chunks there are now. */
  chunkCount: number;
  /** Of these, how many were never received. */
  rebuiltCount: number;
  /** How many were taken out, because a reply had told them again. */
  repeatedCount: number;
}

/** One completed run, to learn run times from. */
export interface RunSample {
  executionMs: number;
  /** Numbers of its input by path; see jobs/input-numbers.ts. */
  numbers: Record<string, number>;
}

/** A batch before its rows. */
export type BatchRecord = Pick<Batch, 'id' | 'name' | 'connectionId' | 'endpointId' | 'operation' | 'createdAtMs'>;

/** A row of a batch with what was sent and what came. `outputText` and `errorText` are as kept: JSON or plain text. */
export interface BatchRow {
  job: Job;
  inputText: string;
  outputText: string | null;
  errorText: string | null;
}

/** Costs of one endpoint: one sum for each time asked for, of the jobs that ended since and those that run. */
export interface CostsSince {
  sums: CostSum[];
  /** Of the newest completed jobs that have a price. */
  jobP50: number | null;
  jobCount: number;
}

/** Those of some jobs that a purge took: how many, and the first of them by key. */
export interface PurgedJobs {
  count: number;
  first: Pick<Job, 'key' | 'title'>[];
}

/**
 * Jobs whose text could not be indexed for search: how many, and the first of them. They are listed and readable, and
 * found by title, id and tag.
 */
export interface LeftOutOfSearch {
  count: number;
  first: Pick<Job, 'key' | 'title'>[];
}

export interface StoredJob {
  job: Job;
  attempts: Attempt[];
  submission: StoredSubmission;
}

/**
 * The saved past, the one writer of the database. Every promise resolves after the change is durable
 * (WAL, synchronous=FULL) and rejects with a HistoryError whose message a person can read when the disk refuses.
 */
export interface History {
  /** Answers the jobs as they now stand, with the user's fields. */
  commit(changes: JobCommit[]): Promise<Job[]>;
  /**
   * Adds chunks behind those stored, in the order given, and counts them on the job and its attempt. Answers them with
   * their seq (from 0).
   */
  appendChunks(key: string, attempt: number, chunks: NewChunk[], receivedAtMs: number): Promise<StreamChunk[]>;
  /** A chunk that was never received and stands here because the job's output tells of it has `isRebuilt`. */
  chunks(key: string, attempt: number, fromSeq: number, limit: number): Promise<StreamChunk[]>;
  /** The stored stream from that place on, as far as one page goes. Null when there is no such job. */
  streamPage(key: string, attempt: number, fromSeq: number): Promise<StreamPage | null>;
  /**
   * Puts the attempt's chunks in this order, by their seq; those not named are gone, those named twice are there twice.
   * Answers how many there are.
   */
  orderChunks(key: string, attempt: number, seqs: number[]): Promise<number>;
  /**
   * Fills the holes of a completed attempt's stream from its kept output, and takes out what was told twice; see
   * stream/mend-chunks.ts. Null: nothing was changed.
   */
  mendStream(key: string, attempt: number): Promise<MendedStream | null>;
  /** Adds request records without touching the job otherwise (its requestCount rises). */
  recordRequests(key: string, requests: Omit<RequestRecord, 'id'>[]): Promise<void>;
  requests(key: string): Promise<RequestRecord[]>;

  get(key: string): Promise<StoredJob | null>;
  /** Jobs with this id on one endpoint of the service at `baseUrl`, by whatever connection; newest first. */
  findByJobId(baseUrl: string, endpointId: string, jobId: string): Promise<Job[]>;
  /** Whether any job here, of whatever endpoint, has this id at its service. */
  knowsJobId(jobId: string): Promise<boolean>;
  /** Jobs in the phases waiting, submitting and active, oldest first: what tracking resumes with at start. */
  liveJobs(): Promise<Job[]>;
  /** Jobs whose retry waits to be sent, in the order they were asked for. */
  jobsToRetry(): Promise<Job[]>;
  list(filter: JobFilter, beforeKey: string | null, limit: number): Promise<JobPage>;
  counts(connectionId: string | null, startOfTodayMs: number): Promise<JobCounts>;
  /** Null attempt: the newest. `maxBytes` null: whole. Null when there is no such body. */
  body(
    key: string,
    part: 'input' | 'output' | 'error' | 'reply',
    attempt: number | null,
    maxBytes: number | null,
  ): Promise<BodyText | null>;
  /** Learned from the newest 500 completed jobs of each endpoint. */
  runTimes(connectionId: string): Promise<RunTimes[]>;
  /** How long the newest completed jobs of an endpoint ran, with the numbers of their inputs; newest first. */
  runSamples(connectionId: string, endpointId: string): Promise<RunSample[]>;
  /** The numbers of these jobs' inputs, in their order; empty where the input has none, is not known or is large. */
  inputNumbers(keys: string[]): Promise<Record<string, number>[]>;

  /**
   * Holds rows of a batch in the thread's memory until `insertBatch` keeps them: many small messages instead of one
   * that stops the caller.
   */
  stageBatchRows(id: string, rows: JobCommit[]): Promise<void>;
  /**
   * Keeps the batch with all rows staged for it, or nothing; what was staged is gone in either case. `rowCount`: how
   * many were staged.
   */
  insertBatch(batch: BatchRecord, rowCount: number): Promise<void>;
  dropStagedBatch(id: string): Promise<void>;
  /** The newest ones, of one connection or of all, each with its rows counted. */
  batches(connectionId: string | null): Promise<Batch[]>;
  batchesById(ids: string[]): Promise<Batch[]>;
  pausedBatches(): Promise<string[]>;
  setBatchPaused(id: string, isPaused: boolean): Promise<Batch | null>;
  /**
   * Rows behind the job `afterKey` (null: from the first), in order: up to `limit`, fewer where they are large; none at
   * the end.
   */
  batchRows(id: string, afterKey: string | null, limit: number): Promise<BatchRow[]>;

  setStarred(key: string, isStarred: boolean): Promise<Job | null>;
  setTags(key: string, tags: string[]): Promise<Job | null>;
  /** Answers only the jobs that changed. */
  markSeen(keys: string[]): Promise<Job[]>;

  /**
   * What the jobs that pass the filter cost by the endpoints' rates; of the newest `mostJobs` where more must be looked
   * at one by one.
   */
  costOfFilter(
    filter: JobFilter,
    costs: Pick<EndpointCost, 'connectionId' | 'endpointId' | 'rates'>[],
    mostJobs: number,
  ): Promise<ViewCost>;
  costsSince(connectionId: string, endpointId: string, rates: CostRate[], sincesMs: number[]): Promise<CostsSince>;
  /** Jobs of an endpoint that were seen to end since then, the last of them first. */
  recentEnds(connectionId: string, endpointId: string, sinceMs: number, limit: number): Promise<Job[]>;
  /** Which of these jobs are gone by a purge; at most `mostNamed` by name. */
  purgedAmong(keys: string[], mostNamed: number): Promise<PurgedJobs>;

  addHealth(health: Health): Promise<void>;
  latestHealth(connectionId: string): Promise<Health[]>;
  healthTrends(connectionId: string, sinceMs: number): Promise<HealthTrend[]>;
  /**
   * Kept points of an endpoint (null: of each of the connection's that has any) since then, oldest first. Packed: see
   * health/points.ts.
   */
  healthSeries(connectionId: string, endpointId: string | null, sinceMs: number): Promise<PackedSeries[]>;
  /** Of completed jobs that ended since, of each endpoint the last 20,000; by endpoint. */
  jobTimings(connectionId: string, endpointId: string | null, sinceMs: number): Promise<JobTimings[]>;

  /** Keeps an alert, inserted or replaced by id; for a year, the newest 10,000. */
  putAlert(alert: AlertRecord): Promise<void>;
  /** Of an endpoint (null: of all of the connection's), newest first, from behind `beforeId` on. */
  alerts(
    connectionId: string,
    endpointId: string | null,
    beforeId: string | null,
    limit: number,
  ): Promise<AlertRecord[]>;
  alertsAtStart(): Promise<AlertsAtStart>;

  /** Small JSON documents by kind and id: connections, s3 profiles, settings, composer drafts. */
  documents(kind: string): Promise<{ id: string; json: string }[]>;
  readDocument(kind: string, id: string): Promise<string | null>;
  putDocument(kind: string, id: string, json: string): Promise<void>;
  removeDocument(kind: string, id: string): Promise<void>;

  close(): Promise<void>;
}

/** What is to be known of former alerts when the app starts. */
export interface AlertsAtStart {
  /** Not over, or not told yet; oldest first. */
  unsettled: AlertRecord[];
  lastFired: { ruleId: string; endpointId: string; firedAtMs: number }[];
  /** When a notification of an alert was shown last. */
  lastToldAtMs: number | null;
}

/** Told at opening, before what can take seconds. */
export interface Preparing extends Preparation {
  /** Settings and places of windows, as far as they can be read. */
  documents: { kind: string; id: string; json: string }[];
}

/** What befalls the history beside its calls. */
export type HistoryEvent =
  /** Another job's text could not be indexed, or one could again; at opening where there are any. */
  | { kind: 'left-out'; leftOut: LeftOutOfSearch }
  /** Its thread ended by itself. Calls under way were refused; later ones wait for the next one, if there is any. */
  | { kind: 'thread-ended'; detail: string; isStartedAgain: boolean }
  /** The thread that took its place found a file that cannot be used. */
  | { kind: 'set-aside'; setAside: SetAside };

/** Told once at opening, when the former file could not be used. */
export interface SetAside {
  /** Where the former database lies now, untouched. */
  path: string;
  reason: 'damaged' | 'newer' | 'not-a-database';
  detail: string;
  /** Connections, profiles, settings and drafts that could be taken over into the fresh database. */
  keptDocuments: number;
}
