import { afterEach, expect, test } from 'vitest';
import {
  askIfMany,
  endpointsOf,
  jobsIn,
  mostUnasked,
  useBulkQuestion,
} from '../../../../src-renderer/data/bulk-question.ts';
import { jobOf } from '../jobs/job-of.ts';

const some = (count: number, endpointId = 'text') =>
  Array.from({ length: count }, (_, at) => jobOf(1_000 + at, { endpointId }));
const question = () => useBulkQuestion.getState().question;
afterEach(() => question()?.answer(false));

test('a few jobs are sent without a question, one more asks', async () => {
  let sent = 0;
  const send = (): Promise<void> => Promise.resolve(void (sent += 1));
  await askIfMany('retry', endpointsOf(some(mostUnasked)), send);
  expect([sent, question()]).toEqual([1, null]);
  const asked = askIfMany('retry', endpointsOf(some(mostUnasked + 1)), send);
  expect(question()).toMatchObject({ action: 'retry', endpoints: [{ endpointId: 'text', jobs: mostUnasked + 1 }] });
  question()?.answer(false);
  await asked;
  expect([sent, question()]).toEqual([1, null]);
  const again = askIfMany('resubmit', endpointsOf(some(mostUnasked + 1)), send);
  question()?.answer(true);
  await again;
  expect([sent, question()]).toEqual([2, null]);
});

test('a question that is replaced by another sends nothing', async () => {
  let sent = '';
  const first = askIfMany('retry', endpointsOf(some(20)), () => Promise.resolve(void (sent += 'first')));
  const second = askIfMany('resubmit', endpointsOf(some(30)), () => Promise.resolve(void (sent += 'second')));
  await first;
  question()?.answer(true);
  await second;
  expect(sent).toBe('second');
});

test('jobs are counted by endpoint, the most first', () => {
  const endpoints = endpointsOf([...some(2, 'image'), ...some(5, 'text'), ...some(1, 'echo')]);
  expect(endpoints.map(({ endpointId, jobs }) => [endpointId, jobs])).toEqual([
    ['text', 5],
    ['image', 2],
    ['echo', 1],
  ]);
  expect(jobsIn(endpoints)).toBe(8);
});
