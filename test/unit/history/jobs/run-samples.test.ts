import { expect, it } from 'vitest';
import { commit } from '../../../../src-main/history/jobs/jobs.ts';
import { readInputNumbers, readRunSamples } from '../../../../src-main/history/jobs/run-times.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

it('lists how long completed jobs of an endpoint ran, with the numbers of their inputs, newest first', () => {
  const db = aDatabase();
  const done = { phase: 'finished', status: 'COMPLETED', connectionId: 'main', endpointId: 'a' } as const;
  commit(db, [
    aNewJob({ ...done, key: 'k1', executionTimeMs: 100, inputBytes: 12 }, '{"steps": 10}'),
    aNewJob({ ...done, key: 'k2', executionTimeMs: 200, inputBytes: 0 }, ''),
    aNewJob({ ...done, key: 'k3', executionTimeMs: null, inputBytes: 12 }, '{"steps": 30}'),
    aNewJob({ ...done, key: 'k4', executionTimeMs: 400, inputBytes: 9_000_000 }, '{"steps": 40}'),
    aNewJob({ ...done, key: 'k5', status: 'FAILED', executionTimeMs: 500, inputBytes: 12 }, '{"steps": 50}'),
    aNewJob({ ...done, key: 'k6', endpointId: 'b', executionTimeMs: 600, inputBytes: 12 }, '{"steps": 60}'),
  ]);
  expect(readRunSamples(db, 'main', 'a')).toEqual([
    { executionMs: 400, numbers: {} },
    { executionMs: 200, numbers: {} },
    { executionMs: 100, numbers: { steps: 10 } },
  ]);
  expect(readInputNumbers(db, ['k6', 'unknown', 'k4', 'k1'])).toEqual([{ steps: 60 }, {}, {}, { steps: 10 }]);
});
