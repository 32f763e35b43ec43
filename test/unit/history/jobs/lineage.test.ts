import { expect, test } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { readLineage, renameJob } from '../../../../src-main/history/jobs/lineage.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { aBirth, aDatabase } from '../a-database.ts';

test('a job names the one it was resubmitted from, that one its copies, and a deleted one nobody', () => {
  const db = aDatabase();
  commit(db, [aBirth({ key: 'k1' }), aBirth({ key: 'k2', originKey: 'k1' }), aBirth({ key: 'k3', originKey: 'k1' })]);
  const keys = (key: string, originKey?: string) => {
    const { origin, copies } = readLineage(db, { key, ...(originKey === undefined ? {} : { originKey }) });
    return [origin?.key ?? null, copies.map((copy) => copy.key)];
  };
  expect(keys('k1')).toEqual([null, ['k3', 'k2']]);
  expect(keys('k2', 'k1')).toEqual(['k1', []]);
  removeJob(db, 'k1');
  expect(keys('k3', 'k1')).toEqual([null, []]);
});

test('a title that the user gave outlives what the engine writes', () => {
  const db = aDatabase();
  commit(db, [aBirth({ key: 'k1', title: 'From the input' })]);
  expect(renameJob(db, 'k1', 'Mine')?.title).toBe('Mine');
  const { job } = aBirth({ key: 'k1', title: 'From the input', status: 'COMPLETED', phase: 'finished' });
  expect(commit(db, [{ job }])[0]).toMatchObject({ title: 'Mine', status: 'COMPLETED' });
  expect(renameJob(db, 'not there', 'x')).toBeNull();
});
