import { expect, test } from 'vitest';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { jobsOf } from '../../../../src-renderer/jobs/row-actions.ts';
import { jobOf } from './job-of.ts';

test('the list is a new object after every change, and contains the same jobs', () => {
  const job = jobOf(3_000);
  useJobs.getState().apply([job]);
  const before = useJobs.getState().list;
  useJobs.getState().apply([{ ...job, title: 'Another' }]);
  const { list } = useJobs.getState();
  expect(list).not.toBe(before);
  expect(jobsOf(list, [job.key, 'not there']).map(({ title }) => title)).toEqual(['Another']);
});
