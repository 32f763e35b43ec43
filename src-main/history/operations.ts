import type { DatabaseSync } from 'node:sqlite';
import type { ViewCost } from '../../src-preload/cost.ts';
import type { JobPage } from '../../src-preload/history.ts';
import { readDocument, readDocuments, removeDocument, writeDocument } from './file/documents.ts';
import { withSoundIndex } from './file/integrity.ts';
import { readAlerts, readAlertsAtStart, writeAlert } from './health/alerts.ts';
import { addHealth, healthSeries, healthTrends, latestHealth } from './health/samples.ts';
import type { JobCommit } from './history.ts';
import { readAttempts, readRequests } from './jobs/attempts-and-requests.ts';
import {
  insertBatch,
  readBatchRows,
  readBatches,
  readBatchesById,
  readPausedBatches,
  setBatchPaused,
} from './jobs/batches.ts';
import { readBody, readSubmission } from './jobs/bodies.ts';
import {
  commit,
  commitChunks,
  markSeen,
  mendStream,
  orderChunks,
  recordRequests,
  setStarred,
  setTags,
} from './jobs/commit.ts';
import { jobTimings, readPurged, recentEnds } from './jobs/ended-jobs.ts';
import { readCounts } from './jobs/facets.ts';
import { findJob, findJobsByServiceId, isJobIdKnown, readJobsToRetry, readLiveJobs } from './jobs/jobs.ts';
import { readInputNumbers, readRunSamples, readRunTimes } from './jobs/run-times.ts';
import { readCostOfFilter, readCostsSince } from './list/costs.ts';
import { listJobs } from './list/list.ts';
import type { CallAnswers, CallArguments, CallName } from './protocol.ts';
import type { SearchIndexer } from './search/indexer.ts';
import { readChunks, readStreamPage } from './stream/chunks.ts';

/** The clock as it came with the calls. */
export interface Moment {
  nowMs: number;
  startOfTodayMs: number;
}

/** Each call of the History, done at once on the open database. */
export type Operations = { [N in CallName]: (moment: Moment, ...args: CallArguments[N]) => CallAnswers[N] };

/** The calls that change nothing: a batch of only these needs no transaction. */
export const readOnlyCalls: ReadonlySet<CallName> = new Set<CallName>([
  'chunks',
  'streamPage',
  'requests',
  'get',
  'findByJobId',
  'knowsJobId',
  'liveJobs',
  'jobsToRetry',
  'list',
  'counts',
  'body',
  'runTimes',
  'runSamples',
  'inputNumbers',
  'latestHealth',
  'healthTrends',
  'healthSeries',
  'jobTimings',
  'documents',
  'readDocument',
  'alerts',
  'alertsAtStart',
  'batches',
  'batchesById',
  'pausedBatches',
  'batchRows',
  'costOfFilter',
  'costsSince',
  'recentEnds',
  'purgedAmong',
  // Nothing of these reaches the disk.
  'stageBatchRows',
  'dropStagedBatch',
]);

/** Joins the calls to the queries. */
export function createOperations(db: DatabaseSync, indexer: SearchIndexer): Operations {
  const staged = new Map<string, JobCommit[]>();

  return {
    commit: (_, changes) => commit(db, changes),
    appendChunks: (_, key, attempt, chunks, receivedAtMs) => commitChunks(db, key, attempt, chunks, receivedAtMs),
    chunks(_, key, attempt, fromSeq, limit) {
      const found = findJob(db, key);
      return found === null ? [] : readChunks(db, found.id, attempt, fromSeq, limit);
    },
    streamPage(_, key, attempt, fromSeq) {
      const found = findJob(db, key);
      return found === null ? null : readStreamPage(db, found.id, attempt, fromSeq);
    },
    orderChunks(_, key, attempt, seqs) {
      const count = orderChunks(db, key, attempt, seqs);
      indexer.streamReplaced(key);
      return count;
    },
    mendStream(moment, key, attempt) {
      const mended = mendStream(db, key, attempt, moment.nowMs);
      if (mended !== null) indexer.streamReplaced(key);
      return mended;
    },
    recordRequests: (_, key, requests) => recordRequests(db, key, requests),
    requests(_, key) {
      const found = findJob(db, key);
      return found === null ? [] : readRequests(db, found.id);
    },
    get(_, key) {
      const found = findJob(db, key);
      return found === null
        ? null
        : { job: found.job, attempts: readAttempts(db, found.id), submission: readSubmission(db, found.id) };
    },
    knowsJobId: (_, jobId) => isJobIdKnown(db, jobId),
    findByJobId: (_, baseUrl, endpointId, jobId) => findJobsByServiceId(db, baseUrl, endpointId, jobId),
    liveJobs: () => readLiveJobs(db),
    jobsToRetry: () => readJobsToRetry(db),
    list(moment, filter, beforeKey, limit) {
      const list = (): JobPage => listJobs(db, filter, beforeKey, limit, moment.startOfTodayMs);
      if (filter.text === '') return list();
      return withSoundIndex(db, () => {
        indexer.beforeSearch(moment.nowMs);
        return list();
      });
    },
    counts: (_, connectionId, startOfTodayMs) => readCounts(db, connectionId, startOfTodayMs),
    body(_, key, part, attempt, maxBytes) {
      const found = findJob(db, key);
      if (found === null) return null;
      return readBody(db, found.id, part, part === 'input' ? 0 : (attempt ?? found.job.attempt), maxBytes);
    },
    runTimes: (_, connectionId) => readRunTimes(db, connectionId),
    runSamples: (_, connectionId, endpointId) => readRunSamples(db, connectionId, endpointId),
    inputNumbers: (_, keys) => readInputNumbers(db, keys),
    stageBatchRows(_, id, rows) {
      const all = staged.get(id) ?? [];
      for (const row of rows) all.push(row);
      staged.set(id, all);
    },
    insertBatch(_, batch, rowCount) {
      const rows = staged.get(batch.id) ?? [];
      staged.delete(batch.id);
      // The thread that held some of them ended meanwhile.
      if (rows.length !== rowCount) {
        throw new Error('Some of its rows are not held any more; nothing was saved. Submit it once more.');
      }
      insertBatch(db, batch, rows);
    },
    dropStagedBatch: (_, id) => void staged.delete(id),
    batches: (_, connectionId) => readBatches(db, connectionId),
    batchesById: (_, ids) => readBatchesById(db, ids),
    pausedBatches: () => readPausedBatches(db),
    setBatchPaused: (_, id, isPaused) => setBatchPaused(db, id, isPaused),
    batchRows: (_, id, afterKey, limit) => readBatchRows(db, id, afterKey, limit),
    setStarred: (_, key, isStarred) => setStarred(db, key, isStarred),
    setTags: (_, key, tags) => setTags(db, key, tags),
    markSeen: (_, keys) => markSeen(db, keys),
    costOfFilter(moment, filter, costs, mostJobs) {
      const add = (): ViewCost => readCostOfFilter(db, filter, costs, { ...moment, mostJobs });
      if (filter.text === '') return add();
      return withSoundIndex(db, () => {
        indexer.beforeSearch(moment.nowMs);
        return add();
      });
    },
    costsSince: (moment, connectionId, endpointId, rates, sincesMs) =>
      readCostsSince(db, { connectionId, endpointId, rates, sincesMs, nowMs: moment.nowMs }),
    recentEnds: (_, connectionId, endpointId, sinceMs, limit) =>
      recentEnds(db, connectionId, endpointId, sinceMs, limit),
    purgedAmong: (_, keys, mostNamed) => readPurged(db, keys, mostNamed),
    addHealth: (_, health) => addHealth(db, health),
    latestHealth: (_, connectionId) => latestHealth(db, connectionId),
    healthTrends: (_, connectionId, sinceMs) => healthTrends(db, connectionId, sinceMs),
    healthSeries: (_, connectionId, endpointId, sinceMs) => healthSeries(db, connectionId, endpointId, sinceMs),
    jobTimings: (_, connectionId, endpointId, sinceMs) => jobTimings(db, connectionId, endpointId, sinceMs),
    putAlert: (_, alert) => writeAlert(db, alert),
    alerts: (_, connectionId, endpointId, beforeId, limit) => readAlerts(db, connectionId, endpointId, beforeId, limit),
    alertsAtStart: () => readAlertsAtStart(db),
    documents: (_, kind) => readDocuments(db, kind),
    readDocument: (_, kind, id) => readDocument(db, kind, id),
    putDocument: (_, kind, id, json) => writeDocument(db, kind, id, json),
    removeDocument: (_, kind, id) => removeDocument(db, kind, id),
  };
}
