import { maxBatchRows } from '../../src-preload/batch.ts';
import { formatCount } from '../../src-preload/format.ts';

/** Jobdeck closes. */
export const closingText = { nothingDone: 'Jobdeck is closing, so nothing was done. Saved data stays.' };

/** The folder of all data. */
export const folderText = {
  inUse: (dataDir: string): string =>
    `Another Jobdeck is using the data in ${dataDir}, perhaps on another computer. Two at once would send jobs ` +
    'twice. Close the other one first.',
};

/** Files that the user saves. */
export const saveText = {
  couldNotWrite: (path: string, why: string): string => `Could not write ${path}; no part of it was saved. ${why}`,
  ownFile: (path: string): string =>
    `Jobdeck keeps its own data under this name: ${path}. Nothing was written. Choose another name or folder.`,
};

/** Requests of the windows about jobs and batches. */
export const requestText = {
  noJobId: 'The service gave this job no id.',
  noS3Profile: 'The S3 profile of this job no longer exists.',
  noRows: 'There are no rows to submit.',
  tooManyRows: `A batch has at most ${formatCount(maxBatchRows)} rows. Submit the rest as another batch.`,
  proxyFirst: 'Enter the address of the proxy and your user name for it first.',
};

/** Why the system refused to write a file. */
export const fileText = {
  fullDisk: 'The disk is full. Free some space, or choose another disk.',
  closedFolder: 'The folder cannot be written to. Choose another one.',
  noFolder: 'The folder no longer exists. Choose another one.',
  othersHang:
    'Two other files are still being written, and their disk may not answer. Nothing of this one was written. ' +
    'Try again when they are saved.',
};

/** Settings that are read and changed. */
export const settingsText = {
  couldNotRead: 'Could not read the settings; the defaults apply.',
  couldNotSave: 'Could not save the setting. Check that the disk is not full, then try again.',
  badValue: (field: string): string => `This value does not fit the setting "${field}". The setting is unchanged.`,
  secretInPreset:
    'The preset was not saved because it contains an API key or another secret that Jobdeck knows. Remove it ' +
    'from the input, then save again.',
};

export const webhookText = {
  couldNotStart:
    'Could not start the webhook receiver on 127.0.0.1. Jobdeck polls the jobs either way; try again later.',
};
