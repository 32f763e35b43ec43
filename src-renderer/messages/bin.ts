import { binDays, type BinUse } from '../../src-preload/bin.ts';
import { dayMs } from '../../src-preload/durations.ts';
import { formatAge, formatBytes, formatCount, formatCountOf } from '../../src-preload/format.ts';

const holds = ({ jobs, bytes }: Pick<BinUse, 'jobs' | 'bytes'>): string =>
  `${formatCountOf(jobs, 'job')}, ${formatBytes(bytes)}`;

/** The place of deleted jobs. */
export const binText = {
  list: 'Deleted jobs',
  holds,
  about:
    `A deleted job stays here for ${formatCount(binDays)} days with everything saved of it, then it is deleted ` +
    'for good.',
  emptyTitle: 'No deleted jobs',
  emptyHint: `Del deletes the selected jobs. They stay here for ${formatCount(binDays)} days and can be restored.`,
  toJobs: 'Show all jobs',
  couldNotRead: 'Could not read the deleted jobs',
  setAside: (path: string): string =>
    `An older bin could not be read. It is unchanged, at ${path}, and jobs deleted since are below.`,
  more: (left: number): string => `Show ${formatCount(left)} more`,
  restoreAll: 'Restore all',
  empty: 'Empty bin…',
  restore: 'Restore',
  deleteForGood: 'Delete for good',
  deleted: (ageMs: number): string => `deleted ${formatAge(ageMs)} ago`,
  /** `leftMs`: until it is deleted for good. */
  left: (leftMs: number): string =>
    leftMs < dayMs ? 'less than a day left' : `${formatCountOf(Math.floor(leftMs / dayMs), 'day')} left`,
  keys: 'Enter restores the job in focus; Del deletes it for good.',
};

/** What restoring from the bin came to. */
export const binDoneText = {
  restored: (count: number): string => `Restored ${formatCountOf(count, 'job')}`,
  emptied: (use: Pick<BinUse, 'jobs' | 'bytes'>): string => `Bin emptied: ${holds(use)}`,
  couldNotEmpty: 'Could not empty the bin.',
  couldNotDelete: 'Could not delete the job for good.',
};

/** The question before something leaves the bin for good. */
export const binQuestionText = {
  one: 'Delete this job for good?',
  oneHint: (title: string): string =>
    `“${title}” and everything saved of it is removed from this computer. This cannot be undone.`,
  all: (jobs: number): string => `Delete ${formatCountOf(jobs, 'job')} for good?`,
  allHint: (use: Pick<BinUse, 'jobs' | 'bytes'>): string =>
    `Everything saved of ${use.jobs === 1 ? 'it' : 'them'} is removed from this computer, which frees ` +
    `${formatBytes(use.bytes)}. This cannot be undone.`,
  empty: 'Empty bin',
};

/** The bin on the page about disk space. */
export const binSectionText = {
  title: 'Deleted jobs',
  about:
    `A deleted job stays in the bin for ${formatCount(binDays)} days and can be restored. The bin is a file beside ` +
    'the history: it does not count towards a size limit, retention neither deletes from it nor puts anything into ' +
    'it, and backups do not include it.',
  none: 'The bin is empty.',
  show: 'Show deleted jobs',
};
