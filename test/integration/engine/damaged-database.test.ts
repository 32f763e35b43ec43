import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeApps, listed, newFolder, openApp, removeAppFolders } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

let former: Buffer;
beforeAll(async () => {
  const app = await openApp();
  await app.connect({ baseUrl: 'http://127.0.0.1:9', apiKey: 'a-key-0123456789', endpoints: ['ep'] });
  await app.close();
  former = await readFile(join(app.dataDir, 'history.db'));
});

/** Every page but the first overwritten: SQLite opens it and finds nothing it can read. */
function tornPages(sound: Buffer): Buffer {
  return Buffer.concat([sound.subarray(0, 4_096), Buffer.alloc(sound.length - 4_096, 0x5a)]);
}

describe('a history that cannot be used', () => {
  it.each([
    {
      what: 'with torn pages',
      damage: async (path: string) => writeFile(path, tornPages(former)),
      why: 'could not be read',
      isReadable: false,
    },
    {
      what: 'that is another file',
      damage: async (path: string) => writeFile(path, 'Dear diary, '.repeat(1_000)),
      why: 'is not a Jobdeck database',
      isReadable: false,
    },
    {
      what: 'of a newer Jobdeck',
      damage: async (path: string) => {
        await writeFile(path, former);
        const db = new DatabaseSync(path);
        db.exec('PRAGMA user_version = 9999');
        db.close();
      },
      why: 'was written by a newer version of Jobdeck',
      isReadable: true,
    },
  ])(
    '$what is set aside whole and reported, and the app starts; readable connections are imported',
    async ({ damage, why, isReadable }) => {
      const dataDir = await newFolder();
      const path = join(dataDir, 'history.db');
      await damage(path);
      const bytes = await readFile(path);

      const app = await openApp({ dataDir });
      const { notices } = await app.answer('app:info', undefined);
      expect((await app.answer('connection:list', undefined)).length > 0).toBe(isReadable);
      expect(notices).toEqual([
        {
          id: expect.any(String),
          tone: 'warning',
          title: 'Your previous history was set aside',
          text: expect.stringContaining(why),
          atMs: expect.any(Number),
          path: expect.any(String),
        },
      ]);
      expect(app.told['notice:added']).toEqual(notices);
      const aside = notices[0]?.path ?? '';
      expect(aside).toMatch(/-\d{4}-\d{2}-\d{2}T/);
      expect(dirname(aside)).toBe(dataDir);
      expect((await readFile(aside)).equals(bytes)).toBe(true);

      expect(await app.answer('connection:list', undefined)).toHaveLength(isReadable ? 1 : 0);
      expect(notices[0]?.text).toContain(
        isReadable ? 'Your connections and settings were recovered' : 'Jobdeck started empty',
      );
      expect(await listed(app)).toMatchObject({ jobs: [], allTotal: 0 });

      // The one in its place is kept, and nothing is reported at the next start.
      await app.answer('settings:change', { theme: 'dark' });
      await app.answer('notice:dismiss', { id: notices[0]?.id ?? '' });
      expect((await app.answer('app:info', undefined)).notices).toEqual([]);
      await app.close();
      const again = await openApp({ dataDir });
      expect(again.engine.notices()).toEqual([]);
      expect(await again.answer('settings:get', undefined)).toMatchObject({ theme: 'dark' });
    },
  );

  it('and cannot be created again ends the start', async () => {
    const dataDir = await newFolder();
    await writeFile(join(dataDir, 'taken'), 'a file where the folder would be');
    await expect(openApp({ dataDir: join(dataDir, 'taken') })).rejects.toThrow();
  });
});
