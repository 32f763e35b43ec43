import { Worker } from 'node:worker_threads';
import type { History, Preparing, SetAside } from './history.ts';
import type { Answer, CallAnswers, CallArguments, CallName, FromWorker, Reply, Request, ToWorker, WorkerStart } from './protocol.ts';

/** Calls sent to the thread at once; the rest waits for the answers, so that an answer is never far behind its disk flush. */
const callsPerBatch = 256;

export interface HistoryOptions {
  /** The database file; made with its folder when it is absent. */
  path: string;
  /** The thread's script. By default the source beside this file; the app passes the bundled one. */
  workerUrl?: URL;
  now: () => number;
  /** Told where opening takes seconds, before it does. */
  onPreparing?: (preparing: Preparing) => void;
}

/**
 * Opens the saved past. The database lives in a thread of its own; calls made in one turn travel together, are done in
 * the order they were made, and are answered once what they wrote is on the disk. `setAside` tells of a former file
 * that could not be used. Rejects when no database can be opened at all.
 */
export async function openHistory(options: HistoryOptions): Promise<{ history: History; setAside: SetAside | null }> {
  const start: WorkerStart = { path: options.path, nowMs: options.now() };
  const thread = createThread(new Worker(options.workerUrl ?? new URL('./history-worker.ts', import.meta.url), { workerData: start, name: 'history' }), options);
  const setAside = await thread.opened;
  return { history: createHistory(thread), setAside };
}

interface Thread {
  opened: Promise<SetAside | null>;
  ask<N extends CallName>(name: N, ...args: CallArguments[N]): Promise<CallAnswers[N]>;
  close(): Promise<void>;
}

interface Pending {
  settle(reply: Reply): void;
  reject(error: Error): void;
}

const closedMessage = 'The history is closed.';

function createThread(worker: Worker, { now, onPreparing }: HistoryOptions): Thread {
  const pending = new Map<number, Pending>();
  let waiting: Request[] = [];
  let isInFlight = false;
  let isFlushPlanned = false;
  /** Set once nothing more can be asked, with the reason. */
  let endReason: string | null = null;
  let nextId = 1;
  const opened = Promise.withResolvers<SetAside | null>();
  const ended = Promise.withResolvers<void>();
  let closing: Promise<void> | null = null;

  const send = (message: ToWorker): void => worker.postMessage(message, []);
  const flush = (): void => {
    isFlushPlanned = false;
    if (isInFlight || waiting.length === 0 || endReason !== null) return;
    const requests = waiting.slice(0, callsPerBatch);
    waiting = waiting.slice(callsPerBatch);
    isInFlight = true;
    send({ kind: 'calls', requests, nowMs: now(), startOfTodayMs: startOfDay(now()) });
  };
  const planFlush = (): void => {
    if (isFlushPlanned || isInFlight) return;
    isFlushPlanned = true;
    queueMicrotask(flush);
  };
  const end = (reason: string): void => {
    endReason ??= reason;
    const error = new Error(endReason);
    opened.reject(error);
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    waiting = [];
    ended.resolve();
  };

  worker.on('message', (message: FromWorker) => {
    switch (message.kind) {
      case 'preparing':
        onPreparing?.(message.preparing);
        break;
      case 'opened':
        opened.resolve(message.setAside);
        break;
      case 'refused':
        end(message.message);
        break;
      case 'replies':
        isInFlight = false;
        for (const reply of message.replies) {
          const call = pending.get(reply.id);
          pending.delete(reply.id);
          call?.settle(reply);
        }
        flush();
        if (closing !== null && pending.size === 0) send({ kind: 'close' });
        break;
      case 'closed':
        endReason = closedMessage;
        break;
    }
  });
  worker.on('error', (error) => end(`The history's thread ended unexpectedly, and what was under way may not be saved: ${error.message}. Restart Jobdeck.`));
  worker.on('exit', () => end(endReason ?? "The history's thread ended unexpectedly, and what was under way may not be saved. Restart Jobdeck."));

  return {
    opened: opened.promise,
    ask<N extends CallName>(name: N, ...args: CallArguments[N]): Promise<CallAnswers[N]> {
      if (endReason !== null || closing !== null) return Promise.reject(new Error(endReason ?? closedMessage));
      return new Promise((resolve, reject) => {
        const id = nextId;
        nextId += 1;
        pending.set(id, {
          settle(reply) {
            if (isAnswerTo(reply, name)) resolve(reply.value);
            else reject(new Error(reply.isOk ? `The history answered ${reply.name} where ${name} was asked.` : reply.message));
          },
          reject,
        });
        const request: Request<N> = { id, name, args };
        waiting.push(request);
        planFlush();
      });
    },
    close() {
      if (closing === null) {
        closing = ended.promise;
        if (pending.size === 0 && endReason === null) send({ kind: 'close' });
      }
      return closing;
    },
  };
}

function isAnswerTo<N extends CallName>(reply: Reply, name: N): reply is Answer<N> {
  return reply.isOk && reply.name === name;
}

function startOfDay(nowMs: number): number {
  return new Date(nowMs).setHours(0, 0, 0, 0);
}

function createHistory({ ask, close }: Thread): History {
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
    insertBatch: (batch) => ask('insertBatch', batch),
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
    costsSince: (connectionId, endpointId, rates, sincesMs) => ask('costsSince', connectionId, endpointId, rates, sincesMs),
    recentEnds: (connectionId, endpointId, sinceMs, limit) => ask('recentEnds', connectionId, endpointId, sinceMs, limit),
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
