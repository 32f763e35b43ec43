import { formatCount } from '../../../src-preload/format.ts';

/** The groups of a job's facts. */
export const factGroupTitles = {
  reported: 'As reported by the service',
  tokens: 'Tokens',
  worker: 'Worker metrics, last chunk',
  submission: 'Submission',
  seen: 'Seen by Jobdeck',
};

/** The facts of a job that are not fields of the service. */
export const factText = {
  accepted: 'Accepted',
  checkedAt: 'Checked at',
  chunks: 'Chunks',
  copy: 'Copy the metrics',
  default: 'default',
  find: 'Find in the metrics',
  external: 'elsewhere; tracked by its id',
  firstSeenFinished: 'First seen finished',
  firstSeenRunning: 'First seen running',
  inputTokens: 'Input tokens',
  lastChecked: 'Last checked',
  meanGeneration: 'Mean generation',
  operation: 'Operation',
  outputTokens: 'Output tokens',
  requests: 'Requests',
  s3Sent: 'sent, secret not saved with the job',
  sentTo: 'Sent to',
  submitted: 'Submitted',
  tokensPerSecond: (tokens: number): string => `${tokens.toFixed(1)} tokens/s`,
  trackedSince: 'Tracked since',
  units: 'Reported values are shown as received; the service names no units.',
  webhook: 'Webhook',
};

/** The columns of the requests tab. */
export const requestColumnTitles = {
  time: 'Time',
  operation: 'Operation',
  status: 'Status',
  took: 'Took',
  received: 'Received',
  note: 'Note',
};

/** The requests of a job, in the tab and in the column of its window. */
export const requestsText = {
  notRead: 'Could not read the requests',
  none: 'No requests for this job yet.',
  requests: 'Requests',
  noReply: 'no reply',
  noStatus: 'none',
  copyLine: 'Copy request line',
  copyCode: 'Copy as code',
  codeCopied: (language: string): string => `Copied as ${language}, without the key`,
  showAll: (count: number): string => `Show all ${formatCount(count)}`,
};
