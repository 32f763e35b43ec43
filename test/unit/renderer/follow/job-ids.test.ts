import { expect, test } from 'vitest';
import { jobIdsIn, namedJobId } from '../../../../src-renderer/follow/job-ids.ts';

const run = '04f01223-4aa2-40df-bdab-37e5caa43cbe-u1';
const sync = 'sync-6f9286ab-2453-4fba-a18d-871d514660ac-e2';

test.each([
  ['one on each line', `${run}\n${sync}\n`, [run, sync]],
  ['a list with commas', `${run}, ${sync}`, [run, sync]],
  ['a JSON reply', JSON.stringify({ id: run, status: 'IN_QUEUE' }), [run]],
  ['a log with an id twice', `12:00 submitted ${run}\n12:01 done ${run}.`, [run]],
  ['an address', `https://service.example/v2/text/status/${run}?ttl=1`, [run]],
  ['ids of another form, bare', 'job-1 job-2;job_3', ['job-1', 'job-2', 'job_3']],
  ['ids with signs, one on each line', 'a:b=c\neu/west/7~x\n"q+1=="\n', ['a:b=c', 'eu/west/7~x', 'q+1==']],
  ['ids with signs, side by side', 'a:b/c d+e=', ['a:b/c', 'd+e=']],
  ['an address of an id with signs', 'https://service.example/v2/text/status/eu%2Fwest%3A7?ttl=1', ['eu/west:7']],
  ['a command with an address', "curl -X POST 'https://service.example/v2/text/cancel/a%2Bb' -H 'x: y'", ['a+b']],
  ['a JSON reply with another id', '{"id":"a:b/c=","status":"IN_QUEUE","output":{"text":"x"}}', ['a:b/c=']],
  ['a JSON list', '["a:1", "b/2"]', ['a:1', 'b/2']],
  ['JSON that nests deeper than any stack', `${'['.repeat(30_000)}{"id":"deep"}${']'.repeat(30_000)}`, ['deep']],
  ['an id with a label', `id=${run}\njob:a/b`, [run, 'a/b']],
  ['a path without an id', '..\n.\n', []],
  ['prose without an id', 'Please look at my job!', []],
  ['nothing', '  \n', []],
])('finds the ids in %s', (_what, text, ids) => {
  expect(jobIdsIn(text)).toEqual(ids);
});

test('one job is named by an id in the usual form, an address or a cURL command, and not by words', () => {
  expect(namedJobId(` ${run} `)).toBe(run);
  expect(namedJobId(`curl 'https://service.example/v2/text/status/job-1' -H 'authorization: x'`)).toBe('job-1');
  expect(namedJobId('https://service.example/v2/text/stream/a%3Ab')).toBe('a:b');
  expect(namedJobId('kettle')).toBeNull();
  expect(namedJobId(`${run} ${sync}`)).toBeNull();
});

test('a pasted list with a megabyte of spaces within a line is read in one pass', () => {
  const gap = ' '.repeat(1_000_000);
  expect(jobIdsIn(`${run}${gap}, ${sync}`)).toEqual([run, sync]);
});
