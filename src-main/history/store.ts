import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';
import type { History, HistoryEvent } from './history.ts';
import { settlingLosses } from './lost-answers.ts';
import type { CallArguments } from './operations.ts';
import { callNames } from './protocol.ts';
import type { Preparing, SetAside } from './records.ts';
import { HistoryThread } from './thread.ts';

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
