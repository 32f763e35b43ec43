import type { MergedJobs, WrittenBackup } from '../../../src-preload/backup.ts';
import { formatBytes, formatCountOf } from '../../../src-preload/format.ts';

/** The result of a backup, and why it failed. */
export const backupWorkText = {
  couldNotBackUp: 'Could not back up',
  backedUp: ({ jobs, bytes, path }: WrittenBackup): string =>
    `Backed up ${formatCountOf(jobs, 'job')}, ${formatBytes(bytes)}, to ${path}`,
  couldNotOpen: 'Could not open the file',
  couldNotMerge: 'The merge ended early',
  merged: ({ added, enriched }: MergedJobs): string => {
    if (added === 0 && enriched === 0) return 'Nothing new: your history has all of its jobs';
    const parts = [
      ...(added === 0 ? [] : [`${formatCountOf(added, 'job')} added`]),
      ...(enriched === 0 ? [] : [`${formatCountOf(enriched, 'job')} updated`]),
    ];
    return parts.join(', ');
  },
  couldNotRestore: 'Could not restore',
  couldNotUndo: 'Could not undo the restore',
};
