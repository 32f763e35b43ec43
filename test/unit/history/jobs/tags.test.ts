import { expect, test } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { readTags } from '../../../../src-main/history/jobs/tags.ts';
import { maxCounted } from '../../../../src-preload/history.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

test('tags in use come with their job counts, the most used first', () => {
  const db = aDatabase();
  expect(readTags(db, 10)).toEqual([]);
  commit(db, [
    aNewJob({ key: 'k1', tags: ['seed', 'nightly'] }),
    aNewJob({ key: 'k2', tags: ['nightly'] }),
    aNewJob({ key: 'k3', tags: ['a'] }),
  ]);
  expect(readTags(db, 10)).toEqual([
    { tag: 'nightly', jobs: 2 },
    { tag: 'a', jobs: 1 },
    { tag: 'seed', jobs: 1 },
  ]);
  expect(readTags(db, 1)).toEqual([{ tag: 'nightly', jobs: 2 }]);
});

test('the jobs of a tag are counted only up to the limit of lists', () => {
  const db = aDatabase();
  const jobs = Array.from({ length: maxCounted + 5 }, (_, at) => aNewJob({ key: `k${at}`, tags: ['many'] }));
  commit(db, jobs);
  expect(readTags(db, 10)).toEqual([{ tag: 'many', jobs: maxCounted + 1 }]);
});
