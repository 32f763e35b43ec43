import { parentPort, workerData } from 'node:worker_threads';
import { serveHistory } from './history-server.ts';
import type { WorkerStart } from './protocol.ts';
import { serveIndex, type IndexThreadStart } from './search/serve-index.ts';

/* The first file of both threads of the history: of the one that owns the database, and of the one that owns the
   search index. */
if (parentPort === null) throw new Error('This file runs only as a thread.');
const start: WorkerStart | IndexThreadStart = workerData;
if ('kind' in start) serveIndex(parentPort, start);
else serveHistory(parentPort, start, { indexScript: new URL(import.meta.url) });
