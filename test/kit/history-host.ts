import { parentPort } from 'node:worker_threads';
import { serveHistory } from '../../src-main/history/history-server.ts';
import type { HostedHistory } from './hosted-threads.ts';
import { threadScript } from './threads.ts';

/** Most tests search nothing, and the index's thread costs as much as the history's. A search starts it at once. */
const options = { indexScript: threadScript('history'), indexAfterMs: 5_000 };

/* A thread that serves one history after the other. See hosted-threads.ts. */
parentPort?.on('message', ({ port, start }: HostedHistory) => serveHistory(port, start, options));
