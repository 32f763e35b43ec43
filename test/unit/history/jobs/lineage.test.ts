import { expect, test } from 'vitest';
import { commit, requireJob } from '../../../../src-main/history/jobs/jobs.ts';
import { hashFormerInputs } from '../../../../src-main/history/jobs/input-hash.ts';
import { readLineage, renameJob } from '../../../../src-main/history/jobs/lineage.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { aNewJob, aDatabase, spreadIds } from '../a-database.ts';

test('a job names the one it was resubmitted from, that one its copies, and a deleted one none', () => {
  const db = aDatabase();
  commit(db, [
    aNewJob({ key: 'k1' }),
    aNewJob({ key: 'k2', originKey: 'k1' }),
    aNewJob({ key: 'k3', originKey: 'k1' }),
  ]);
  const keys = (key: string) => {
    const { origin, copies } = readLineage(db, requireJob(db, key));
    return [origin?.key ?? null, copies.map((copy) => copy.key)];
  };
  expect(keys('k1')).toEqual([null, ['k3', 'k2']]);
  expect(keys('k2')).toEqual(['k1', []]);
  removeJob(db, 'k1');
  expect(keys('k3')).toEqual([null, []]);
});

test('a job names others of its endpoint with the same input, however it is notated', () => {
  const db = aDatabase();
  const input = '{"prompt":"a cat","steps":[4,{"x":1,"y":"\\u00e9"}]}';
  const alike = ' { "steps": [ 4, { "y": "é", "x": 1.0 } ], "prompt": "a cat" }';
  commit(db, [
    aNewJob({ key: 'k1' }, input),
    aNewJob({ key: 'k2' }, alike),
    aNewJob({ key: 'k3' }, input.replace('cat', 'dog')),
    aNewJob({ key: 'k4', endpointId: 'another' }, input),
    aNewJob({ key: 'k5', inputBytes: 0 }, ''),
    aNewJob({ key: 'k6', inputBytes: 0 }, ''),
  ]);
  const runs = (key: string) => {
    const { jobs, total } = readLineage(db, requireJob(db, key)).sameInput;
    return [jobs.map((job) => job.key), total];
  };
  expect(runs('k1')).toEqual([['k2'], 1]);
  expect(runs('k2')).toEqual([['k1'], 1]);
  expect(runs('k3')).toEqual([[], 0]);
  // The input of a job from elsewhere is not known.
  expect(runs('k5')).toEqual([[], 0]);
  // Numbers that JavaScript rounds are not the same because they round alike.
  commit(db, [
    aNewJob({ key: 'k7' }, '{"seed":9007199254740992}'),
    aNewJob({ key: 'k8' }, '{"seed":9007199254740993}'),
  ]);
  expect(runs('k7')).toEqual([[], 0]);
});

test('the newest runs of an input are named, in whatever blocks of ids they are', () => {
  const db = aDatabase();
  const keyOf = (at: number): string => `k${String(at).padStart(2, '0')}`;
  commit(
    db,
    Array.from({ length: 30 }, (_, at) => aNewJob({ key: keyOf(at) }, `{"n":${at % 2}}`)),
  );
  spreadIds(db);
  const { jobs, total } = readLineage(db, requireJob(db, keyOf(26))).sameInput;
  expect(jobs.map(({ key }) => key)).toEqual([28, 24, 22, 20, 18].map(keyOf));
  expect(total).toBe(14);
});

test('jobs of a former version get the hash of their input in idle moments', () => {
  const db = aDatabase();
  commit(
    db,
    Array.from({ length: 230 }, (_, at) => aNewJob({ key: `k${String(at).padStart(3, '0')}` }, `{"n":${at % 2}}`)),
  );
  db.exec('UPDATE jobs SET input_hash = NULL');
  db.exec('INSERT INTO inputs_unhashed SELECT max(id) + 1 FROM jobs');
  let steps = 0;
  while (hashFormerInputs(db)) steps += 1;
  expect(steps).toBe(3);
  expect(readLineage(db, requireJob(db, 'k000')).sameInput.total).toBe(114);
  expect(hashFormerInputs(db)).toBe(false);
});

test('a title that the user gave survives the engine’s writes', () => {
  const db = aDatabase();
  commit(db, [aNewJob({ key: 'k1', title: 'From the input' })]);
  expect(renameJob(db, 'k1', 'Mine')?.title).toBe('Mine');
  const { job } = aNewJob({ key: 'k1', title: 'From the input', status: 'COMPLETED', phase: 'finished' });
  expect(commit(db, [{ job }])[0]).toMatchObject({ title: 'Mine', status: 'COMPLETED' });
  expect(renameJob(db, 'not there', 'x')).toBeNull();
});
