import type { AlertRecord } from '../../src-preload/alert.ts';
import type { Batch } from '../../src-preload/batch.ts';
import type { CostSum } from '../../src-preload/cost.ts';
import type { AlikeFailures, Attempt, Job, Lineage, Policy, RequestRecord } from '../../src-preload/job.ts';
import type { AppNotification } from '../../src-preload/notification.ts';

/** A submission, saved so that it can be sent again. `inputText` is the text as entered. Secrets are references. */
export interface StoredSubmission {
  inputText: string;
  policy: Policy;
  webhook: string | null;
  waitMs: number | null;
  s3ProfileId: string | null;
}

/** A body received for one attempt: the output or error as JSON or plain text, or the last raw reply that was odd. */
export interface BodyToSave {
  part: 'output' | 'error' | 'reply';
  attempt: number;
  text: string;
  /** Not saved if there is such a body already. */
  replacesNothing?: true;
}

/** One change of one job. All changes of one `commit` become durable together or not at all. */
export interface JobCommit {
  /**
   * The whole job after the change, inserted or replaced by key. The user's fields (own-fields.ts) are used only for a
   * new job, because other calls change them.
   */
  job: Job;
  /** Only for a new job. */
  submission?: StoredSubmission;
  /** Inserted or replaced by number. */
  attempt?: Attempt;
  bodies?: BodyToSave[];
  requests?: Omit<RequestRecord, 'id'>[];
  /** Set if the same was asked for before, and its answer was lost: requests that are saved are left out. */
  isAgain?: true;
}

/** A chunk that has no index yet. */
export interface NewChunk {
  outputJson: string;
  metricsJson: string | null;
}

/** How long the text of a part of a stored stream is. */
export interface StreamChars {
  /** UTF-16 units. */
  chars: number;
  /** Where the next part begins. */
  nextSeq: number;
  /** Nothing more was stored when this was read. */
  isLast: boolean;
}

/** The result of completing a stream by the job's output. */
export interface RepairedStream {
  /** How many chunks there are now. */
  chunkCount: number;
  /** How many of them were never received. */
  rebuiltCount: number;
  /** How many were removed, because a reply had repeated them. */
  repeatedCount: number;
}

/** One completed run, to learn run times from. */
export interface RunSample {
  executionMs: number;
  /** Numbers of its input by path; see jobs/run-times.ts. */
  numbers: Record<string, number>;
}

/** A batch before its rows. */
export type BatchRecord = Pick<
  Batch,
  'id' | 'name' | 'connectionId' | 'endpointId' | 'operation' | 'createdAtMs' | 'limits'
>;

/** A row of a batch with its input. */
export interface BatchRow {
  job: Job;
  inputText: string;
  /** It was submitted again, as a job that is still saved. */
  isSentAgain: boolean;
}

/** Costs of one endpoint: a sum for each requested time, of the jobs that ended since, including running ones. */
export interface CostsSince {
  sums: CostSum[];
  /** Of the newest completed jobs that have a price. */
  jobP50: number | null;
  jobCount: number;
}

/** Those of some jobs that a purge removed: how many, and the first of them by key. */
export interface PurgedJobs {
  count: number;
  first: Pick<Job, 'key' | 'title'>[];
}

/**
 * Jobs whose text could not be indexed for search: how many, and the first of them. They are listed and readable, and
 * found by title, id and tag.
 */
export interface UnsearchableJobs {
  count: number;
  first: Pick<Job, 'key' | 'title'>[];
}

export interface StoredJob {
  job: Job;
  attempts: Attempt[];
  submission: StoredSubmission;
  /** The user's note. */
  note: string;
  lineage: Lineage;
  /** Null if it did not fail, or if nothing is known of others that failed like it. */
  alike: AlikeFailures | null;
}

/** What is needed of earlier alerts when the app starts. */
export interface AlertsAtStart {
  /** Not over, or not shown yet. Oldest first. */
  unsettled: AlertRecord[];
  lastFired: { ruleId: string; endpointId: string; firedAtMs: number }[];
  /** When a notification of an alert was last shown. */
  lastDeliveredAtMs: number | null;
}

/** Sent once at opening, if the former file could not be used. */
export interface SetAside {
  /** Where the former database is now, unchanged. */
  path: string;
  reason: 'damaged' | 'newer' | 'not-a-database';
  detail: string;
  /** How many connections, profiles, settings and drafts could be copied into the new database. */
  keptDocuments: number;
}

/** A notification before it is saved. */
export type NewNotification = Omit<AppNotification, 'id' | 'togetherId' | 'isSeen' | 'hasOutput'>;

/** How a notification was delivered, or what it waits for. */
export type SettledNotification = Pick<AppNotification, 'id' | 'delivery' | 'deliveredAtMs' | 'togetherId'>;
