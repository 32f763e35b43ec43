import { formatCountOf } from '../../../src-preload/format.ts';

/** The question before several jobs are cancelled. */
export const cancelJobsText = {
  cancel: (count: number): string => `Cancel ${formatCountOf(count, 'job')}`,
  hint:
    'Jobs at the service stop, which cannot be undone. Unsent ones can be submitted again. Output streamed so far ' +
    'stays saved here.',
};

/** The question before jobs are deleted that cannot go into the bin. */
export const deleteForGoodText = {
  title: (count: number): string => `Delete ${formatCountOf(count, 'job')} for good?`,
  delete: (count: number): string => `Delete ${formatCountOf(count, 'job')} for good`,
  hint:
    'They do not go into the bin, and everything saved of them is removed from this computer. This cannot be undone. ' +
    'Nothing changes at the service.',
};

/** The name of a saved view. */
export const viewNameText = {
  save: 'Save view',
  rename: 'Rename view',
  name: 'Name',
  example: 'Failed this week',
  hint: 'The filter and the order of the list, under this name in the sidebar.',
  empty: 'Enter a name',
  taken: 'Another view has this name',
};
