import { expect, test } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { readTags } from '../../../../src-main/history/jobs/tags.ts';
import { mostCounted } from '../../../../src-preload/history.ts';
import { aBirth, aDatabase } from '../a-database.ts';

test('tags in use come with their job counts, the most used first', () => {
  const db = aDatabase();
  expect(readTags(db, 10)).toEqual([]);
  commit(db, [
    aBirth({ key: 'k1', tags: ['seed', 'nightly'] }),
    aBirth({ key: 'k2', tags: ['nightly'] }),
    aBirth({ key: 'k3', tags: ['a'] }),
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
  const births = Array.from({ length: mostCounted + 5 }, (_, at) => aBirth({ key: `k${at}`, tags: ['many'] }));
  commit(db, births);
  expect(readTags(db, 10)).toEqual([{ tag: 'many', jobs: mostCounted + 1 }]);
});
