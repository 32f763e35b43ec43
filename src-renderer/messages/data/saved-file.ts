import { formatCountOf } from '../../../src-preload/format.ts';

/** Files that were saved. */
export const savedFileText = {
  saved: 'Saved the file',
  savedFiles: (count: number): string => `Saved ${formatCountOf(count, 'file')}`,
  showInFolder: 'Show in folder',
};
