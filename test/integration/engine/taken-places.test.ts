import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';
import { closeApps, listed, newFolder, openApp, removeAppFolders, type App } from './app-scene.ts';
import { createSealing } from './sealing.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

const ended = { phase: 'finished', status: 'COMPLETED' } as const;

let former: string;
beforeAll(async () => {
  former = await newFolder();
  const { db } = openDatabase(join(former, 'history.db'), 0);
  commit(db, [
    { job: aJob({ key: 'k1', ...ended }), bodies: [{ part: 'output', attempt: 1, text: '"lantern"' }] },
    { job: aJob({ key: 'k2', ...ended }), bodies: [] },
  ]);
  db.close();
});

/** A copy of a data folder with jobs, and the path of this file in it. */
async function folderWith(name: string): Promise<{ dataDir: string; place: string }> {
  const dataDir = await newFolder();
  await cp(former, dataDir, { recursive: true });
  return { dataDir, place: join(dataDir, name) };
}

/** Puts a folder of the user's in this place, with a file in it. */
function putFolder(place: string): void {
  rmSync(place, { force: true });
  mkdirSync(place);
  writeFileSync(join(place, 'mine.txt'), 'mine');
}

async function foundKeys(app: App, text: string): Promise<string[]> {
  const found = await app.answer('job:list', { filter: { ...emptyFilter, text }, beforeKey: null, limit: 10 });
  return found.jobs.map(({ key }) => key);
}

describe('something else in the place of the history', () => {
  it.each(['history.db', 'history.db-wal', 'history.db-shm'])(
    'a folder (%s) prevents the start, which says what to do and changes nothing',
    async (name) => {
      const { dataDir, place } = await folderWith(name);
      putFolder(place);
      await expect(openApp({ dataDir })).rejects.toThrow(
        `A folder is in the place of Jobdeck’s file ${place}. Move the folder elsewhere, then try again.`,
      );
      expect(readFileSync(join(place, 'mine.txt'), 'utf8')).toBe('mine');
      if (name === 'history.db') return;
      renameSync(place, join(dataDir, 'moved'));
      expect(await listed(await openApp({ dataDir }))).toMatchObject({ allTotal: 2 });
    },
  );

  it('a link to a drive that is not connected prevents the start, and works when it is', async () => {
    const { dataDir, place } = await folderWith('history.db');
    const drive = join(await newFolder(), 'drive');
    const there = join(drive, 'history.db');
    const here = readFileSync(place);
    rmSync(place);
    symlinkSync(there, place);
    await expect(openApp({ dataDir })).rejects.toThrow(
      `Jobdeck’s file ${place} is a link to ${there}, which does not exist. If it is on a drive, connect that`,
    );
    mkdirSync(drive);
    writeFileSync(there, here);
    expect(await listed(await openApp({ dataDir }))).toMatchObject({ allTotal: 2 });
  });

  it('a link that leads to itself prevents the start', async () => {
    const { dataDir, place } = await folderWith('history.db');
    rmSync(place);
    symlinkSync(place, place);
    await expect(openApp({ dataDir })).rejects.toThrow('Could not follow the link in the place of Jobdeck’s file');
  });
});

describe('something else in the place of a file that Jobdeck can do without', () => {
  it.each(['history-search.db', 'history-search.db-wal', 'history-search.db-shm'])(
    'a folder (%s) is renamed and reported, and all jobs are found again',
    async (name) => {
      const { dataDir, place } = await folderWith(name);
      putFolder(place);
      const app = await openApp({ dataDir });
      const [notice] = app.engine.notices();
      expect(notice).toMatchObject({ title: 'A folder was in the place of the search index' });
      expect(readFileSync(join(notice?.path ?? '', 'mine.txt'), 'utf8')).toBe('mine');
      expect(await foundKeys(app, 'lantern')).toEqual(['k1']);
      await app.close();
      const again = await openApp({ dataDir });
      expect(again.engine.notices()).toEqual([]);
      expect(await foundKeys(again, 'lantern')).toEqual(['k1']);
    },
  );

  it('a folder in the place of the note about damage does not prevent the start', async () => {
    const { dataDir, place } = await folderWith('history.db-damage-met');
    putFolder(place);
    expect(await listed(await openApp({ dataDir }))).toMatchObject({ allTotal: 2 });
  });

  it('a folder in the place of the bin refuses a deletion in plain words', async () => {
    const { dataDir, place } = await folderWith('history-bin.db');
    putFolder(place);
    const app = await openApp({ dataDir });
    expect(await app.answer('job:delete', { keys: ['k1'], isForGood: false })).toMatchObject({
      deleted: [],
      kept: [{ reason: expect.stringContaining(`A folder is in the place of Jobdeck’s file ${place}.`) }],
    });
    expect(await listed(app)).toMatchObject({ allTotal: 2 });
  });
});

describe('the folder for keys', () => {
  it.each([
    { what: 'a file', put: (place: string): void => writeFileSync(place, 'mine') },
    { what: 'a link that leads nowhere', put: (place: string): void => symlinkSync(`${place}-elsewhere`, place) },
  ])('$what in its place is reported, and the keys are back with the folder', async ({ put }) => {
    const safeStorage = createSealing();
    const service = { baseUrl: 'http://127.0.0.1:9', apiKey: 'a-key-0123456789', endpoints: ['ep'] };
    const app = await openApp({ safeStorage });
    await app.connect(service);
    await app.close();
    const place = join(app.dataDir, 'secrets');
    renameSync(place, `${place}-away`);
    put(place);

    const without = await openApp({ dataDir: app.dataDir, safeStorage });
    expect(without.engine.notices()).toMatchObject([
      { title: 'Could not read which keys are saved', text: expect.stringContaining('No key was deleted.') },
    ]);
    await without.close();

    rmSync(place);
    renameSync(`${place}-away`, place);
    const again = await openApp({ dataDir: app.dataDir, safeStorage });
    expect(again.engine.notices()).toEqual([]);
    expect(await again.answer('connection:list', undefined)).toMatchObject([{ hasKey: true }]);
  });
});
