import { formatCountOf } from '../../src-preload/format.ts';

/** Words that many parts of the windows share. */
export const commonText = {
  addConnectionFirst: 'Add a connection first',
  cancel: 'Cancel',
  checkNow: 'Check now',
  close: 'Close',
  copied: 'Copied',
  copyOutput: 'Copy output',
  delete: 'Delete',
  dismiss: 'Dismiss',
  dontCancel: 'Don’t cancel',
  edit: 'Edit',
  endpoint: 'Endpoint',
  loading: 'Loading',
  newJob: 'New job',
  noRestUrl: 'This connection has no REST URL',
  openInOwnWindow: 'Open in its own window',
  reload: 'Reload',
  removeStar: 'Remove star',
  resubmitWithEdits: 'Resubmit with edits',
  retry: 'Retry',
  runAgain: 'Run again',
  sandbox: 'Sandbox',
  show: 'Show',
  star: 'Star',
  tryAgain: 'Try again',
  tryNow: 'Try now',
  undo: 'Undo',
};

/** What the undo key did. `done`: what was done before, such as “Deleted 1 job”. */
export const undoneText = (done: string): string => `Undone: ${done}`;

/** Counts of what many parts of the windows count. */
export const countText = {
  endpoints: (count: number): string => formatCountOf(count, 'endpoint'),
  jobs: (count: number): string => formatCountOf(count, 'job'),
};
