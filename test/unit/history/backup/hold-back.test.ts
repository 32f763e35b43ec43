import { expect, it } from 'vitest';
import { holdBack } from '../../../../src-main/history/backup/incoming.ts';
import { commit, findJob, readJobsToRetry } from '../../../../src-main/history/jobs/jobs.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

it('a restored history sends nothing: no submission, retry or cancel from when it was saved', () => {
  const db = aDatabase();
  commit(db, [
    aNewJob({ key: 'waiting', phase: 'waiting', jobId: null, status: null }),
    aNewJob({ key: 'sending', phase: 'submitting', jobId: null, status: null }),
    aNewJob({ key: 'running' }),
    aNewJob({ key: 'cancelling', isCancelling: true }),
    aNewJob({ key: 'to-retry', phase: 'finished', status: 'FAILED', retryRequestedAtMs: 2_000 }),
  ]);
  holdBack(db);
  const phaseOf = (key: string) => findJob(db, key)?.job.phase;
  expect(['waiting', 'sending', 'running', 'cancelling'].map(phaseOf)).toEqual([
    'outcome-unknown',
    'outcome-unknown',
    'active',
    'active',
  ]);
  expect(findJob(db, 'cancelling')?.job.isCancelling).toBe(false);
  expect(readJobsToRetry(db)).toEqual([]);
});
