import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createFaultService, type FaultService } from '../../kit/fault-service.ts';
import { closeApps, newFolder, openApp, removeAppFolders } from './app-scene.ts';

let service: FaultService | undefined;
afterEach(async () => {
  await closeApps();
  await service?.close();
  service = undefined;
});
afterAll(removeAppFolders);

it('a second Jobdeck with the same data, by any path, does not start: it would send what the first one sends', async () => {
  const answering = await createFaultService();
  service = answering;
  const submissions = (): number => answering.requests.filter(({ path }) => path.endsWith('/run')).length;
  answering.otherwise({ kind: 'reply', status: 429, body: { error: 'Slow down.' } });
  const first = await openApp();
  const { id: connectionId } = await first.connect({
    baseUrl: answering.url,
    apiKey: 'a-key-0123456789',
    endpoints: ['echo'],
  });
  const { key } = await first.submit({ connectionId, endpointId: 'echo', input: { n: 1 } });
  await first.untilSeen(() => submissions() > 0);
  const link = join(await newFolder(), 'the-same-folder');
  await symlink(first.dataDir, link);

  await expect(openApp({ dataDir: link })).rejects.toThrow('Another Jobdeck');

  const before = submissions();
  answering.otherwise({ kind: 'reply', body: { id: 'job-1', status: 'COMPLETED', output: 'kept' } });
  await first.untilEnd(key);
  expect(submissions() - before).toBe(1);
  await first.close();
  const next = await openApp({ dataDir: link });
  expect(await next.answer('connection:list', undefined)).toHaveLength(1);
});

it('a data folder that cannot be locked is used as before', async () => {
  const dataDir = await newFolder();
  // As where a file system has no locks: SQLite cannot open this.
  await mkdir(join(dataDir, 'jobdeck.lock'));
  const app = await openApp({ dataDir });
  expect(await app.answer('connection:list', undefined)).toEqual([]);
});
