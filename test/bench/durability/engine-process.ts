import { join } from 'node:path';
import { openEngine } from '../../../src-main/engine/engine.ts';
import type { Engine } from '../../../src-main/engine/engine.ts';
import { createNews } from '../../../src-main/engine/engine-events.ts';
import { systemClock } from '../../../src-main/time/clock.ts';
import { openLogFile, createLog } from '../../../src-main/log.ts';
import type { Result } from '../../../src-preload/failure.ts';
import type { FromClient, ToClient } from './messages.ts';
import { noteReceipts } from './receipts.ts';

/**
 * The app's engine as a process that can be killed: real threads, database and HTTP, no Electron. The key comes with
 * `start` and is only valid for the session, so every start has to provide it again.
 */
const window = { windowId: 1 };
let engine: Engine | null = null;
let connectionId = '';
let endpointId = '';
let watched: string[] = [];

function send(message: FromClient): void {
  process.send?.(message);
}

async function start({ folder, baseUrl, apiKey, endpointId: id }: Extract<ToClient, { kind: 'start' }>): Promise<void> {
  noteReceipts(folder);
  const logFile = openLogFile({ path: join(folder, 'jobdeck.log') });
  const news = createNews((error) => {
    throw error;
  });
  news.listen((name, payload) => {
    if (name !== 'job:changed' || !('jobs' in payload)) return;
    for (const { key, chunkCount, isResultSaved } of payload.jobs)
      send({ kind: 'reported', key, chunkCount, isResultSaved });
  });
  engine = await openEngine({
    dataDir: folder,
    clock: systemClock,
    threads: {
      history: new URL('../../../src-main/history/history-thread.ts', import.meta.url),
      backup: new URL('../../../src-main/history/backup/backup-thread.ts', import.meta.url),
      sandbox: new URL('../../../src-main/sandbox/sandbox-thread.ts', import.meta.url),
      sandboxHandler: new URL('../../../src-main/sandbox/workers/handler-thread.ts', import.meta.url),
      replies: new URL('../../../src-main/service/reply-thread.ts', import.meta.url),
    },
    loadKeytar: () => Promise.reject(new Error('keytar is not used here')),
    safeStorage: null,
    isSandboxAllowed: false,
    news,
    log: createLog({ write: logFile.write, now: systemClock.now, lowestLevel: 'info' }),
  });
  const { handlers } = engine;
  endpointId = id;
  const [known] = taken(await handlers['connection:list'](undefined, window));
  if (known === undefined) {
    const draft = {
      name: 'The service',
      baseUrl,
      restUrl: '',
      authorization: 'bearer' as const,
      endpoints: [{ id, label: '', flavour: 'other' as const }],
    };
    connectionId = taken(await handlers['connection:save']({ draft, key: apiKey }, window)).connection.id;
  } else {
    const { id: knownId, name, restUrl, authorization, endpoints } = known;
    connectionId = knownId;
    taken(
      await handlers['connection:save'](
        { draft: { id: knownId, name, baseUrl: known.baseUrl, restUrl, authorization, endpoints }, key: apiKey },
        window,
      ),
    );
  }
  send({ kind: 'ready' });
}

async function answer(message: Exclude<ToClient, { kind: 'start' }>): Promise<void> {
  if (engine === null) throw new Error('Not started.');
  const { ask } = message;
  switch (message.kind) {
    case 'submit': {
      const job = await engine.handlers['job:submit'](
        {
          connectionId,
          endpointId,
          operation: message.operation,
          inputText: message.inputText,
          ...(message.ttlMs === null ? {} : { policy: { ttl: message.ttlMs } }),
        },
        window,
      );
      if (job.ok && message.isWatched) {
        watched = [...watched, job.value.key].slice(-6);
        // As many windows, each with one of these jobs open.
        for (const [at, openKey] of watched.entries())
          await engine.handlers['job:watch']({ openKey, rowKeys: [] }, { windowId: 100 + at });
      }
      return send({ kind: 'submitted', ask, isTaken: job.ok, said: job.ok ? job.value.key : job.failure.message });
    }
    case 'live':
      return send({ kind: 'live', ask, count: (await engine.history.liveJobs()).length });
    case 'close':
      await engine.close();
      send({ kind: 'closed', ask });
      process.disconnect();
  }
}

function taken<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

process.on('message', (message: ToClient) => {
  // A defect here must be visible in the bench, and not counted as a kill.
  const done = message.kind === 'start' ? start(message) : answer(message);
  done.catch((error: unknown) => {
    console.error(error);
    process.exit(70);
  });
});
process.once('disconnect', () => process.exit(0));
