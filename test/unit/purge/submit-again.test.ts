import { describe, expect, it } from 'vitest';
import { submitAsBatches, submitAsJobs } from '../../../src-main/purge/submit-again.ts';
import { maxBatchRows, noRows } from '../../../src-preload/batch.ts';
import type { Batch } from '../../../src-preload/batch.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { SubmissionDraft } from '../../../src-preload/job.ts';
import { aJob } from '../../kit/a-job.ts';

const keys = Array.from({ length: 60 }, (_, number) => `k${number}`);
const draft: SubmissionDraft = { connectionId: 'c', endpointId: 'e', operation: 'run', inputText: '{}' };

const batch: Batch = {
  id: 'b',
  name: 'again',
  connectionId: 'c',
  endpointId: 'e',
  operation: 'run',
  createdAtMs: 0,
  total: 1,
  isPaused: false,
  limits: { maxLive: null, stopAfterFailures: null },
  failuresLeft: null,
  counts: { ...noRows, waiting: 1 },
};

describe('submitting purged jobs again', () => {
  it('notes each submitted job on the way, so that few are submitted twice after a crash', async () => {
    const noted: string[] = [];
    const atSubmission: number[] = [];
    await submitAsJobs(keys, {
      resubmit: async (key) => {
        atSubmission.push(noted.length);
        return ok(aJob({ key }));
      },
      note: async (done) => void noted.push(...done),
    });
    expect(noted).toEqual(keys);
    for (const [index, known] of atSubmission.entries()) expect(index - known).toBeLessThanOrEqual(25);
  });

  it('notes the submitted jobs before a failure', async () => {
    const noted: string[] = [];
    const done = submitAsJobs(keys, {
      resubmit: async (key) =>
        key === 'k30' ? Promise.reject(new Error('The history is closed.')) : ok(aJob({ key })),
      note: async (submitted) => void noted.push(...submitted),
    });
    await expect(done).rejects.toThrow('The history is closed.');
    expect(noted).toEqual(keys.slice(0, 30));
  });

  it('continues past a job whose input is not saved here, and ends at any other failure', async () => {
    const noted: string[] = [];
    const done = await submitAsJobs(keys, {
      resubmit: async (key) =>
        key === 'k1'
          ? failed({ kind: 'refused', message: 'No input.' })
          : key === 'k3'
            ? failed({ kind: 'storage', message: 'Full.' })
            : ok(aJob({ key })),
      note: async (submitted) => void noted.push(...submitted),
    });
    expect(done).toMatchObject({ keys: ['k0', 'k2'], failure: { message: 'No input.' } });
    expect(noted).toEqual(['k0', 'k2']);
  });

  it('notes each batch before the next is submitted', async () => {
    const many = Array.from({ length: maxBatchRows + 1 }, (_, number) => `k${number}`);
    const noted: number[] = [];
    const done = await submitAsBatches(many, {
      name: 'again',
      draftOf: async () => ok(draft),
      submit: async () =>
        noted.length === 1 ? failed({ kind: 'storage', message: 'Full.' }) : ok({ kind: 'accepted', batch }),
      note: async (submitted) => void noted.push(submitted.length),
    });
    expect(noted).toEqual([maxBatchRows]);
    expect(done).toMatchObject({ keys: { length: maxBatchRows }, failure: { kind: 'storage' } });
  });
});
