import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

/**
 * Everything below a folder that other users may read or enter, as mode and name. Windows has no such permissions: there
 * the user's own folder keeps others out.
 */
function openToOthers(folder: string): string[] {
  if (process.platform === 'win32') return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(folder)
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => `${(statSync(path).mode & 0o777).toString(8)} ${path}`);
}

it('the data folder and everything in it are only for this user, whatever a former version left', async () => {
  process.umask(0o022);
  const app = await openApp();
  await app.answer('connection:openSandbox', undefined);
  const [connection] = await app.answer('connection:list', undefined);
  const job = await app.submit({ connectionId: connection?.id ?? '', endpointId: 'echo', input: { a: 1 } });
  await app.untilEnd(job.key);
  expect(readdirSync(app.dataDir)).toEqual(expect.arrayContaining(['history.db', 'history.db-wal', 'sandbox.db']));
  expect(openToOthers(app.dataDir)).toEqual([]);
  await app.close();

  for (const name of ['history.db', 'jobdeck.log']) chmodSync(join(app.dataDir, name), 0o644);
  writeFileSync(join(app.dataDir, 'history.damaged-2026-01-01.db'), 'x', { mode: 0o644 });
  chmodSync(app.dataDir, 0o755);
  const again = await openApp({ dataDir: app.dataDir });
  expect(openToOthers(again.dataDir)).toEqual([]);
});
