import type { Batch } from '../../src-preload/batch.ts';
import type { Health, HealthTrend } from '../../src-preload/health.ts';
import type { BodyText, JobCounts, JobFilter, JobPage, RunTimes } from '../../src-preload/history.ts';
import type { Attempt, Job, Policy, RequestRecord, StreamChunk } from '../../src-preload/job.ts';

/** What was submitted, kept so that it can be sent again. `inputText` is the text as typed. Secrets stand as references. */
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
  /** The whole job after the change, inserted or replaced by key. `isStarred`, `isSeen` and `tags` are only read at birth: they belong to the user's calls below. */
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

/** A batch before its rows. */
export type BatchRecord = Pick<Batch, 'id' | 'name' | 'connectionId' | 'endpointId' | 'operation' | 'createdAtMs'>;

/** A row of a batch with what was sent and what came. `outputText` and `errorText` are as kept: JSON or plain text. */
export interface BatchRow {
  job: Job;
  inputText: string;
  outputText: string | null;
  errorText: string | null;
}

export interface StoredJob {
  job: Job;
  attempts: Attempt[];
  submission: StoredSubmission;
}

/**
 * The saved past, the one writer of the database. Every promise resolves after the change is durable
 * (WAL, synchronous=FULL) and rejects with an Error whose message a person can read when the disk refuses.
 */
export interface History {
  /** Answers the jobs as they now stand, with the user's fields. */
  commit(changes: JobCommit[]): Promise<Job[]>;
  /** Adds chunks behind those stored, in the order given, and counts them on the job and its attempt. Answers them with their seq (from 0). */
  appendChunks(key: string, attempt: number, chunks: NewChunk[], receivedAtMs: number): Promise<StreamChunk[]>;
  /** A chunk that was never received and stands here because the job's output tells of it has `isRebuilt`. */
  chunks(key: string, attempt: number, fromSeq: number, limit: number): Promise<(StreamChunk & { isRebuilt?: true })[]>;
  /** Fills the holes of a completed attempt's stream from its kept output, and takes out what was told twice; see mend-chunks.ts. Null: nothing was changed. */
  mendStream(key: string, attempt: number): Promise<MendedStream | null>;
  /** Adds request records without touching the job otherwise (its requestCount rises). */
  recordRequests(key: string, requests: Omit<RequestRecord, 'id'>[]): Promise<void>;
  requests(key: string): Promise<RequestRecord[]>;

  get(key: string): Promise<StoredJob | null>;
  /** By the service's id on one endpoint of one connection. */
  findByJobId(connectionId: string, endpointId: string, jobId: string): Promise<Job | null>;
  /** Jobs in the phases waiting, submitting and active, oldest first: what tracking resumes with at start. */
  liveJobs(): Promise<Job[]>;
  list(filter: JobFilter, beforeKey: string | null, limit: number): Promise<JobPage>;
  counts(connectionId: string | null, startOfTodayMs: number): Promise<JobCounts>;
  /** Null attempt: the newest. `maxBytes` null: whole. Null when there is no such body. */
  body(key: string, part: 'input' | 'output' | 'error' | 'reply', attempt: number | null, maxBytes: number | null): Promise<BodyText | null>;
  /** Learned from the newest 500 completed jobs of each endpoint. */
  runTimes(connectionId: string): Promise<RunTimes[]>;

  /** Holds rows of a batch in the thread's memory until `insertBatch` keeps them: many small messages instead of one that stops the caller. */
  stageBatchRows(id: string, rows: JobCommit[]): Promise<void>;
  /** Keeps the batch with all rows staged for it, or nothing; what was staged is gone in either case. */
  insertBatch(batch: BatchRecord): Promise<void>;
  dropStagedBatch(id: string): Promise<void>;
  /** The newest ones, of one connection or of all, each with its rows counted. */
  batches(connectionId: string | null): Promise<Batch[]>;
  batchesById(ids: string[]): Promise<Batch[]>;
  pausedBatches(): Promise<string[]>;
  setBatchPaused(id: string, isPaused: boolean): Promise<Batch | null>;
  /** Rows behind the job `afterKey` (null: from the first), in order: up to `limit`, fewer where they are large; none at the end. */
  batchRows(id: string, afterKey: string | null, limit: number): Promise<BatchRow[]>;

  setStarred(key: string, isStarred: boolean): Promise<Job | null>;
  setTags(key: string, tags: string[]): Promise<Job | null>;
  /** Answers only the jobs that changed. */
  markSeen(keys: string[]): Promise<Job[]>;

  addHealth(health: Health): Promise<void>;
  latestHealth(connectionId: string): Promise<Health[]>;
  healthTrends(connectionId: string, sinceMs: number): Promise<HealthTrend[]>;

  /** Small JSON documents by kind and id: connections, s3 profiles, settings, composer drafts. */
  documents(kind: string): Promise<{ id: string; json: string }[]>;
  readDocument(kind: string, id: string): Promise<string | null>;
  putDocument(kind: string, id: string, json: string): Promise<void>;
  removeDocument(kind: string, id: string): Promise<void>;

  close(): Promise<void>;
}

/** Told once at opening, when the former file could not be used. */
export interface SetAside {
  /** Where the former database lies now, untouched. */
  path: string;
  reason: 'damaged' | 'newer' | 'not-a-database';
  detail: string;
  /** Connections, profiles, settings and drafts that could be taken over into the fresh database. */
  keptDocuments: number;
}
