import type { Job, SubmissionDraft } from '../../../src-preload/job.ts';
import type { StoredSubmission } from '../../history/records.ts';

/** All of a saved submission that is sent again, whatever its input and title: with the job, or with its batch. */
export function draftOfStored(
  job: Job,
  submission: StoredSubmission,
): Omit<SubmissionDraft, 'inputText' | 'title' | 'originKey'> {
  return {
    connectionId: job.connectionId,
    endpointId: job.endpointId,
    operation: job.operation,
    policy: submission.policy,
    tags: job.tags,
    ...(submission.waitMs === null ? {} : { waitMs: submission.waitMs }),
    ...(submission.webhook === null ? {} : { webhook: submission.webhook }),
    ...(submission.s3ProfileId === null ? {} : { s3ProfileId: submission.s3ProfileId }),
    ...(job.isKeptWhole === false ? { isKeptWhole: false } : {}),
  };
}
