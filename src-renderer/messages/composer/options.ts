import { formatCount, formatDuration, formatMeasured } from '../../../src-preload/format.ts';

/** executionTimeout, ttl and lowPriority. */
export const policyText = {
  title: 'Policy',
  reset: 'Reset to defaults',
  executionTimeout: 'Execution timeout',
  ttl: 'Time to live (ttl)',
  milliseconds: (ms: number): string => `${formatCount(ms)} ms`,
  ttlIsShorter:
    'The ttl is shorter than the execution timeout. The service deletes the job when its ttl ends, even while it runs.',
  lowPriority: 'Low priority',
  lowPriorityHint: 'Waits for an idle worker; never scales up',
  keepEverything: 'Keep everything',
  keepEverythingHint: 'Save the stream as it arrives, even in the background. Off: fetch it once when the job ends.',
};

/** What the ttl covers. */
export const coverageText = {
  queue: (p95Ms: number): string => `Queue p95 ${formatMeasured(p95Ms)}`,
  execution: (ms: number): string => `Execution ${formatDuration(ms)}`,
  slack: (ms: number): string => `Slack ${formatDuration(ms)}`,
  noSlack: 'No slack',
  hint: 'ttl starts at submission and covers both. If it runs out, the job is deleted even while running.',
};

/** The tags that a job gets when it is submitted. */
export const tagsText = {
  title: 'Tags',
  label: 'Tags of the job',
  placeholder: 'nightly, seed 7744',
  hint: 'Separate with commas.',
};

/** Where the service reports the end of a job. */
export const webhookText = {
  title: 'Webhook',
  callJobdeck: 'Call Jobdeck',
  label: 'Webhook address',
  hint: 'Must return 200, or it is retried twice, 10 s apart.',
  ownHint: 'The service calls Jobdeck when the job ends, and Jobdeck checks the job immediately.',
  ownUnreachable: 'Only a service on this computer can call this address. Jobdeck polls the job either way.',
};

/** The profiles of S3 storage. */
export const s3Text = {
  title: 'S3 storage',
  saved: 'S3 storage saved',
  deleted: (name: string): string => `${name} and its secret were deleted`,
  profile: 'S3 profile',
  none: 'None',
  newProfile: 'New profile',
  hint: 'Sent to the worker with the job. The secret is saved in the key storage, never in history or exports.',
  noBucket: 'no bucket',
  noEndpointUrl: 'no endpointUrl',
  hasSecret: 'Secret saved in the key storage',
  noSecret: 'No secret saved',
  edit: 'Edit',
  deleteProfile: 'Delete profile',
  deleteTitle: (name: string): string => `Delete ${name}`,
  deleteDetail:
    'Its secret will be deleted from the key storage, which cannot be undone. Jobs sent with it are not affected; ' +
    'resubmitting one needs another profile.',
  unchangedSecret: 'unchanged',
  forThisJob: 'Use for this job',
  newUnsaved: 'The new S3 profile is not saved and will not be sent',
  changesUnsaved: 'The changes to the S3 profile are not saved and will not be sent',
};

/** The limits at which a batch holds its own rows back. */
export const batchLimitText = {
  label: 'Limits',
  stopAfter: 'Stop after',
  never: 'never',
  failure: 'failure',
  failures: 'failures',
  atMost: 'At most',
  all: 'all',
  atOnce: 'at once',
};
