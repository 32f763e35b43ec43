import { expect, it } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { listInputs } from '../../../../src-main/history/list/inputs.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import { aDatabase, aNewJob } from '../a-database.ts';

it('the inputs of an endpoint are listed once each, by their newest run and with the count of their runs', () => {
  const db = aDatabase();
  const job = (at: number, n: number, endpointId = 'echo') =>
    aNewJob({ key: `k${String(at).padStart(4, '0')}`, endpointId, inputBytes: 7 }, `{"n":${n}}`);
  const of = (limit: number) =>
    listInputs(db, { ...emptyFilter, connectionId: 'connection-1', endpointId: 'echo' }, limit, 0).map((each) => [
      each.job.key,
      each.runs,
    ]);
  commit(db, [job(0, 0), job(1, 1, 'another'), job(2, 1), aNewJob({ key: 'k0003', inputBytes: 0 }, '')]);
  expect(of(10)).toEqual([
    ['k0002', 1],
    ['k0000', 1],
  ]);
  // Many runs of one input do not hide the others.
  commit(
    db,
    Array.from({ length: 250 }, (_, at) => job(10 + at, 2)),
  );
  expect(of(10)).toEqual([
    ['k0259', 250],
    ['k0002', 1],
    ['k0000', 1],
  ]);
  expect(of(1)).toEqual([['k0259', 250]]);
});
