import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import type { History } from '../../../src-main/history/history.ts';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import type { JobCommit } from '../../../src-main/history/records.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { aJob } from '../../kit/a-job.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { modeOf } from '../../kit/file-mode.ts';

function aPath(): { path: string; indexPath: string } {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-search-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { path: join(folder, 'history.db'), indexPath: join(folder, 'history-search.db') };
}

async function opened(path: string): Promise<History> {
  const { history } = await openTestHistory({ path, now: () => 1_000 });
  onTestFinished(() => history.close());
  return history;
}

const saying = (key: string, text: string): JobCommit => ({
  job: aJob({ key, phase: 'finished', status: 'COMPLETED' }),
  bodies: [{ part: 'output', attempt: 1, text: JSON.stringify(text) }],
});

async function found(history: History, text: string): Promise<string[]> {
  const { jobs } = await history.list({ ...emptyFilter, text }, null, 100);
  return jobs.map(({ key }) => key);
}

it('a job is found in the same turn in which it is saved', async () => {
  const history = await opened(aPath().path);
  const [, keys, , more] = await Promise.all([
    history.commit([saying('k1', 'lantern')]),
    found(history, 'lantern'),
    history.commit([saying('k2', 'lantern')]),
    found(history, 'lantern'),
  ]);
  expect([keys, more]).toEqual([['k1'], ['k2', 'k1']]);
});

it('a deleted job is no longer found or counted in the same turn in which it is deleted', async () => {
  const history = await opened(aPath().path);
  await history.commit([saying('k1', 'lantern'), saying('k2', 'lantern')]);
  expect(await found(history, 'lantern')).toEqual(['k2', 'k1']);
  const [, page] = await Promise.all([
    history.removeJob('k2'),
    history.list({ ...emptyFilter, text: 'lantern' }, null, 1),
  ]);
  expect(page).toMatchObject({ total: 1, jobs: [{ key: 'k1' }], nextBeforeKey: null });
  // The newest id is free again: the job that gets it is found by its own words alone.
  await history.commit([saying('k3', 'harbour')]);
  expect([await found(history, 'lantern'), await found(history, 'harbour')]).toEqual([['k1'], ['k3']]);
});

it('the words of a job are no longer found once its output is deleted', async () => {
  const history = await opened(aPath().path);
  const { job, ...rest } = saying('k1', 'lantern');
  await history.commit([{ job: { ...job, finishedSeenAtMs: 10, outputBytes: 9 }, ...rest }]);
  expect(await found(history, 'lantern')).toEqual(['k1']);
  const order = { tooOldMs: 500, areInputsDeleted: false, size: null, excludedSpans: [] };
  expect((await history.forgetBodies(order, null)).forgotten).toHaveLength(1);
  expect(await found(history, 'lantern')).toEqual([]);
});

it('text that was saved and not indexed before a crash is found after the next start', async () => {
  const { path } = aPath();
  const { db } = openDatabase(path, 0);
  commit(db, [saying('k1', 'lantern')]);
  db.close();
  expect(await found(await opened(path), 'lantern')).toEqual(['k1']);
});

it('a lost index is built again, is only for this user, and counts as used space', async () => {
  const { path, indexPath } = aPath();
  const former = await opened(path);
  await former.commit([saying('k1', 'lantern')]);
  expect(await found(former, 'lantern')).toEqual(['k1']);
  await former.close();
  rmSync(indexPath);
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
  const history = await opened(path);
  expect(await found(history, 'lantern')).toEqual(['k1']);
  for (const file of [indexPath, `${indexPath}-wal`].filter((each) => existsSync(each)))
    expect(modeOf(file, 0o600)).toBe(0o600);
  let step = await history.measureStorage(null);
  while (!step.isDone) step = await history.measureStorage(step);
  expect(step.use.indexBytes).toBeGreaterThan(100);
  expect((await history.counts()).savedBytes).toBe(step.use.totalBytes);
});

it('a search that meets damage in the index says so, and finds everything again soon after', async () => {
  const { path, indexPath } = aPath();
  const former = await opened(path);
  await former.commit(
    Array.from({ length: 300 }, (_, at) => saying(`k${1_000 + at}`, `lantern ${'word '.repeat(at)}`)),
  );
  expect(await found(former, 'lantern')).toHaveLength(100);
  await former.close();
  const index = new DatabaseSync(indexPath, { defensive: false });
  index.exec('UPDATE search_data SET block = zeroblob(length(block)) WHERE id > 10');
  index.close();
  const history = await opened(path);
  await expect(found(history, 'lantern')).rejects.toThrow(
    'The search index was damaged and is being rebuilt. Search again in a moment.',
  );
  // Saving is none of the index's business.
  await history.commit([saying('k9', 'lantern')]);
  await vi.waitFor(async () => expect((await found(history, 'lantern'))[0]).toBe('k9'), { timeout: 20_000 });
  expect((await history.list({ ...emptyFilter, text: 'lantern' }, null, 400)).jobs).toHaveLength(301);
});
