import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';
import type { History, HistoryEvent, Preparing, SetAside } from './history.ts';
import { settlingLosses } from './lost-answers.ts';
import { createThread } from './thread.ts';
import type { Thread } from './thread.ts';

export interface HistoryOptions {
  /** The database file; made with its folder when it is absent. */
  path: string;
  /** The thread's script. By default the source beside this file; the app passes the bundled one. */
  workerUrl?: URL;
  now: () => number;
  /** Told where opening takes seconds, before it does. */
  onPreparing?: (preparing: Preparing) => void;
  /** Told what befalls the history beside its calls. */
  onEvent?: (event: HistoryEvent) => void;
  /** Starts the thread; left out: as it is started in the app. */
  startWorker?: (url: URL, options: WorkerOptions) => Worker;
}

/**
 * Opens the saved past. The database lives in a thread of its own; calls made in one turn travel together, are done in
 * the order they were made, and are answered once what they wrote is on the disk. A thread that ends by itself is
 * started again. `setAside` tells of a former file that could not be used. Rejects when no database can be opened at
 * all.
 */
export async function openHistory(options: HistoryOptions): Promise<{ history: History; setAside: SetAside | null }> {
  const { path, now, onPreparing = () => {}, onEvent = () => {} } = options;
  const workerUrl = options.workerUrl ?? new URL('./history-worker.ts', import.meta.url);
  const startWorker = options.startWorker ?? ((url, started) => new Worker(url, started));
  const thread = createThread({ path, now, workerUrl, startWorker, onPreparing, onEvent });
  const setAside = await thread.opened;
  return { history: settlingLosses(createHistory(thread)), setAside };
}

function createHistory({ ask, close }: Pick<Thread, 'ask' | 'close'>): History {
  return {
    commit: (changes) => ask('commit', changes),
    appendChunks: (key, attempt, chunks, receivedAtMs) => ask('appendChunks', key, attempt, chunks, receivedAtMs),
    chunks: (key, attempt, fromSeq, limit) => ask('chunks', key, attempt, fromSeq, limit),
    streamPage: (key, attempt, fromSeq) => ask('streamPage', key, attempt, fromSeq),
    orderChunks: (key, attempt, seqs) => ask('orderChunks', key, attempt, seqs),
    mendStream: (key, attempt) => ask('mendStream', key, attempt),
    recordRequests: (key, requests) => ask('recordRequests', key, requests),
    requests: (key) => ask('requests', key),
    get: (key) => ask('get', key),
    knowsJobId: (jobId) => ask('knowsJobId', jobId),
    findByJobId: (baseUrl, endpointId, jobId) => ask('findByJobId', baseUrl, endpointId, jobId),
    liveJobs: () => ask('liveJobs'),
    jobsToRetry: () => ask('jobsToRetry'),
    list: (filter, beforeKey, limit) => ask('list', filter, beforeKey, limit),
    counts: (connectionId, startOfTodayMs) => ask('counts', connectionId, startOfTodayMs),
    body: (key, part, attempt, maxBytes) => ask('body', key, part, attempt, maxBytes),
    runTimes: (connectionId) => ask('runTimes', connectionId),
    runSamples: (connectionId, endpointId) => ask('runSamples', connectionId, endpointId),
    inputNumbers: (keys) => ask('inputNumbers', keys),
    stageBatchRows: (id, rows) => ask('stageBatchRows', id, rows),
    insertBatch: (batch, rowCount) => ask('insertBatch', batch, rowCount),
    dropStagedBatch: (id) => ask('dropStagedBatch', id),
    batches: (connectionId) => ask('batches', connectionId),
    batchesById: (ids) => ask('batchesById', ids),
    pausedBatches: () => ask('pausedBatches'),
    setBatchPaused: (id, isPaused) => ask('setBatchPaused', id, isPaused),
    batchRows: (id, afterKey, limit) => ask('batchRows', id, afterKey, limit),
    setStarred: (key, isStarred) => ask('setStarred', key, isStarred),
    setTags: (key, tags) => ask('setTags', key, tags),
    markSeen: (keys) => ask('markSeen', keys),
    costOfFilter: (filter, costs, mostJobs) => ask('costOfFilter', filter, costs, mostJobs),
    costsSince: (connectionId, endpointId, rates, sincesMs) =>
      ask('costsSince', connectionId, endpointId, rates, sincesMs),
    recentEnds: (connectionId, endpointId, sinceMs, limit) =>
      ask('recentEnds', connectionId, endpointId, sinceMs, limit),
    purgedAmong: (keys, mostNamed) => ask('purgedAmong', keys, mostNamed),
    addHealth: (health) => ask('addHealth', health),
    latestHealth: (connectionId) => ask('latestHealth', connectionId),
    healthTrends: (connectionId, sinceMs) => ask('healthTrends', connectionId, sinceMs),
    healthSeries: (connectionId, endpointId, sinceMs) => ask('healthSeries', connectionId, endpointId, sinceMs),
    jobTimings: (connectionId, endpointId, sinceMs) => ask('jobTimings', connectionId, endpointId, sinceMs),
    putAlert: (alert) => ask('putAlert', alert),
    alerts: (connectionId, endpointId, beforeId, limit) => ask('alerts', connectionId, endpointId, beforeId, limit),
    alertsAtStart: () => ask('alertsAtStart'),
    documents: (kind) => ask('documents', kind),
    readDocument: (kind, id) => ask('readDocument', kind, id),
    putDocument: (kind, id, json) => ask('putDocument', kind, id, json),
    removeDocument: (kind, id) => ask('removeDocument', kind, id),
    close,
  };
}
