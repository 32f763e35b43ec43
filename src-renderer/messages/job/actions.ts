import { countText } from '../common.ts';

/** What an action on a job could not do. The reason is shown below it. */
export const jobActionFailed = {
  cancel: 'Could not cancel the job',
  check: 'Could not check the job',
  copyCommand: 'Could not copy the command',
  copyId: 'Could not copy the id',
  copyLink: 'Could not copy the link',
  copyOutput: 'Could not copy the output',
  openInEditor: 'Could not open it in your editor',
  openWindow: 'Could not open the window',
  resubmit: 'Could not resubmit the job',
  retry: 'Could not retry the job',
  saveOutput: 'Could not save the output',
  stopWaiting: 'Could not stop waiting for the stream',
  track: 'Could not track the job',
  /** The check worked: the job is still gone. */
  stillGone: 'Checked just now',
};

/** What an action on a job did. */
export const jobActionDone = {
  checking: 'Checking now',
  commandCopied: 'cURL copied without the key',
  idCopied: 'Id copied',
  knownAgain: 'The service knows this job again; Jobdeck tracks it',
  linkCopied: 'Link copied',
  nothingToCopy: 'There is no output to copy',
  nothingToSave: 'There is no output to save',
  nothingToOpen: 'There is no output to open',
  notSent: 'Not sent',
  openedInEditor: 'Opened a read-only copy. Jobdeck deletes it when it quits.',
  outputCopied: 'Output copied',
  resubmitted: 'Resubmitted as a new job',
  retryWithdrawn: 'The retry will not be sent',
  stoppedWaiting: 'Stopped waiting for the stream',
};

export const datasetText = {
  notCopied: (why: string): string => `Could not copy the dataset. ${why}`,
  copied: (jobs: number): string => `${countText.jobs(jobs)} copied as a dataset`,
  firstCopied: (jobs: number, selected: number): string =>
    `Copied the first ${countText.jobs(jobs)} of ${selected}; export the rest as a dataset`,
};
