import { parentPort, workerData } from 'node:worker_threads';
import type { HandlerWorkerData } from './handler-protocol.ts';

/** The entry of a handler thread: of one worker, or of many that share it. Each loads only its own part. */

if (parentPort === null) throw new Error('The handler thread runs as a worker thread only.');
const data: HandlerWorkerData = workerData;
// Not awaited: in a bundle, what is imported later may be part of this file and would wait for it.
if (data === 'shared') void import('./shared-workers.ts');
else void import('./own-worker.ts');
