import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openHistory } from '../../src-main/history/open-history.ts';
import type { HistoryOptions } from '../../src-main/history/open-history.ts';
import { hostedThread } from './hosted-threads.ts';

/** The folder with bundled threads (test/run/bundled-threads.ts). */
export const bundledThreadsVariable = 'JOBDECK_BUNDLED_THREADS';

/** The sources of the app's threads that are worth bundling. */
export const threadSources = {
  history: new URL('../../src-main/history/history-thread.ts', import.meta.url),
  histories: new URL('history-host.ts', import.meta.url),
  backup: new URL('../../src-main/history/backup/backup-thread.ts', import.meta.url),
  sandbox: new URL('../../src-main/sandbox/sandbox-thread.ts', import.meta.url),
  sandboxHandler: new URL('../../src-main/sandbox/workers/handler-thread.ts', import.meta.url),
};

/** The script of a thread: bundled where the suite did so, else its source. */
export function threadScript(name: keyof typeof threadSources): URL {
  const folder = process.env[bundledThreadsVariable];
  return folder === undefined ? threadSources[name] : pathToFileURL(join(folder, `${name}.js`));
}

/** As `openHistory`, with a thread that served other histories before: for tests that are not about its thread. */
export function openTestHistory(options: HistoryOptions): ReturnType<typeof openHistory> {
  return openHistory({
    startWorker: (url, { workerData }) => hostedThread(url, workerData),
    workerUrl: threadScript('histories'),
    ...options,
  });
}
