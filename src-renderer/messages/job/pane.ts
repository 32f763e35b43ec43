import {
  formatBytes,
  formatClock,
  formatCount,
  formatCountOf,
  formatDuration,
  formatLongDay,
  formatMinute,
} from '../../../src-preload/format.ts';
import { binDays } from '../../../src-preload/bin.ts';
import { commonText, countText } from '../common.ts';
import { formatMoment } from './formats.ts';

/** The note tab. */
export const noteText = {
  note: 'Note',
  write: 'Write',
  read: 'Read',
  placeholder: 'What you want to remember about this job. Markdown works; the search finds it.',
  empty: 'Nothing written yet',
  saving: 'Saving',
  saved: 'Saved on this computer',
  reading: 'Reading the note',
  keepThis: 'Keep this text',
  showOther: 'Show the other note',
  dropped: 'Your text was replaced by the other note',
  notSaved: (why: string): string => `Could not save the note. ${why}`,
};

/** The pane or window of a job as a whole. */
export const jobPaneText = {
  job: 'Job',
  facts: 'Facts',
  deletedTitle: 'Deleted',
  deletedHint: `This job is in the bin, with everything saved of it. It is deleted for good after ${binDays} days.`,
  restore: 'Restore',
  notInHistory: 'This job is not in the history',
  notRead: 'Could not read the job',
  tabs: 'Parts of the job',
  output: 'Output',
  input: 'Input',
  metrics: 'Metrics',
  requests: 'Requests',
  note: 'Note',
};

/** What a screen reader says of the job in view, after or instead of the word for its state. */
export const spokenText = {
  output: 'Output started',
  endedAfter: (word: string, ranMs: number): string => `${word} after ${formatDuration(ranMs)}`,
  attempt: (number: number, state: string): string => `Attempt ${number}: ${state}`,
};

/** What the state of the connection means for the job, beside its buttons. */
export const connectionNoteText = {
  /** The banner says since when. It has room beside the buttons. */
  offline: 'Offline: requests wait',
  offlineRunning: (sinceMs: number): string => `Offline since ${formatMinute(sinceMs)}; the job may have changed since`,
  keyRefused: (httpStatus: number): string =>
    `The service refuses this key (${httpStatus}); Jobdeck retries automatically`,
  noKey: 'No key saved for this connection',
  sandboxStopped: 'The sandbox is not running',
  readsRefused: (httpStatus: number, sinceMs: number): string =>
    `Status reads refused (${httpStatus}) since ${formatMinute(sinceMs)}; the job may have changed since`,
};

/** The notes above a job's timeline. */
export const paneNoteText = {
  retryTitle: 'Will be retried',
  cancelRetry: 'Cancel retry',
  /** `when` is what the retry waits for: "when the service is reachable". */
  retry: (when: string | null, retentionEndsAtMs: number | null): string =>
    `Will be sent once, ${when ?? 'as soon as the retry limit allows'}` +
    `${retentionEndsAtMs === null ? '' : `, unless the result expires first, at ${formatMinute(retentionEndsAtMs)}`}.`,
  notTrackedTitle: 'No longer tracked',
  editConnection: 'Edit connection',
  otherAddress: (from: string, to: string): string =>
    `Sent to ${from}. The connection now points to ${to}, so its key is not sent to the old address and this ` +
    'job is not tracked. Point the connection back to track it.',
};

/** Status, id and small buttons above a job's title, and the facts below it. */
export const jobHeaderText = {
  cancelling: 'Cancelling',
  gone: 'Gone from server',
  noId: 'no id',
  noIdYet: 'no id yet',
  copyId: 'Copy id',
  markGood: 'Mark good',
  markBad: 'Mark bad',
  starred: 'Starred',
  external: 'submitted elsewhere',
  trackedSince: (atMs: number, nowMs: number): string => `tracked since ${formatMoment(atMs, nowMs)}`,
  submitted: (atMs: number, nowMs: number): string => `submitted ${formatMoment(atMs, nowMs)}`,
  /** Of a job that the service does not have yet. */
  created: (atMs: number, nowMs: number): string => `created ${formatMoment(atMs, nowMs)}`,
  input: (bytes: number): string => `input ${formatBytes(bytes)}`,
};

/** The choice between the attempts of a job. */
export const attemptText = {
  attempt: (number: number, count: number): string => `Attempt ${number} of ${count}`,
  /** `status` is a word such as "Failed". */
  note: (status: string, startedAtMs: number): string => `${status}, ${formatClock(startedAtMs)}`,
  compare: 'Compare attempts',
};

/** The links to the jobs with the same input. */
export const lineageText = {
  fromDeleted: 'resubmitted from a deleted job',
  from: (name: string): string => `resubmitted from ${name}`,
  as: (name: string): string => `resubmitted as ${name}`,
  asJobs: (count: number): string => `resubmitted as ${countText.jobs(count)}`,
  otherRuns: (count: number): string => `${formatCountOf(count, 'other run')} of this input`,
  compareBoth: 'Compare both',
  compareThese: 'Compare with these',
  compareNewest: 'Compare with the newest three',
  showAll: (count: number): string => `Show all ${formatCount(count)} in the list`,
};

/** What can be done with a job, on the buttons of its pane. */
export const jobActionNames = {
  cancel: 'Cancel job',
  retry: commonText.retry,
  'run-again': commonText.runAgain,
  'resubmit-edits': commonText.resubmitWithEdits,
  curl: 'Copy as cURL',
};

export const jobActionsText = { toolbar: 'Job actions', inProgress: 'In progress' };

/** The button of the menu of a job. */
export const moreMenuText = { more: 'More' };

/** A job's error with its traceback. */
export const errorText = {
  error: 'Error',
  copy: 'Copy',
  copyError: 'Copy error',
  copied: 'Error copied',
  traceback: 'Traceback',
  /** How many jobs failed for this cause, the one that is shown included. */
  alike: (jobs: number): string => `${formatCountOf(jobs, 'job')} failed this way`,
  showAlike: 'Show them',
  /** Between the line of a frame and its function: "handler.py:12 in run". */
  in: 'in',
};

/** The input tab. */
export const inputText = {
  notRead: 'Could not read the input',
  deletedTitle: 'Input deleted',
  deleted: (atMs: number): string =>
    `Your retention rule deleted it on ${formatLongDay(atMs)}, so the job cannot be resubmitted. Its title, its ` +
    'times and any error are still here.',
  notSaved: 'No input saved for this job',
  external: 'It was submitted elsewhere, so only its sender knows the input.',
  damaged: 'Its record was damaged.',
  asSubmitted: 'Input as submitted',
  find: 'Find in the input',
  copy: 'Copy input',
  openInEditor: 'Open input in your editor',
  input: 'Input',
};
