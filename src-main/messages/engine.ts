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
