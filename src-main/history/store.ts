import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type History, type HistoryEvent, isLost } from './history.ts';
import type { CallArguments } from './operations.ts';
import { callNames } from './protocol.ts';
import type { Preparing, SetAside, NewChunk } from './records.ts';
import { HistoryThread } from './thread.ts';
import type { StreamChunk } from '../../src-preload/job.ts';

export interface HistoryOptions {
  /** The database file; made with its folder when it is absent. */
  path: string;
  /** The thread's script. By default the source beside this file; the app passes the bundled one. */
  workerUrl?: URL;
  now: () => number;
  /** Called before opening where it takes seconds. */
  onPreparing?: (preparing: Preparing) => void;
  /** Called with what happens to the history beside its calls. */
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
 * The calls that must be done once and not twice, over a thread that may end before it answers: each finds out what
 * became of it from the thread that took its place. What is only read, or may be asked for again, is refused as it is.
 */
export function settlingLosses(history: History): History {
  /** Asks until there is an answer; it ends with the thread, when that is started again no more. */
  async function repeated<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isLost(error)) throw error;
      }
    }
  }

  type Append = Parameters<History['appendChunks']>;

  /** The chunks of an append at the end of what is stored; null when they are not there. */
  async function keptChunks(...[key, attempt, chunks, receivedAtMs]: Append): Promise<StreamChunk[] | null> {
    const stored = await history.get(key);
    const former = stored?.attempts.find(({ number }) => number === attempt);
    const chunkCount = stored?.job.attempt === attempt ? stored.job.chunkCount : former?.chunkCount;
    const fromSeq = (chunkCount ?? 0) - chunks.length;
    if (fromSeq < 0) return null;
    const last = await history.chunks(key, attempt, fromSeq, chunks.length);
    // One reader reads a stream, and no two of its replies come at once: these are the ones, or they are not there.
    const isSame = (kept: StreamChunk, asked: NewChunk | undefined): boolean =>
      kept.receivedAtMs === receivedAtMs &&
      kept.outputJson === asked?.outputJson &&
      kept.metricsJson === asked.metricsJson;
    return last.length === chunks.length && last.every((kept, at) => isSame(kept, chunks[at])) ? last : null;
  }

  return {
    ...history,
    // Said twice it is the same: a job is kept by its key.
    commit: (changes) => repeated(() => history.commit(changes)),
    async appendChunks(...append) {
      try {
        return await history.appendChunks(...append);
      } catch (error) {
        if (!isLost(error)) throw error;
      }
      return repeated(async () => (await keptChunks(...append)) ?? history.appendChunks(...append));
    },
    async insertBatch(batch, rowCount) {
      try {
        await history.insertBatch(batch, rowCount);
      } catch (error) {
        if (!isLost(error) || (await repeated(() => history.batchesById([batch.id]))).length === 0) throw error;
      }
    },
  };
}
