import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { FromWorker, HistoryWorker, HistoryWorkerEvents, WorkerStart } from '../../src-main/history/protocol.ts';

/** To a thread that hosts histories: the next one, and the port by which it is spoken to. */
export interface HostedHistory {
  port: MessagePort;
  start: WorkerStart;
}

/** Hosts without a history. */
const free: Worker[] = [];

/**
 * A thread for one history, as `openHistory` starts it. To start and end a thread costs more than most tests do with
 * it, so one whose history was closed serves the next. `script` is that of test/kit/history-host.ts.
 */
export function hostedThread(script: URL, start: WorkerStart): HistoryWorker {
  const host = free.pop() ?? newHost(script);
  const { port1: port, port2 } = new MessageChannel();
  const listeners: { [N in keyof HistoryWorkerEvents]: ((...args: HistoryWorkerEvents[N]) => void)[] } = {
    message: [],
    error: [],
    exit: [],
  };
  let hasEnded = false;
  const onError = (error: Error): void => listeners.error.forEach((hear) => hear(error));
  const onExit = (): void => listeners.exit.forEach((hear) => hear());

  port.on('message', (message: FromWorker) => {
    if (message.kind === 'closed' || message.kind === 'refused') hasEnded = true;
    for (const hear of listeners.message) hear(message);
  });
  port.on('close', () => {
    // If the host itself ended, its own events say so.
    if (!hasEnded) return;
    host.off('error', onError);
    host.off('exit', onExit);
    host.unref();
    free.push(host);
    onExit();
  });
  host.on('error', onError);
  host.on('exit', onExit);
  host.ref();
  const hosted: HostedHistory = { port: port2, start };
  host.postMessage(hosted, [port2]);
  return {
    on: (event, listener) => listeners[event].push(listener),
    postMessage: (message) => port.postMessage(message, []),
  };
}

function newHost(script: URL): Worker {
  return new Worker(script, { workerData: null, name: 'histories' });
}
