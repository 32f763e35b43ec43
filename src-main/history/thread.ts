import type { Worker, WorkerOptions } from 'node:worker_threads';
import { HistoryError, type HistoryEvent } from './history.ts';
import type { CallAnswers, CallArguments, CallName } from './operations.ts';
import type { Answer, FromWorker, Reply, Request, ToWorker, WorkerStart } from './protocol.ts';
import type { Preparing, SetAside } from './records.ts';

/**
 * Calls sent to the thread at once; the rest waits for the answers, so that an answer is never far behind its disk
 * flush.
 */
const callsPerBatch = 256;
/** A thread that ended is started again after so long, by how often it ended lately; once more, and it is given up. */
const restartAfterMs: readonly number[] = [0, 100, 400, 1_600];
const latelyMs = 60_000;

export interface ThreadOptions {
  /** The database file; made with its folder when it is absent. */
  path: string;
  workerUrl: URL;
  startWorker: (url: URL, options: WorkerOptions) => Worker;
  now: () => number;
  onPreparing: (preparing: Preparing) => void;
  onEvent: (event: HistoryEvent) => void;
}

/** A call that is waiting for its answer. */
interface Pending {
  settle(reply: Reply): void;
  reject(error: Error): void;
}

const closedMessage = 'The history is closed.';

/**
 * The calls of the History, carried to the thread that owns the database. A thread that ends by itself (out of memory,
 * a crash) is started again: what was under way is then refused as lost, what was not sent yet and what is asked later
 * is answered by the next one. One that ends too often in a short time is given up.
 */
export class HistoryThread {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #waiting: Request[] = [];
  /** Sent, and not answered yet. */
  #underWay: Request[] = [];
  /** Null between two threads, and until one has opened the database. */
  #worker: Worker | null = null;
  #isFlushPlanned = false;
  /** Set once nothing more can be asked, with the reason. */
  #endReason: string | null = null;
  #nextId = 1;
  /** When a thread ended by itself lately. */
  #endsMs: number[] = [];
  #wasOpened = false;
  readonly #opened = Promise.withResolvers<SetAside | null>();
  readonly #ended = Promise.withResolvers<void>();
  #isClosing = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#start();
  }

  /** Whether a former file was set aside at the first start; rejects where no database can be opened at all. */
  get opened(): Promise<SetAside | null> {
    return this.#opened.promise;
  }

  ask<N extends CallName>(name: N, ...args: CallArguments[N]): Promise<CallAnswers[N]> {
    if (this.#endReason !== null || this.#isClosing)
      return Promise.reject(new HistoryError(this.#endReason ?? closedMessage, 'storage'));
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
    const start: WorkerStart = { path, nowMs: now() };
    const worker = startWorker(workerUrl, { workerData: start, name: 'history' });
    let detail = 'it ended without a reason';
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
      if (isClosed) this.#end(closedMessage);
      else if (this.#wasOpened) this.#startAgain(detail);
      // As the app starts there is nothing to go on with: whoever opens the history says why.
      else this.#end(detail);
    });
  }

  #receive(worker: Worker, message: Exclude<FromWorker, { kind: 'refused' | 'closed' }>): void {
    const { onEvent, onPreparing } = this.#options;
    switch (message.kind) {
      case 'preparing':
        onPreparing(message.preparing);
        break;
      case 'opened':
        this.#worker = worker;
        if (this.#wasOpened && message.setAside !== null) onEvent({ kind: 'set-aside', setAside: message.setAside });
        this.#wasOpened = true;
        this.#opened.resolve(message.setAside);
        this.#flush();
        break;
      case 'replies':
        this.#underWay = [];
        for (const reply of message.replies) this.#taken(reply.id)?.settle(reply);
        this.#flush();
        break;
      case 'left-out':
        onEvent({ kind: 'left-out', leftOut: message.leftOut });
        break;
    }
  }

  /** The thread ended by itself. */
  #startAgain(detail: string): void {
    const { now, onEvent } = this.#options;
    const nowMs = now();
    this.#endsMs = [...this.#endsMs.filter((atMs) => Math.abs(nowMs - atMs) <= latelyMs), nowMs];
    const delayMs = restartAfterMs[this.#endsMs.length - 1];
    const lost = this.#underWay;
    this.#underWay = [];
    if (delayMs === undefined) {
      const often = `The history's thread ended ${this.#endsMs.length} times within a minute and is not started again`;
      const reason = `${often}: ${detail}. Nothing is saved any more. Restart Jobdeck.`;
      onEvent({ kind: 'thread-ended', detail, isStartedAgain: false });
      this.#refuse(lost, new HistoryError(reason, 'storage'));
      this.#end(reason);
      return;
    }
    onEvent({ kind: 'thread-ended', detail, isStartedAgain: true });
    const lostReason = `The history's thread ended unexpectedly, and what was under way may not be saved: ${detail}.`;
    this.#refuse(lost, new HistoryError(`${lostReason} It is started again; try once more.`, 'lost'));
    setTimeout(() => this.#start(), delayMs);
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#worker === null || this.#underWay.length > 0) return;
    if (this.#waiting.length > 0) {
      this.#underWay = this.#waiting.slice(0, callsPerBatch);
      this.#waiting = this.#waiting.slice(callsPerBatch);
      const nowMs = this.#options.now();
      this.#send({ kind: 'calls', requests: this.#underWay, nowMs, startOfTodayMs: startOfDay(nowMs) });
    } else if (this.#isClosing) this.#send({ kind: 'close' });
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message, []);
  }

  /** The call that waits under this id; nobody waits there any more. */
  #taken(id: number): Pending | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    return call;
  }

  #refuse(requests: readonly Request[], error: HistoryError): void {
    for (const { id } of requests) this.#taken(id)?.reject(error);
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

function refusalOf(reply: Reply, asked: CallName): Error {
  if (reply.isOk) return new Error(`The history answered ${reply.name} where ${asked} was asked.`);
  return new HistoryError(reply.message, reply.isStorageTrouble ? 'storage' : 'change');
}

function startOfDay(nowMs: number): number {
  return new Date(nowMs).setHours(0, 0, 0, 0);
}
