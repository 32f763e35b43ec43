import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { createNews } from '../../../src-main/engine/engine-events.ts';
import { openStorage } from '../../../src-main/engine/foundation.ts';
import { createLog } from '../../../src-main/log.ts';
import type { Events } from '../../../src-preload/events.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { createWatchers } from '../../kit/watchers.ts';
import { newFolder, removeAppFolders, threads } from './app-scene.ts';

afterAll(removeAppFolders);

it('a batch that cannot be read when it changes is reported when it can be, even if nothing else changes', async () => {
  const dataDir = await newFolder();
  const clock = createVirtualClock();
  const told: Events['job:changed'][] = [];
  const { notify, until } = createWatchers();
  const news = createNews((error) => {
    throw error;
  });
  news.listen((name, payload) => {
    if (name === 'job:changed' && 'removedKeys' in payload) told.push(payload);
    notify();
  });
  const { history, closing } = await openStorage({
    dataDir,
    clock,
    threads,
    loadKeytar: () => Promise.reject(new Error('There is no keychain.')),
    safeStorage: null,
    isSandboxAllowed: false,
    news,
    log: createLog({ write: () => {}, now: clock.now }),
  });
  const job = aJob({ batchId: 'b1', batchRow: 1, phase: 'waiting', status: null, jobId: null });
  const submission = { inputText: '{}', policy: {}, webhook: null, waitMs: null, s3ProfileId: null };
  await history.stageBatchRows('b1', [{ job, submission }]);
  const limits = { maxLive: null, stopAfterFailures: null };
  const batch = { id: 'b1', name: 'Nightly', connectionId: 'c1', endpointId: 'echo', operation: 'run' } as const;
  await history.insertBatch({ ...batch, createdAtMs: 0, limits }, 1);
  await until(() => told.some(({ batches }) => batches[0]?.counts.waiting === 1));
  expect(clock.pending()).toBe(0);

  const disk = new DatabaseSync(join(dataDir, 'history.db'));
  disk.exec("UPDATE batches SET operation = 'unheard of'");
  await history.commit([{ job: { ...job, phase: 'active', status: 'IN_QUEUE', jobId: 'j1' } }]);
  await until(() => told.at(-1)?.counts.all.queued === 1);
  expect(told.at(-1)?.batches).toEqual([]);
  disk.exec("UPDATE batches SET operation = 'run'");
  disk.close();
  await clock.advance(1_000);
  await until(() => told.at(-1)?.batches[0]?.counts.active === 1);
  expect(clock.pending()).toBe(0);
  await closing.all();
});
