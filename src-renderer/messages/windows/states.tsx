import type { ReactNode } from 'react';
import type { Preparation } from '../../../src-preload/app.ts';
import { formatCount, formatCountOf, formatMinute } from '../../../src-preload/format.ts';

/** What is wrong with the connection or its key, at the top of the panel. */
export const bannerText = {
  more: (count: number): string => `${formatCount(count)} more`,
  fewer: 'Show one',
  showFolder: 'Show folder',
  keychainTitle: 'Waiting for the system keychain',
  keychainHint:
    'Your system may be asking you to unlock it. Until then Jobdeck sends nothing that needs a key; ' +
    'saved jobs stay searchable.',
  noKeyTitle: (connection: string): string => `No key for ${connection}`,
  noKeyHint: 'Saved jobs stay searchable. Jobdeck sends and polls nothing until you add a key.',
  addKey: 'Add key',
  sandboxStopped: 'The sandbox is not running',
  startSandbox: 'Start the sandbox',
  keyRefused: (httpStatus: number): string => `The service refused this key (${httpStatus})`,
  nothingSince: (sinceMs: number): string =>
    `Jobdeck stopped at ${formatMinute(sinceMs)}; saved jobs and the outbox are safe.`,
  sendAsBareKey: 'Send as bare key',
  sendAsBearer: 'Send as Bearer',
  replaceKey: 'Replace key',
  offlineSince: (sinceMs: number): string => `Offline since ${formatMinute(sinceMs)}`,
  toBeSent: (count: number): string => `${formatCountOf(count, 'job waits', 'jobs wait')} to be sent.`,
  showWaiting: (count: number): string => `Show ${formatCount(count)} waiting`,
  showReply: 'Show the reply',
  hideReply: 'Hide the reply',
};

/** What still works without the service. */
export function stillSearchableText(savedJobs: number): string {
  if (savedJobs === 0) return 'Saved jobs stay searchable.';
  return savedJobs === 1
    ? 'The saved job stays searchable, with its input and output.'
    : `All ${formatCount(savedJobs)} saved jobs stay searchable, with inputs and outputs.`;
}

/** The service limits the rate of an operation. */
export const slowedText = {
  title: 'The service asked for fewer requests (429)',
  nextIn: (operation: string, seconds: number): string => `Next ${operation} request in ${seconds} s.`,
  tryingAgain: (operation: string): string => `Trying ${operation} again.`,
  submittingWorks: 'Submitting still works. Saved jobs are not affected.',
  newJobsWait: 'New jobs wait in the outbox. Saved jobs are not affected.',
  onlyNewJobsWait: 'New jobs wait in the outbox; submitted ones are still polled.',
  details: 'Details',
  hideDetails: 'Hide details',
  backOff: (operation: string, endpoint: string): string => `Back-off for ${operation}, ${endpoint}`,
  inARow: (count: number): string => formatCountOf(count, 'consecutive 429 reply', 'consecutive 429 replies'),
  upTo: (wait: string): string => `up to ${wait}`,
};

/** The state of Jobdeck, in the last line of the main window. */
export const statusBarText = {
  lastSync: 'Last sync',
  outcomeUnknown: 'Outcome unknown',
  waitingToSend: 'Waiting to send',
  tracking: 'Tracking',
  paused: (jobs: string): string => `${jobs}, paused`,
  savedLocally: 'Saved locally',
  refused: (operations: number): string => `${formatCountOf(operations, 'operation')} refused`,
  refusedHint: 'Refused for this key; everything else works. Press to try now.',
  refusedSince: (httpStatus: number, sinceMs: number, nextTry: string): string =>
    `${httpStatus} since ${formatMinute(sinceMs)}, ${nextTry}`,
  orphaned: 'Orphaned',
  orphanedHint:
    'Their connection was removed, so Jobdeck no longer checks them. It tracks them again when you add ' +
    'the connection with the same base URL and one of its endpoints.',
  untracked: 'Untracked',
  untrackedHint: 'Webhooks arrived for jobs not submitted here. Track them to save their results.',
};

/** The requests that Jobdeck may send, in the status bar. */
export const requestBudgetText = {
  /** Of the operation that is closest to its limit. */
  label: (operation: string): string => `Request budget, ${operation}`,
  meter: 'Requests used',
  spent: (spent: ReactNode, allowed: number): ReactNode => (
    <>
      {spent} / {formatCount(allowed)} per 10 s
    </>
  ),
  /** The same for a screen reader. */
  spoken: (operation: string, spent: number, allowed: number, isSlowed: boolean): string =>
    `Request budget, ${operation}: ${spent} of ${allowed} per 10 s${isSlowed ? ', slowed' : ''}`,
};

/** What a window says while the engine starts. */
export function preparationText(preparation: Preparation): { title: string; text: string } {
  if (preparation.kind === 'sandbox')
    return {
      title: 'Starting the sandbox',
      text: 'Jobdeck starts the sandbox before it tracks your jobs there. The list appears when it has started.',
    };
  const { kind, jobs } = preparation;
  const saved = jobs === null ? 'your saved jobs' : formatCountOf(jobs, 'saved job');
  switch (kind) {
    case 'upgrade':
      return {
        title: 'Bringing your history up to date',
        text: `Updating ${saved} for this version. The list appears when this is finished, and tracking resumes.`,
      };
    case 'check':
      return {
        title: 'Checking your history',
        text:
          `Jobdeck found damage and checks ${jobs === null ? 'the whole history' : saved} before it adds anything. ` +
          'The list appears when this is finished. An unusable file is set aside, never deleted.',
      };
  }
}
