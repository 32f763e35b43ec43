import { countIncoming, endMerge, mergeOne, mergePage, type MergedPage } from './backup/merge.ts';
import type { MergeConnection } from './backup/merge-rule.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { AlertRecord } from '../../src-preload/alert.ts';
import type { Batch, BatchPair } from '../../src-preload/batch.ts';
import type { CostRate, EndpointCost, ViewCost } from '../../src-preload/cost.ts';
import type {
  FailureDetail,
  FailureOverview,
  FailuresByWorker,
  MuteChoice,
  NamedCause,
} from '../../src-preload/failure-cause.ts';
import type { Health, HealthTrend, JobTimings } from '../../src-preload/health.ts';
import {
  mostSelected,
  type AllJobCounts,
  type BodyText,
  type JobFilter,
  type JobKeys,
  type JobPage,
  type JobSort,
  type JobTotal,
  type RunTimes,
  type TagInUse,
} from '../../src-preload/history.ts';
import type { Job, RequestRecord, StreamChunk } from '../../src-preload/job.ts';
import type { JudgementChange } from '../../src-preload/judgement.ts';
import type { LearnedInputs } from '../../src-preload/learned.ts';
import type { Compacted } from '../../src-preload/storage.ts';
import type { AppNotification, NotificationPage } from '../../src-preload/notification.ts';
import type { DigestOptions, FoundChunks, StreamPage } from '../../src-preload/stream-digest.ts';
import { datasetOf, writeExportPage, type ExportPage, type WrittenPage } from './export/write-page.ts';
import { readCauseNames, readCause, readCauses } from './failures/causes.ts';
import { readFailuresByWorker } from './failures/workers.ts';
import { causeOfJob, mutedAmong } from './failures/failures.ts';
import { muteCause } from './failures/mutes.ts';
import { readDocument, readDocuments, removeDocument, writeDocument } from './file/documents.ts';
import type { PageCache } from './file/cache.ts';
import { isSearchDamage } from './file/index-file.ts';
import { readAlerts, readAlertsAtStart, writeAlert } from './health/alerts.ts';
import type { PackedSeries } from './health/points.ts';
import { addHealth, healthSeries, healthTrends, latestHealth } from './health/samples.ts';
import { readAttempts, readRequests, readBody, readSubmission, type BodyPart } from './jobs/job-details.ts';
import {
  insertBatch,
  readBatchRows,
  readBatches,
  readBatchesById,
  readLimitedBatches,
  readPausedBatches,
  setBatchPaused,
} from './jobs/batches.ts';
import { readBatchPair } from './jobs/batch-pairs.ts';
import {
  commit,
  markSeen,
  recordRequests,
  setStarred,
  setTags,
  findJob,
  findJobsByServiceId,
  isJobIdKnown,
  readJobsToRetry,
  readLiveJobs,
} from './jobs/jobs.ts';
import { judge, readLabels, readNote, writeNote } from './jobs/judgements.ts';
import { readLineage, renameJob } from './jobs/lineage.ts';
import { adoptSubmission, type AdoptingJob } from './jobs/adopt-submission.ts';
import { removeJob } from './jobs/remove.ts';
import { readTags } from './jobs/tags.ts';
import { commitChunks, mendStream, storeLeftOut } from './jobs/streams.ts';
import { jobTimings, readPurged, recentEnds } from './jobs/ended-jobs.ts';
import type { JobCounter } from './jobs/counts.ts';
import { readLearnedInputs } from './jobs/learned-inputs.ts';
import { readInputNumbers, readRunSamples, readRunTimes } from './jobs/run-times.ts';
import {
  addNotification,
  countUnseenNotifications,
  markNotificationsSeen,
  markNotificationsUnseen,
  readNotificationById,
  readNotifications,
  readWaitingNotifications,
  settleNotifications,
} from './notifications/notifications.ts';
import { readUnsaidEnds } from './notifications/unsaid-ends.ts';
import { readCostOfFilter, readCostsSince } from './list/costs.ts';
import { countJobs, keysOfFilter, listJobs } from './list/list.ts';
import type {
  AlertsAtStart,
  BatchRecord,
  BatchRow,
  CostsSince,
  JobCommit,
  MendedStream,
  NewChunk,
  NewNotification,
  PurgedJobs,
  RunSample,
  SettledNotification,
  StoredJob,
} from './records.ts';
import {
  countForgettable,
  forgetBodies,
  type CountedSoFar,
  type EndedPlace,
  type ForgetOrder,
  type ForgetStep,
} from './storage/forget.ts';
import { compact, giveBack, measureStorage, type MeasuredSoFar } from './storage/use.ts';
import type { IndexLink } from './search/index-link.ts';
import { findInChunks, readChunks, readStreamPage } from './stream/chunks.ts';
import { historyRefusalText } from '../messages/history.ts';

/** What a call uses: the open database, its index and counts, and the time at which it was made. */
export interface CallContext {
  db: DatabaseSync;
  index: Pick<IndexLink, 'beforeSearch' | 'damaged' | 'settle'>;
  counter: JobCounter;
  cache: Pick<PageCache, 'forBatch'>;
  /** Rows of batches that are still being sent, by batch. */
  stagedRows: Map<string, JobCommit[]>;
  nowMs: number;
  /** Local midnight, epoch milliseconds. */
  startOfTodayMs: number;
}

/**
 * Every call of the History, run synchronously on the open database. The type `History` derives from this table: a new
 * call is added here, and listed as reading or writing in protocol.ts.
 */
export const operations = {
  /** Returns the jobs afterwards, with the user's fields. */
  commit: ({ db }: CallContext, changes: JobCommit[]): Job[] => commit(db, changes),
  /**
   * Adds chunks after the stored ones, in the given order, and counts them on the job and its attempt. Returns them
   * with their seq (from 0).
   */
  appendChunks: (
    { db }: CallContext,
    key: string,
    attempt: number,
    chunks: NewChunk[],
    receivedAtMs: number,
  ): StreamChunk[] => commitChunks(db, key, attempt, chunks, receivedAtMs),
  /** A chunk that was never received and was restored from the job's output has `isRebuilt`. */
  chunks({ db }: CallContext, key: string, attempt: number, fromSeq: number, limit: number): StreamChunk[] {
    const found = findJob(db, key);
    return found === null ? [] : readChunks(db, found.id, attempt, fromSeq, limit);
  },
  /** Chunks with `text` in their output, in one page of the stored stream. Null when there is no such job. */
  findChunks({ db }: CallContext, key: string, attempt: number, fromSeq: number, wanted: string): FoundChunks | null {
    const found = findJob(db, key);
    return found === null ? null : findInChunks(db, found.id, attempt, fromSeq, wanted);
  },
  /**
   * A page of the stored stream from that index on, its text with or without the data of images and sounds. Null if
   * there is no such job.
   */
  streamPage(
    { db }: CallContext,
    key: string,
    attempt: number,
    fromSeq: number,
    options: DigestOptions,
  ): StreamPage | null {
    const found = findJob(db, key);
    return found === null ? null : readStreamPage(db, found.id, attempt, fromSeq, options);
  },
  /**
   * Stores what the document `leftOutChunks` notes as left out of the attempt's stream, and removes that document.
   * Without one nothing changes. Returns how many chunks the attempt then has.
   */
  storeLeftOut: ({ db }: CallContext, key: string, attempt: number): number => storeLeftOut(db, key, attempt),
  /**
   * Fills the gaps of a completed attempt's stream from its saved output, and removes what was sent twice; see
   * stream/mend-chunks.ts. Null: nothing was changed.
   */
  mendStream: ({ db, nowMs }: CallContext, key: string, attempt: number): MendedStream | null =>
    mendStream(db, key, attempt, nowMs),
  /** Adds request records without changing the job otherwise (its requestCount rises). */
  recordRequests: ({ db }: CallContext, key: string, requests: Omit<RequestRecord, 'id'>[]): void =>
    recordRequests(db, key, requests),
  requests({ db }: CallContext, key: string): RequestRecord[] {
    const found = findJob(db, key);
    return found === null ? [] : readRequests(db, found.id);
  },

  get({ db }: CallContext, key: string): StoredJob | null {
    const found = findJob(db, key);
    return found === null
      ? null
      : {
          job: found.job,
          attempts: readAttempts(db, found.id),
          submission: readSubmission(db, found.id),
          note: readNote(db, found.id),
          lineage: readLineage(db, found),
        };
  },
  /** Jobs with this id on one endpoint of the service at `baseUrl`, of any connection, newest first. */
  findByJobId: ({ db }: CallContext, baseUrl: string, endpointId: string, jobId: string): Job[] =>
    findJobsByServiceId(db, baseUrl, endpointId, jobId),
  /** Whether any job here, of any endpoint, has this id at its service. */
  knowsJobId: ({ db }: CallContext, jobId: string): boolean => isJobIdKnown(db, jobId),
  /** Jobs in the phases waiting, submitting and active, oldest first, for tracking to resume. */
  liveJobs: ({ db }: CallContext): Job[] => readLiveJobs(db),
  /** Jobs whose retry waits to be sent, in the order of the requests. */
  jobsToRetry: ({ db }: CallContext): Job[] => readJobsToRetry(db),
  list: (
    on: CallContext,
    filter: JobFilter,
    beforeKey: string | null,
    limit: number,
    sort: JobSort | null = null,
  ): JobPage =>
    searched(on, filter, () => ({
      ...listJobs(on.db, filter, beforeKey, limit, on.startOfTodayMs, sort),
      counts: on.counter.read(on.startOfTodayMs),
    })),
  countJobs: (on: CallContext, filter: JobFilter): JobTotal =>
    searched(on, filter, () => countJobs(on.db, filter, on.startOfTodayMs)),
  /** The keys of all matching jobs, newest first. */
  keys: (on: CallContext, filter: JobFilter): JobKeys =>
    searched(on, filter, () => keysOfFilter(on.db, filter, mostSelected, on.startOfTodayMs)),
  /** In the order of the keys. Missing ones are left out. */
  jobsByKeys: ({ db }: CallContext, keys: string[]): Job[] => keys.flatMap((key) => findJob(db, key)?.job ?? []),
  counts: ({ counter, startOfTodayMs }: CallContext): AllJobCounts => counter.read(startOfTodayMs),
  /** Null attempt: the newest. `maxBytes` null: whole. Null if there is no such body. */
  body(
    { db }: CallContext,
    key: string,
    part: BodyPart,
    attempt: number | null,
    maxBytes: number | null,
  ): BodyText | null {
    const found = findJob(db, key);
    if (found === null) return null;
    return readBody(db, found.id, part, part === 'input' ? 0 : (attempt ?? found.job.attempt), maxBytes);
  },
  /** Learned from the newest 500 completed jobs of each endpoint. */
  runTimes: ({ db }: CallContext, connectionId: string): RunTimes[] => readRunTimes(db, connectionId),
  /** How long the newest completed jobs of an endpoint ran, with the numbers in their inputs, newest first. */
  runSamples: ({ db }: CallContext, connectionId: string, endpointId: string): RunSample[] =>
    readRunSamples(db, connectionId, endpointId),
  /** The numbers in these jobs' inputs, in order. Empty if the input has none, is not known or is large. */
  inputNumbers: ({ db }: CallContext, keys: string[]): Record<string, number>[] => readInputNumbers(db, keys),

  /**
   * Keeps rows in the thread's memory until `insertBatch` or `commitStaged` saves them: many small messages instead of
   * one that blocks the caller.
   */
  stageBatchRows({ stagedRows }: CallContext, id: string, rows: JobCommit[]): void {
    const all = stagedRows.get(id) ?? [];
    for (const row of rows) all.push(row);
    stagedRows.set(id, all);
  },
  /**
   * Saves the batch with all rows staged for it, or nothing. Staged rows are dropped in either case. `rowCount`: how
   * many were staged.
   */
  insertBatch({ db, stagedRows, cache }: CallContext, batch: BatchRecord, rowCount: number): void {
    cache.forBatch(rowCount);
    insertBatch(db, batch, takeStaged(stagedRows, batch.id, rowCount));
  },
  /**
   * Saves all changes staged under this id in one transaction, or nothing. Staged rows are dropped in either case. For
   * many jobs that are not of a batch: thousands per second.
   */
  commitStaged({ db, stagedRows, cache }: CallContext, id: string, rowCount: number): void {
    cache.forBatch(rowCount);
    commit(db, takeStaged(stagedRows, id, rowCount));
  },
  dropStagedBatch: ({ stagedRows }: CallContext, id: string): void => void stagedRows.delete(id),
  /** The newest ones, of one connection or of all, each with its rows counted. */
  batches: ({ db }: CallContext, connectionId: string | null): Batch[] => readBatches(db, connectionId),
  batchesById: ({ db }: CallContext, ids: string[]): Batch[] => readBatchesById(db, ids),
  /** The jobs of one row in two batches; `at` null: the first pair not judged. Null if they have no row in common. */
  batchPair: ({ db }: CallContext, batchId: string, withId: string, at: number | null): BatchPair | null =>
    readBatchPair(db, batchId, withId, at),
  pausedBatches: ({ db }: CallContext): string[] => readPausedBatches(db),
  limitedBatches: ({ db }: CallContext): Batch[] => readLimitedBatches(db),
  /** `isUndo`: resumed as if it had not been paused; its failures are not counted from zero again. */
  setBatchPaused: ({ db }: CallContext, id: string, isPaused: boolean, isUndo = false): Batch | null =>
    setBatchPaused(db, id, isPaused, isUndo),
  /**
   * Rows after the job `afterKey` (null: from the first), in order: up to `limit`, fewer if they are large, none at the
   * end.
   */
  batchRows: ({ db }: CallContext, id: string, afterKey: string | null, limit: number): BatchRow[] =>
    readBatchRows(db, id, afterKey, limit),

  /** Only the job, without its submission. */
  job: ({ db }: CallContext, key: string): Job | null => findJob(db, key)?.job ?? null,
  /** Deletes a job with everything saved of it, for good. Returns whether it existed. */
  removeJob: ({ db }: CallContext, key: string): boolean => removeJob(db, key),
  /** Moves the submission of the job `fromKey` to this one, and removes the former. Returns the job. */
  adoptSubmission: ({ db }: CallContext, by: AdoptingJob, fromKey: string): Job => adoptSubmission(db, by, fromKey),
  /** Jobs as lines of a dataset, as many as fit into the clipboard. */
  dataset: ({ db }: CallContext, keys: string[], mostChars: number): { text: string; jobs: number } =>
    datasetOf(db, keys, mostChars),
  /** Appends the next page of an export to a file. The texts never leave this thread. */
  writeExportPage(on: CallContext, page: ExportPage): WrittenPage {
    const write = (): WrittenPage => writeExportPage(on.db, page, on);
    return page.source.kind === 'filter' ? searched(on, page.source.filter, write) : write();
  },

  /** Deletes bodies of some jobs that ended, as the user's retention rule orders; see storage/forget.ts. */
  forgetBodies: ({ db, nowMs }: CallContext, order: ForgetOrder, after: EndedPlace | null): ForgetStep =>
    forgetBodies(db, order, after, nowMs),
  /** Continues to count what that order would delete, after the jobs that the previous call counted. */
  countForgettable: ({ db }: CallContext, order: ForgetOrder, from: CountedSoFar | null): CountedSoFar =>
    countForgettable(db, order, from),
  /** Continues to measure the content of the file, after the step before. */
  measureStorage: ({ db }: CallContext, from: MeasuredSoFar | null): MeasuredSoFar & { isDone: boolean } =>
    measureStorage(db, from),
  /** Returns some of the file's free space to the disk. Returns whether there is more. */
  giveBack: ({ db }: CallContext): boolean => giveBack(db),
  compact: ({ db }: CallContext): Compacted => compact(db),

  /** Merges the next jobs of another history, after `afterKey`. See backup/merge.ts. */
  mergePage: ({ db }: CallContext, path: string, afterKey: string | null, connections: MergeConnection[]): MergedPage =>
    mergePage(db, path, afterKey, connections),
  /** Merges one job of another history. Null if it had nothing new. */
  mergeJob({ db }: CallContext, path: string, theirKey: string, connections: MergeConnection[]): Job | null {
    const { kind, job } = mergeOne(db, path, theirKey, connections);
    return kind === 'known' ? null : job;
  },
  countIncoming: ({ db }: CallContext, path: string): number => countIncoming(db, path),
  endMerge: ({ db }: CallContext): void => endMerge(db),

  setStarred: ({ db }: CallContext, key: string, isStarred: boolean): Job | null => setStarred(db, key, isStarred),
  setTags: ({ db }: CallContext, key: string, tags: string[]): Job | null => setTags(db, key, tags),
  renameJob: ({ db }: CallContext, key: string, title: string): Job | null => renameJob(db, key, title),
  judge: ({ db }: CallContext, key: string, change: JudgementChange): Job | null => judge(db, key, change),
  /** An empty note deletes it. */
  writeNote: ({ db }: CallContext, key: string, note: string): Job | null => writeNote(db, key, note),
  /** Keys and values of an endpoint's newest completed inputs. */
  learnedInputs: ({ db }: CallContext, connectionId: string, endpointId: string): LearnedInputs =>
    readLearnedInputs(db, connectionId, endpointId),
  /** The tags in use, the most frequent first. */
  tags: ({ db }: CallContext, most: number): TagInUse[] => readTags(db, most),
  /** The labels in use, the most frequent first. */
  labels: ({ db }: CallContext, most: number): string[] => readLabels(db, most),
  /** Returns only the jobs that changed. */
  /** Returns the jobs that change. */
  markSeen: ({ db }: CallContext, keys: string[], isSeen = true): Job[] => markSeen(db, keys, isSeen),

  /**
   * The cost of the jobs that match the filter by the endpoints' rates; of the newest `mostJobs` if more must be read
   * individually.
   */
  costOfFilter: (
    on: CallContext,
    filter: JobFilter,
    costs: Pick<EndpointCost, 'connectionId' | 'endpointId' | 'rates'>[],
    mostJobs: number,
  ): ViewCost =>
    searched(on, filter, () =>
      readCostOfFilter(on.db, filter, costs, { nowMs: on.nowMs, startOfTodayMs: on.startOfTodayMs, mostJobs }),
    ),
  costsSince: (
    { db, nowMs }: CallContext,
    connectionId: string,
    endpointId: string,
    rates: CostRate[],
    sincesMs: number[],
  ): CostsSince => readCostsSince(db, { connectionId, endpointId, rates, sincesMs, nowMs }),
  /** Jobs of an endpoint that ended since then, the last one first. */
  recentEnds: ({ db }: CallContext, connectionId: string, endpointId: string, sinceMs: number, limit: number): Job[] =>
    recentEnds(db, connectionId, endpointId, sinceMs, limit),
  /** Which of these jobs were purged. At most `mostNamed` by name. */
  purgedAmong: ({ db }: CallContext, keys: string[], mostNamed: number): PurgedJobs => readPurged(db, keys, mostNamed),

  addHealth: ({ db }: CallContext, health: Health): void => addHealth(db, health),
  latestHealth: ({ db }: CallContext, connectionId: string): Health[] => latestHealth(db, connectionId),
  healthTrends: ({ db }: CallContext, connectionId: string, sinceMs: number): HealthTrend[] =>
    healthTrends(db, connectionId, sinceMs),
  /**
   * Saved points of an endpoint (null: of each of the connection's that has any) since then, oldest first. Packed: see
   * health/points.ts.
   */
  healthSeries: (
    { db }: CallContext,
    connectionId: string,
    endpointId: string | null,
    sinceMs: number,
  ): PackedSeries[] => healthSeries(db, connectionId, endpointId, sinceMs),
  /** Of completed jobs that ended since, of each endpoint the last 20,000, by endpoint. */
  jobTimings: ({ db }: CallContext, connectionId: string, endpointId: string | null, sinceMs: number): JobTimings[] =>
    jobTimings(db, connectionId, endpointId, sinceMs),

  /** The failures of a connection since then, by cause. */
  failureCauses: ({ db, nowMs }: CallContext, connectionId: string, sinceMs: number): FailureOverview =>
    readCauses(db, connectionId, sinceMs, nowMs),
  /** How often each cause failed on which worker since then. */
  failuresByWorker: ({ db, nowMs }: CallContext, connectionId: string, sinceMs: number): FailuresByWorker =>
    readFailuresByWorker(db, connectionId, sinceMs, nowMs),
  /** The causes of a connection by name, the most frequent first. */
  causeNames: ({ db }: CallContext, connectionId: string): NamedCause[] => readCauseNames(db, connectionId),
  /** The newest jobs of a cause, and what they have in common. Null if there is no such cause. */
  failureCause: ({ db }: CallContext, id: number, limit: number): FailureDetail | null => readCause(db, id, limit),
  /** The cause of a job's failure, determined now if it was not yet. Null if the job did not fail. */
  causeOfJob: ({ db }: CallContext, key: string): NamedCause | null => causeOfJob(db, key),
  muteCause: ({ db, nowMs }: CallContext, id: number, choice: MuteChoice | null): void =>
    muteCause(db, id, choice, nowMs),
  /** Those of these jobs that failed for a muted cause. */
  mutedFailures: ({ db, nowMs }: CallContext, keys: readonly string[]): string[] => mutedAmong(db, keys, nowMs),

  /** Saves an alert, inserted or replaced by id. Kept for a year, at most the newest 10,000. */
  putAlert: ({ db }: CallContext, alert: AlertRecord): void => writeAlert(db, alert),
  /** Of an endpoint (null: of all of the connection's), newest first, before `beforeId`. */
  alerts: (
    { db }: CallContext,
    connectionId: string,
    endpointId: string | null,
    beforeId: string | null,
    limit: number,
  ): AlertRecord[] => readAlerts(db, connectionId, endpointId, beforeId, limit),
  alertsAtStart: ({ db }: CallContext): AlertsAtStart => readAlertsAtStart(db),

  /** Keeps a notification; null where there is one about the same thing. For `keptDays`, the newest 10,000. */
  addNotification: ({ db }: CallContext, given: NewNotification, keptDays: number): number | null =>
    addNotification(db, given, keptDays),
  settleNotifications: ({ db }: CallContext, settled: SettledNotification[]): void => settleNotifications(db, settled),
  /** Newest first, those before `beforeId` (null: from the newest). */
  notifications: ({ db }: CallContext, beforeId: number | null, limit: number): NotificationPage =>
    readNotifications(db, beforeId, limit),
  notification: ({ db }: CallContext, id: number): AppNotification | null => readNotificationById(db, id),
  unsaidEnds: ({ db }: CallContext, withinMs: number): Job[] => readUnsaidEnds(db, withinMs),
  waitingNotifications: ({ db }: CallContext): AppNotification[] => readWaitingNotifications(db),
  unseenNotifications: ({ db }: CallContext): number => countUnseenNotifications(db),
  /** Returns how many were unseen before. */
  markNotificationsSeen: (
    { db, nowMs }: CallContext,
    of: { upToId: number } | { ids: number[] } | { jobKeys: string[] },
  ): number => markNotificationsSeen(db, of, nowMs),
  /** Undoes that for those marked since then. Returns how many. */
  markNotificationsUnseen: (
    { db }: CallContext,
    of: { upToId: number } | { jobKeys: string[] },
    sinceMs: number,
  ): number => markNotificationsUnseen(db, of, sinceMs),

  /** Small documents by kind and id: connections, s3 profiles, settings, drafts. collection.ts adds their types. */
  documents: ({ db }: CallContext, kind: string): { id: string; json: string }[] => readDocuments(db, kind),
  readDocument: ({ db }: CallContext, kind: string, id: string): string | null => readDocument(db, kind, id),
  putDocument: ({ db }: CallContext, kind: string, id: string, json: string): void => writeDocument(db, kind, id, json),
  removeDocument: ({ db }: CallContext, kind: string, id: string): void => removeDocument(db, kind, id),
};

function takeStaged(stagedRows: Map<string, JobCommit[]>, id: string, rowCount: number): JobCommit[] {
  const rows = stagedRows.get(id) ?? [];
  stagedRows.delete(id);
  // The thread that had some of them ended meanwhile.
  if (rows.length !== rowCount) throw new Error(historyRefusalText.rowsGone);
  return rows;
}

/** Runs `work`. If the filter has words, everything committed until now is first made searchable. */
function searched<T>({ index, nowMs }: CallContext, filter: JobFilter, work: () => T): T {
  if (filter.text === '') return work();
  try {
    index.beforeSearch(nowMs);
    return work();
  } catch (error) {
    if (!isSearchDamage(error)) throw error;
    index.damaged();
    throw new Error(historyRefusalText.searchDamaged, { cause: error });
  }
}

type Table = typeof operations;
export type CallName = keyof Table;
export type CallArguments = {
  [N in CallName]: Table[N] extends (on: CallContext, ...args: infer A) => unknown ? A : never;
};
export type CallAnswers = { [N in CallName]: ReturnType<Table[N]> };
