import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { closeApps, newFolder, openApp, removeAppFolders } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

it('a start deletes what a crash left unfinished, the copy of a backup first, and nothing else', async () => {
  const dataDir = await newFolder();
  const left = [
    'history.db-incoming',
    'history.db-incoming-wal',
    'history.db-export.0a1b2c3d.part',
    'history.db-restore-shm',
  ];
  const kept = ['history.before-restore-2026-01-01.db', 'history.damaged-2026-01-01.db', 'own.part', 'incoming'];
  for (const name of [...left, ...kept]) writeFileSync(join(dataDir, name), 'x');
  await openApp({ dataDir });
  const names = readdirSync(dataDir);
  expect(names.filter((name) => left.includes(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(kept));
});
