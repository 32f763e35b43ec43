import type { Worker, WorkerOptions } from 'node:worker_threads';
import { HistoryError } from './history-error.ts';
import type { HistoryEvent, Preparing, SetAside } from './history.ts';
import type {
  Answer,
  CallAnswers,
  CallArguments,
  CallName,
  FromWorker,
  Reply,
  Request,
  ToWorker,
  WorkerStart,
} from './protocol.ts';

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

/** The calls of the History, carried to the thread that owns the database. */
export interface Thread {
  /** Of its first run; rejects where no database can be opened at all. */
  opened: Promise<SetAside | null>;
  ask<N extends CallName>(name: N, ...args: CallArguments[N]): Promise<CallAnswers[N]>;
  close(): Promise<void>;
}

interface Pending {
  settle(reply: Reply): void;
  reject(error: Error): void;
}

const closedMessage = 'The history is closed.';

/**
 * Starts the thread, and starts it again when it ends by itself (out of memory, a crash): what was under way is then
 * refused as lost, what was not sent yet and what is asked later is answered by the next one. One that ends too often
 * in a short time is given up.
 */
export function createThread(options: ThreadOptions): Thread {
  const { now, onEvent } = options;
  const pending = new Map<number, Pending>();
  let waiting: Request[] = [];
  /** Sent, and not answered yet. */
  let underWay: Request[] = [];
  /** Null between two threads, and until one has opened the database. */
  let worker: Worker | null = null;
  let isFlushPlanned = false;
  /** Set once nothing more can be asked, with the reason. */
  let endReason: string | null = null;
  let nextId = 1;
  let endsMs: number[] = [];
  let wasOpened = false;
  const opened = Promise.withResolvers<SetAside | null>();
  const ended = Promise.withResolvers<void>();
  let closing: Promise<void> | null = null;

  const send = (message: ToWorker): void => worker?.postMessage(message, []);
  const flush = (): void => {
    isFlushPlanned = false;
    if (worker === null || underWay.length > 0) return;
    if (waiting.length > 0) {
      underWay = waiting.slice(0, callsPerBatch);
      waiting = waiting.slice(callsPerBatch);
      send({ kind: 'calls', requests: underWay, nowMs: now(), startOfTodayMs: startOfDay(now()) });
    } else if (closing !== null) send({ kind: 'close' });
  };
  const planFlush = (): void => {
    if (isFlushPlanned) return;
    isFlushPlanned = true;
    queueMicrotask(flush);
  };
  const refuse = (requests: readonly Request[], error: HistoryError): void => {
    for (const { id } of requests) {
      const call = pending.get(id);
      pending.delete(id);
      call?.reject(error);
    }
  };
  const end = (reason: string): void => {
    endReason = reason;
    opened.reject(new Error(reason));
    refuse(waiting, new HistoryError(reason, 'storage'));
    waiting = [];
    ended.resolve();
  };

  function start(): void {
    const started: WorkerStart = { path: options.path, nowMs: now() };
    const next = options.startWorker(options.workerUrl, { workerData: started, name: 'history' });
    let detail = 'it ended without a reason';
    let isClosed = false;
    next.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'preparing':
          options.onPreparing(message.preparing);
          break;
        case 'opened':
          worker = next;
          if (wasOpened && message.setAside !== null) onEvent({ kind: 'set-aside', setAside: message.setAside });
          wasOpened = true;
          opened.resolve(message.setAside);
          flush();
          break;
        case 'refused':
          detail = message.message;
          break;
        case 'replies':
          underWay = [];
          for (const reply of message.replies) {
            const call = pending.get(reply.id);
            pending.delete(reply.id);
            call?.settle(reply);
          }
          flush();
          break;
        case 'left-out':
          onEvent({ kind: 'left-out', leftOut: message.leftOut });
          break;
        case 'closed':
          isClosed = true;
          break;
      }
    });
    next.on('error', (error) => {
      detail = error.message;
    });
    next.on('exit', () => {
      worker = null;
      if (isClosed) end(closedMessage);
      else if (wasOpened) goOn(detail);
      // As the app starts there is nothing to go on with: whoever opens the history says why.
      else end(detail);
    });
  }

  /** The thread ended by itself. */
  function goOn(detail: string): void {
    const nowMs = now();
    endsMs = [...endsMs.filter((atMs) => Math.abs(nowMs - atMs) <= latelyMs), nowMs];
    const delayMs = restartAfterMs[endsMs.length - 1];
    const lost = underWay;
    underWay = [];
    if (delayMs === undefined) {
      const often = `The history's thread ended ${endsMs.length} times within a minute and is not started again`;
      const reason = `${often}: ${detail}. Nothing is saved any more. Restart Jobdeck.`;
      onEvent({ kind: 'thread-ended', detail, isStartedAgain: false });
      refuse(lost, new HistoryError(reason, 'storage'));
      end(reason);
      return;
    }
    onEvent({ kind: 'thread-ended', detail, isStartedAgain: true });
    const lostReason = `The history's thread ended unexpectedly, and what was under way may not be saved: ${detail}.`;
    refuse(lost, new HistoryError(`${lostReason} It is started again; try once more.`, 'lost'));
    setTimeout(start, delayMs);
  }

  start();
  return {
    opened: opened.promise,
    ask<N extends CallName>(name: N, ...args: CallArguments[N]): Promise<CallAnswers[N]> {
      if (endReason !== null || closing !== null)
        return Promise.reject(new HistoryError(endReason ?? closedMessage, 'storage'));
      return new Promise((resolve, reject) => {
        const id = nextId;
        nextId += 1;
        pending.set(id, {
          settle(reply) {
            if (isAnswerTo(reply, name)) resolve(reply.value);
            else reject(refusalOf(reply, name));
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
        planFlush();
      }
      return closing;
    },
  };
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
