import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src-preload/connection.ts';
import type { Job } from '../../../src-preload/job.ts';
import { binDays } from '../../../src-preload/bin.ts';
import { dayMs } from '../../../src-preload/durations.ts';
import { createFastClock, type FastClock } from './fast-clock.ts';
import { closeApps, listed, openApp, removeAppFolders, type App } from './app-scene.ts';

let app: App;
let sandbox: Connection;
let clock: FastClock;
beforeEach(async () => {
  clock = createFastClock(60);
  app = await openApp({ clock });
  sandbox = await app.answer('connection:openSandbox', undefined);
});
afterEach(closeApps);
afterAll(removeAppFolders);

async function ended(title: string): Promise<Job> {
  const job = await app.submit({ connectionId: sandbox.id, endpointId: 'echo', input: { title } });
  return await app.untilEnd(job.key);
}

const binned = async (): Promise<string[]> =>
  (await app.answer('bin:list', { after: null, limit: 100 })).rows.map(({ job }) => job.key);

const outputOf = async ({ key }: Job): Promise<string | undefined> =>
  (await app.answer('job:body', { key, part: 'output', attempt: null, isWhole: true }))?.text;

describe('the bin', () => {
  it('restores a job whole: its place, output, requests, marks and note', async () => {
    const [one, two] = [await ended('violet one'), await ended('violet two')];
    await app.answer('job:judge', { key: one.key, change: { mark: 5, label: 'sharp' } });
    await app.answer('job:note', { key: one.key, text: 'Keep **this**.' });
    await app.answer('job:tag', { key: one.key, add: ['gold'], remove: [] });
    const before = await app.answer('job:get', { key: one.key });
    const output = await outputOf(one);
    await app.answer('job:delete', { keys: [one.key] });
    expect(await binned()).toEqual([one.key]);
    expect(await app.answer('bin:use', undefined)).toMatchObject({ jobs: 1 });
    expect((await listed(app, { text: 'violet' })).jobs.map(({ key }) => key)).toEqual([two.key]);

    expect(await app.answer('bin:restore', { keys: [one.key] })).toEqual({ keys: [one.key], missing: 0 });
    const told = await app.untilEvent('bin:changed', ({ restoredKeys }) => restoredKeys.includes(one.key));
    expect(told.restoredKeys).toEqual([one.key]);
    await app.untilEvent(
      'job:changed',
      ({ jobs, counts }) => counts.all.all === 2 && jobs.some(({ key }) => key === one.key),
    );
    expect(await app.answer('job:get', { key: one.key })).toEqual(before);
    expect(await outputOf(one)).toBe(output);
    expect((await listed(app, { text: 'violet' })).jobs.map(({ key }) => key)).toEqual([two.key, one.key]);
    expect(await app.answer('bin:restore', { keys: [one.key] })).toEqual({ keys: [], missing: 1 });
    expect(await binned()).toEqual([]);
  });

  it('restores everything, deletes one for good, and is emptied', async () => {
    const jobs = [await ended('one'), await ended('two'), await ended('three')];
    const keys = jobs.map(({ key }) => key);
    await app.answer('job:delete', { keys });
    await app.answer('bin:delete', { keys: keys.slice(0, 1) });
    expect(await binned()).toHaveLength(2);
    expect(await app.answer('bin:restore', { keys: null })).toEqual({ keys: keys.slice(1), missing: 0 });
    await app.answer('job:delete', { keys: keys.slice(1) });
    await app.answer('bin:delete', { keys: null });
    expect(await app.answer('bin:use', undefined)).toEqual({ jobs: 0, bytes: 0, asidePath: null });
    expect((await app.answer('job:counts', undefined)).all.all).toBe(0);
  });

  it('takes nothing that is deleted for good', async () => {
    const job = await ended('one');
    const answer = await app.answer('job:delete', { keys: [job.key], isForGood: true });
    expect(answer).toEqual({ deleted: [job.key], kept: [], isBinRefused: false });
    expect(await binned()).toEqual([]);
  });

  it('that cannot be written keeps the job in the history, which can still be deleted for good', async () => {
    const [one, two] = [await ended('one'), await ended('two')];
    await mkdir(join(app.dataDir, 'history-bin.db'));
    const refused = await app.answer('job:delete', { keys: [one.key] });
    expect(refused).toMatchObject({ deleted: [], kept: [{ key: one.key }], isBinRefused: true });
    expect(refused.kept[0]?.reason).toContain('bin of deleted jobs');
    // What was saved beside it is saved.
    await app.answer('job:star', { key: two.key, isStarred: true });
    expect((await app.answer('job:get', { key: one.key })).job.key).toBe(one.key);
    await app.answer('job:delete', { keys: [one.key], isForGood: true });
    expect(await app.call('job:get', { key: one.key })).toMatchObject({ ok: false });
    await rm(join(app.dataDir, 'history-bin.db'), { recursive: true });
  });

  it('is not part of a backup, and outlives a restart', async () => {
    const [one] = [await ended('one'), await ended('two')];
    await app.answer('job:delete', { keys: [one.key] });
    expect(await app.answer('backup:write', undefined)).toMatchObject({ jobs: 1 });
    const { dataDir } = app;
    await closeApps();
    app = await openApp({ dataDir });
    expect(await binned()).toEqual([one.key]);
    expect(await app.answer('bin:restore', { keys: [one.key] })).toMatchObject({ keys: [one.key] });
  });

  it('deletes for good what was in it for its days, and nothing before', async () => {
    const [old, young] = [await ended('old'), await ended('young')];
    await app.answer('job:delete', { keys: [old.key] });
    clock.skip((binDays - 1) * dayMs);
    await app.answer('job:delete', { keys: [young.key] });
    expect(await binned()).toEqual([young.key, old.key]);
    clock.skip(2 * dayMs);
    await app.untilSeen(() => app.told['bin:changed'].length > 2);
    expect(await binned()).toEqual([young.key]);
  });
});
