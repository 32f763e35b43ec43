import { beforeEach, expect, test } from 'vitest';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { jobOf } from '../jobs/job-of.ts';

const loaded = jobOf(30_000);
const loadedSince = jobOf(20_000);
const notLoaded = jobOf(10_000);
const others = 5;

/** All jobs that match are selected while one page is loaded; then the next page brings one of them. */
beforeEach(() => {
  useJobs.getState().apply([loaded]);
  const beyond = new Map([loadedSince, notLoaded].map((job) => [job.key, job]));
  useJobs.getState().pickAll(
    [loaded, loadedSince, notLoaded].map(({ key }) => key),
    beyond,
  );
  useJobs.getState().apply([loadedSince]);
  useJobs.setState({ total: 3 + others, allTotal: 3 + others, hasMore: true });
});

test('each hidden job is counted once, whether it was selected before or after its page was loaded', () => {
  useJobs.getState().hide([loaded.key, loadedSince.key, notLoaded.key]);
  expect(useJobs.getState()).toMatchObject({ total: others, allTotal: others, hasMore: true });
});
