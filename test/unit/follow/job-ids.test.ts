import { expect, test } from 'vitest';
import { jobIdsIn } from '../../../src-renderer/follow/job-ids.ts';

const run = '04f01223-4aa2-40df-bdab-37e5caa43cbe-u1';
const sync = 'sync-6f9286ab-2453-4fba-a18d-871d514660ac-e2';

test.each([
  ['one on each line', `${run}\n${sync}\n`, [run, sync]],
  ['a list with commas', `${run}, ${sync}`, [run, sync]],
  ['a JSON reply', JSON.stringify({ id: run, status: 'IN_QUEUE' }), [run]],
  ['a log with an id twice', `12:00 submitted ${run}\n12:01 done ${run}.`, [run]],
  ['an address', `https://service.example/v2/text/status/${run}?ttl=1`, [run]],
  ['ids of another form, bare', 'job-1 job-2;job_3', ['job-1', 'job-2', 'job_3']],
  ['prose without an id', 'Please look at my job!', []],
  ['nothing', '  \n', []],
])('finds the ids in %s', (_what, text, ids) => {
  expect(jobIdsIn(text)).toEqual(ids);
});
