import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { emptyQuery } from '../../../../src-renderer/data/parse-filter.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';

/** The words that some job has. */
const words = ['fog', 'cost of fog'];
let counted: string[];

beforeEach(() => {
  counted = [];
  useJobs.setState({ place: { view: 'all', endpointId: null }, query: { ...emptyQuery, text: 'fog' } });
  answerCalls({
    'job:count': ({ filter }) => {
      counted.push(filter.text);
      return Promise.resolve(ok({ total: words.includes(filter.text) ? 1 : 0, isTotalCut: false }));
    },
  });
});
afterEach(() => void vi.unstubAllGlobals());

test('a search without results leaves the list to what is searched for otherwise', async () => {
  await useJobs.getState().searchFor('fog statu', 'fog');
  expect(useJobs.getState().query.text).toBe('fog');
  await useJobs.getState().searchFor('cost of fog', 'fog');
  expect(useJobs.getState().query.text).toBe('cost of fog');
  expect(counted).toEqual(['fog statu', 'cost of fog']);
});

test('a search without an alternative counts nothing first, and may find nothing', async () => {
  await useJobs.getState().searchFor('nowhere');
  expect(useJobs.getState().query.text).toBe('nowhere');
  expect(counted).toEqual([]);
});

test('words that are no longer those in the box when their jobs were counted are not searched for', async () => {
  await useJobs.getState().searchFor('cost of fog', 'fog', () => false);
  expect(useJobs.getState().query.text).toBe('fog');
});

test('a filter that is set while its jobs are counted stays', async () => {
  const searched = useJobs.getState().searchFor('cost of fog', 'fog');
  useJobs.getState().setQuery({ ...emptyQuery, text: 'ridge' });
  await searched;
  expect(useJobs.getState().query.text).toBe('ridge');
});
