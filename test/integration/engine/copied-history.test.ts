import { cpSync } from 'node:fs';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { closeApps, newFolder, openApp, removeAppFolders, type App } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

async function jobIn(app: App, key: string): Promise<Job> {
  return (await app.answer('job:get', { key })).job;
}

it('a copy of a history with a waiting job sends nothing and says so; the original sends it', async () => {
  const app = await openApp();
  const { dataDir } = app;
  const { id: connectionId } = await app.answer('connection:openSandbox', undefined);
  await app.answer('tracker:pause', undefined);
  const { key } = await app.submit({ connectionId, endpointId: 'echo' });
  expect(await jobIn(app, key)).toMatchObject({ phase: 'waiting' });
  await app.close();

  // As a backup of the data folder is restored, or it is taken along to another computer.
  const copy = await newFolder();
  cpSync(dataDir, copy, { recursive: true });
  const copied = await openApp({ dataDir: copy });
  expect(await jobIn(copied, key)).toMatchObject({ phase: 'outcome-unknown', jobId: null });
  expect(copied.engine.notices()).toMatchObject([{ id: 'history-copied', tone: 'warning' }]);
  await copied.close();
  // Once: from then on it is a history of its own.
  const again = await openApp({ dataDir: copy });
  expect(again.engine.notices()).toEqual([]);
  await again.close();

  const original = await openApp({ dataDir });
  expect(await original.untilEnd(key)).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  expect(original.engine.notices()).toEqual([]);
});
