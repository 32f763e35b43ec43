import { formatCountOf } from '../../../src-preload/format.ts';

/** The question before several jobs are cancelled. */
export const cancelJobsText = {
  cancel: (count: number): string => `Cancel ${formatCountOf(count, 'job')}`,
  hint:
    'Jobs at the service stop, which cannot be undone. Unsent ones can be submitted again. Output streamed so far ' +
    'stays saved here.',
};

/** The question before many jobs are sent again. Time and cost of each endpoint are beside it. */
export const bulkQuestionText = {
  retry: {
    title: (count: number): string => `Retry ${formatCountOf(count, 'job')}?`,
    send: (count: number): string => `Retry ${formatCountOf(count, 'job')}`,
    hint: 'The service runs each of them again. Those that have not left this computer can be withdrawn.',
  },
  resubmit: {
    title: (count: number): string => `Submit ${formatCountOf(count, 'job')} again?`,
    send: (count: number): string => `Submit ${formatCountOf(count, 'job')}`,
    hint: 'Each becomes a new job with the same input. Those that have not left this computer can be withdrawn.',
  },
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
