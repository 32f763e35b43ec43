import { Worker } from 'node:worker_threads';
import { type History, type HistoryEvent, isLost, HistoryError } from './history.ts';
import type { CallArguments, CallAnswers, CallName } from './operations.ts';
import {
  callNames,
  type Answer,
  type Counted,
  type FromWorker,
  type HistoryWorker,
  type Reply,
  type Request,
  type ToWorker,
  type WorkerStart,
} from './protocol.ts';
import type { HistoryPreparation } from '../../src-preload/app.ts';
import type { SetAside, NewChunk } from './records.ts';
import { startOfDay } from '../../src-preload/format.ts';
import { threadEnv } from '../async/thread-env.ts';
import type { StreamChunk } from '../../src-preload/job.ts';
import { historyThreadText } from '../messages/history.ts';

export interface HistoryOptions {
  /** The database file. It is created with its folder if it does not exist. */
  path: string;
  /** The thread's script. By default the source beside this file; the app passes the bundled one. */
  workerUrl?: URL;
  now: () => number;
  /** Called before opening if that takes seconds. */
  onPreparing?: (preparing: HistoryPreparation) => void;
  /** Called with what happens to the history outside of calls. */
  onEvent?: (event: HistoryEvent) => void;
  /** Starts the thread. By default as in the app. */
  startWorker?: (url: URL, options: { workerData: WorkerStart; name: string }) => HistoryWorker;
}

/**
 * Opens the history. The database is in a thread of its own: calls of one tick are sent together, run in order, and are
 * answered when their changes are on disk. A thread that ends unexpectedly is started again. `setAside` is a former
 * file that could not be used. Rejects if no database can be opened.
 */
export async function openHistory(options: HistoryOptions): Promise<{ history: History; setAside: SetAside | null }> {
  const { path, now, onPreparing = () => {}, onEvent = () => {} } = options;
  const workerUrl = options.workerUrl ?? new URL('./history-thread.ts', import.meta.url);
  const startWorker = options.startWorker ?? ((url, started) => new Worker(url, { ...started, env: threadEnv() }));
  const thread = new HistoryThread({ path, now, workerUrl, startWorker, onPreparing, onEvent });
  const setAside = await thread.opened;
  return { history: settlingLosses(createHistory(thread)), setAside };
}

/** One call for each name of the table. */
function createHistory(thread: HistoryThread): History {
  const calls = Object.fromEntries(
    callNames.map((name) => [name, (...args: CallArguments[typeof name]) => thread.ask(name, ...args)]),
  );
  if (!hasAll(calls)) throw new Error('A call of the history is missing.');
  return { ...calls, close: () => thread.close() };
}

function hasAll(calls: object): calls is Omit<History, 'close'> {
  return callNames.every((name) => name in calls);
}

/**
 * The calls that must run exactly once, over a thread that may end before it answers: each finds out from the next
 * thread whether it was done. Calls that only read, or may be repeated, are simply refused.
 */
export function settlingLosses(history: History): History {
  /** Repeats the question until there is an answer, or the thread is no longer started again. */
  async function repeated<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    }
  }

  /** The answer of `ask`, or if it was lost, that of `askAgain`. */
  async function first<T>(ask: () => Promise<T>, askAgain: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    return repeated(askAgain);
  }

  type Append = Parameters<History['appendChunks']>;

  /** The chunks of an append at the end of what is stored. Null if they are not there. */
  async function savedChunks(...[key, attempt, chunks, receivedAtMs]: Append): Promise<StreamChunk[] | null> {
    const stored = await history.get(key);
    const former = stored?.attempts.find(({ number }) => number === attempt);
    const chunkCount = stored?.job.attempt === attempt ? stored.job.chunkCount : former?.chunkCount;
    const fromSeq = (chunkCount ?? 0) - chunks.length;
    if (fromSeq < 0) return null;
    const last = await history.chunks(key, attempt, fromSeq, chunks.length);
    // One reader reads a stream, and no two of its replies come at the same time: either these are the ones, or they
    // are not there.
    const isSame = (kept: StreamChunk, sent: NewChunk | undefined): boolean =>
      kept.receivedAtMs === receivedAtMs &&
      kept.outputJson === sent?.outputJson &&
      kept.metricsJson === sent.metricsJson;
    return last.length === chunks.length && last.every((kept, at) => isSame(kept, chunks[at])) ? last : null;
  }

  return {
    ...history,
    // Repeating it changes nothing, because a job is saved by its key, and a request is recognised.
    commit: (changes) =>
      first(
        () => history.commit(changes),
        () => history.commit(changes.map((change) => ({ ...change, isAgain: true }))),
      ),
    recordRequests: (key, requests, isAgain) =>
      first(
        () => history.recordRequests(key, requests, isAgain),
        () => history.recordRequests(key, requests, true),
      ),
    // If it is gone already, it counts as removed.
    removeJob: (key) => repeated(() => history.removeJob(key)),
    binJob: (key) => repeated(() => history.binJob(key)),
    adoptSubmission: (by, fromKey) => repeated(() => history.adoptSubmission(by, fromKey)),
    appendChunks: (...append) =>
      first(
        () => history.appendChunks(...append),
        async () => (await savedChunks(...append)) ?? history.appendChunks(...append),
      ),
    async insertBatch(batch, rowCount) {
      try {
        await history.insertBatch(batch, rowCount);
      } catch (error) {
        if (!isLost(error) || (await repeated(() => history.batchesById([batch.id]))).length === 0) throw error;
      }
    },
  };
}

/**
 * How many calls are sent to the thread at a time. The rest waits for the answers, so that an answer is never far
 * behind its disk flush.
 */
const callsPerBatch = 256;
/** After how long an ended thread is started again, by how often it ended recently. After that it is given up. */
const restartAfterMs: readonly number[] = [0, 100, 400, 1_600];
const latelyMs = 60_000;

/** A call that is waiting for its answer. */
interface Pending {
  settle(reply: Reply): void;
  reject(error: Error): void;
}

/**
 * Sends the calls of the History to the thread that owns the database. A thread that ends unexpectedly (out of memory,
 * a crash) is started again: calls in progress are refused as lost, and the next thread answers what was not sent yet
 * and later calls. If it ends too often in a short time, it is given up.
 */
class HistoryThread {
  readonly #options: Required<HistoryOptions>;
  readonly #pending = new Map<number, Pending>();
  #waiting: Request[] = [];
  /** Sent, and not answered yet. */
  #inProgress: Request[] = [];
  /** Null between two threads, and until one has opened the database. */
  #worker: HistoryWorker | null = null;
  #isFlushPlanned = false;
  /** Set when no more calls are possible, with the reason. */
  #endReason: string | null = null;
  #nextId = 1;
  /** When threads ended unexpectedly in the recent past. */
  #endsMs: number[] = [];
  #wasOpened = false;
  /** That of the last counts. */
  #revision = 0;
  readonly #opened = Promise.withResolvers<SetAside | null>();
  readonly #ended = Promise.withResolvers<void>();
  #isClosing = false;

  constructor(options: Required<HistoryOptions>) {
    this.#options = options;
    this.#start();
  }

  /** The former file that was set aside at the first start, or null. Rejects if no database can be opened. */
  get opened(): Promise<SetAside | null> {
    return this.#opened.promise;
  }

  ask<N extends CallName>(name: N, ...args: CallArguments[N]): Promise<CallAnswers[N]> {
    if (this.#endReason !== null || this.#isClosing)
      return Promise.reject(new HistoryError(this.#endReason ?? historyThreadText.closed, 'storage'));
    return new Promise((resolve, reject) => {
      const id = this.#nextId;
      this.#nextId += 1;
      this.#pending.set(id, {
        settle(reply) {
          if (isAnswerTo(reply, name)) resolve(reply.value);
          else reject(refusalOf(reply, name));
        },
        reject,
      });
      const request: Request<N> = { id, name, args };
      this.#waiting.push(request);
      this.#planFlush();
    });
  }

  close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      this.#planFlush();
    }
    return this.#ended.promise;
  }

  #start(): void {
    const { path, now, startWorker, workerUrl } = this.#options;
    const nowMs = now();
    const start: WorkerStart = { path, nowMs, startOfTodayMs: startOfDay(nowMs), revision: this.#revision };
    const worker = startWorker(workerUrl, { workerData: start, name: 'history' });
    let detail = historyThreadText.noReason;
    let isClosed = false;
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'refused') detail = message.message;
      else if (message.kind === 'closed') isClosed = true;
      else this.#receive(worker, message);
    });
    worker.on('error', (error) => {
      detail = error.message;
    });
    worker.on('exit', () => {
      this.#worker = null;
      if (isClosed) this.#end(historyThreadText.closed);
      else if (this.#wasOpened) this.#startAgain(detail);
      // At the first start there is nothing to continue from: the code that opens the history reports why.
      else this.#end(detail);
    });
  }

  #receive(worker: HistoryWorker, message: Exclude<FromWorker, { kind: 'refused' | 'closed' }>): void {
    const { onEvent, onPreparing } = this.#options;
    switch (message.kind) {
      case 'preparing':
        onPreparing(message.preparing);
        break;
      case 'opened':
        this.#worker = worker;
        if (this.#wasOpened && message.setAside !== null) onEvent({ kind: 'set-aside', setAside: message.setAside });
        this.#wasOpened = true;
        if (message.foldersAside.length > 0) onEvent({ kind: 'folders-aside', paths: message.foldersAside });
        if (message.lostJobs > 0) onEvent({ kind: 'jobs-lost', count: message.lostJobs });
        if (message.heldBack > 0) onEvent({ kind: 'held-back', count: message.heldBack });
        this.#counted(message.counted);
        this.#opened.resolve(message.setAside);
        this.#flush();
        break;
      case 'replies':
        this.#inProgress = [];
        // Before the answers, so that reports of what was committed have matching counts.
        if (message.counted !== null) this.#counted(message.counted);
        for (const reply of message.replies) this.#endWait(reply.id)?.settle(reply);
        this.#flush();
        break;
      case 'unsearchable':
        onEvent({ kind: 'unsearchable', unsearchable: message.unsearchable });
        break;
    }
  }

  #counted(counted: Counted): void {
    this.#revision = counted.counts.revision;
    this.#options.onEvent({ kind: 'counted', ...counted });
  }

  /** The thread ended unexpectedly. */
  #startAgain(detail: string): void {
    const { now, onEvent } = this.#options;
    const nowMs = now();
    this.#endsMs = [...this.#endsMs.filter((atMs) => Math.abs(nowMs - atMs) <= latelyMs), nowMs];
    const delayMs = restartAfterMs[this.#endsMs.length - 1];
    const lost = this.#inProgress;
    this.#inProgress = [];
    if (delayMs === undefined) {
      const reason = historyThreadText.givenUp(this.#endsMs.length, detail);
      onEvent({ kind: 'thread-ended', detail, isStartedAgain: false });
      this.#refuse(lost, new HistoryError(reason, 'storage'));
      this.#end(reason);
      return;
    }
    onEvent({ kind: 'thread-ended', detail, isStartedAgain: true });
    this.#refuse(lost, new HistoryError(historyThreadText.lost(detail), 'lost'));
    setTimeout(() => this.#start(), delayMs);
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#worker === null || this.#inProgress.length > 0) return;
    if (this.#waiting.length > 0) {
      this.#inProgress = this.#waiting.slice(0, callsPerBatch);
      this.#waiting = this.#waiting.slice(callsPerBatch);
      const nowMs = this.#options.now();
      this.#send({ kind: 'calls', requests: this.#inProgress, nowMs, startOfTodayMs: startOfDay(nowMs) });
    } else if (this.#isClosing) this.#send({ kind: 'close' });
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message, []);
  }

  /** Returns the call with this id, which then no longer waits. Undefined if it did not. */
  #endWait(id: number): Pending | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    return call;
  }

  #refuse(requests: readonly Request[], error: HistoryError): void {
    for (const { id } of requests) this.#endWait(id)?.reject(error);
  }

  #end(reason: string): void {
    this.#endReason = reason;
    this.#opened.reject(new Error(reason));
    this.#refuse(this.#waiting, new HistoryError(reason, 'storage'));
    this.#waiting = [];
    this.#ended.resolve();
  }
}

function isAnswerTo<N extends CallName>(reply: Reply, name: N): reply is Answer<N> {
  return reply.isOk && reply.name === name;
}

function refusalOf(reply: Reply, called: CallName): Error {
  if (reply.isOk) return new Error(`The history answered ${reply.name} where ${called} was asked.`);
  return new HistoryError(reply.message, reply.isStorageTrouble ? 'storage' : 'change');
}
