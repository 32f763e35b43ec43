import { parentPort } from 'node:worker_threads';
import { serveHistory } from '../../src-main/history/history-thread.ts';
import type { HostedHistory } from './hosted-threads.ts';

/** Most tests search nothing, and the index's thread costs as much as the history's. A search starts it at once. */
const indexThreadAfterMs = 5_000;

/* A thread that serves one history after the other. See hosted-threads.ts. */
parentPort?.on('message', ({ port, start }: HostedHistory) => serveHistory(port, start, indexThreadAfterMs));
