import type { ReactNode } from 'react';
import type { BackupProgress, OpenedBackup } from '../../../src-preload/backup.ts';
import { dayMs } from '../../../src-preload/durations.ts';
import {
  formatBytes,
  formatClock,
  formatCount,
  formatCountOf,
  formatDay,
  formatLongDay,
} from '../../../src-preload/format.ts';
import type { RetentionRule } from '../../../src-preload/settings.ts';
import type { ClockDoubt, Compacted, Forgettable, StorageUse } from '../../../src-preload/storage.ts';

/** The page about the history's disk space. */
export const storageText = {
  title: 'Storage',
  lead: 'Everything you see in Jobdeck is saved in one file on this computer.',
  showInFolder: 'Show in folder',
  couldNotMeasure: 'Could not measure the history',
  asOf: (atMs: number): string => `The sizes below are as of ${formatClock(atMs)}.`,
  measuring: 'Measuring…',
  bodies: 'Inputs, outputs and replies',
  streams: 'Streams',
  index: 'Search index',
  rest: 'Lists, times, requests and health',
  free: 'Free space in the file',
  total: 'Total',
};

/** Returning the free space of a file of an older version. */
export const compactText = {
  label: 'Compact',
  title: 'Compact the file',
  about: ({ freeBytes, totalBytes }: StorageUse, isIdle: boolean): string =>
    `An older version created this file, so its free space (${formatBytes(freeBytes)}) is not returned to ` +
    'the disk. Compacting rewrites the file once; after that, free space is returned automatically. It needs ' +
    `up to ${formatBytes(totalBytes - freeBytes)} of free disk space meanwhile, and nothing is saved ` +
    `until it has finished${isIdle ? '.' : ', so it is best done while no jobs are active.'}`,
  compact: 'Compact',
  compacting: 'Compacting…',
  compacted: ({ beforeBytes, afterBytes }: Compacted): string =>
    `Compacted: ${formatBytes(beforeBytes)} before, ${formatBytes(afterBytes)} now`,
};

/** The retention rule. */
export const retentionText = {
  title: 'Retention',
  outputs: 'Outputs and streams of jobs that have ended',
  keepOutputs: 'Keep outputs',
  keepForever: 'Keep forever',
  deleteAfter: (days: number): string => `Delete after ${formatCount(days)} days`,
  size: 'Size of the history',
  noLimit: 'No limit',
  atMost: (bytes: number): string => `At most ${formatCount(bytes / 1_000_000_000)} GB`,
  inputs: 'Delete their inputs as well',
  inputsHint: 'Without its input a job cannot be resubmitted.',
  whatStays:
    'Jobs with a star, mark, label or note keep everything. Every job keeps its title, times, requests and any ' +
    'error. A size limit deletes the oldest outputs first, and none of the last hour.',
};

/** What a new rule would delete, before it is used. */
export const rulePreviewText = {
  title: 'What this rule deletes',
  counting: 'Counting what it would delete…',
  stillCounting: 'Still counting',
  use: 'Use this rule',
  delete: ({ areInputsDeleted }: RetentionRule, jobs: number): string =>
    `Delete ${areInputsDeleted ? 'inputs and outputs' : formatCountOf(jobs, 'output')}`,
};

/** What a rule would delete now, how much space that frees, and what it cannot achieve. */
export function rulePreview(rule: RetentionRule, { jobs, freedBytes, usedBytes }: Forgettable): string {
  const leftBytes = usedBytes - freedBytes;
  const isTooLarge = rule.maxBytes !== null && leftBytes > rule.maxBytes;
  const rest = isTooLarge
    ? ` The history then still uses ${formatBytes(leftBytes)}: the rest is not deleted automatically.`
    : '';
  if (jobs === 0)
    return isTooLarge
      ? `The history uses ${formatBytes(usedBytes)}, and there is nothing in it that this rule may delete now.`
      : 'Nothing is deleted now. From now on this rule is applied every hour.';
  const what = rule.areInputsDeleted ? 'inputs and outputs' : 'outputs';
  return (
    `This deletes the ${what} of ${formatCountOf(jobs, 'job')} now and frees about ${formatBytes(freedBytes)}. ` +
    `It cannot be undone.${rest}`
  );
}

export const clockDoubtText = { deleteNow: 'Delete now…' };

/** A clock that may be wrong, and what ends the doubt. */
export function clockDoubtWords({ kind, byMs, nowMs }: ClockDoubt): { title: string; text: string } {
  const by = longSpan(byMs);
  const shown = `It shows ${formatLongDay(nowMs)}. Nothing is deleted until`;
  switch (kind) {
    case 'moved-ahead':
      return {
        title: `The clock of this computer moved ahead by ${by}`,
        text: `${shown} an answer of a service confirms this date. If it is right, you can delete now.`,
      };
    case 'ahead-of-service':
      return {
        title: `The clock of this computer is ${by} ahead of the service`,
        text: `${shown} the two agree. Set the date of this computer, then restart Jobdeck.`,
      };
    case 'behind':
      return {
        title: `The clock of this computer is behind by ${by}`,
        text: `${shown} it is right again. Set the date of this computer.`,
      };
  }
}

function longSpan(ms: number): string {
  const days = Math.round(ms / dayMs);
  return days < 730 ? formatCountOf(days, 'day') : formatCountOf(Math.round(days / 365.25), 'year');
}

export const backupText = {
  title: 'Backup',
  about:
    'A backup is a copy of the whole history in one file, with every input and output. It is written while you work. ' +
    'Keys and secrets are never in it. You can restore it here, or merge it into the history of another computer.',
  backUp: 'Back up…',
  open: 'Restore or merge…',
  busy: 'Jobdeck is already working on a backup',
};

/** The backup, check or merge in progress. */
export const backupProgressText: Readonly<Record<BackupProgress['doing'], string>> = {
  write: 'Writing the backup…',
  check: 'Checking the file…',
  merge: 'Merging…',
};

/** A backup that was opened, and what can be done with it. */
export const openedBackupText = {
  title: 'Restore or merge',
  intact: ({ jobs, oldestMs, newestMs, bytes }: OpenedBackup, nowMs: number): string => {
    const [from, to] = [oldestMs, newestMs].map((ms) => (ms === null ? '' : formatDay(ms, nowMs)));
    const span = from === '' ? '' : from === to ? ` from ${from}` : ` from ${from} to ${to}`;
    return `The backup is intact. It contains ${formatCountOf(jobs, 'job')}${span}, ${formatBytes(bytes)}.`;
  },
  aboutMerge: (hasRetentionRule: boolean): ReactNode => (
    <>
      <strong>Merge</strong> adds its jobs to your history and keeps everything you have. Connections and keys are not
      added. Merging it twice changes nothing.
      {hasRetentionRule && ' Your retention rule applies to them too, so it may delete old outputs within an hour.'}
    </>
  ),
  aboutRestore: (): ReactNode => (
    <>
      <strong>Restore</strong> replaces your history with it and restarts Jobdeck. Your current history is set aside, so
      you can undo this. Jobs that are at the service now are also in the restored history.
    </>
  ),
  restore: 'Restore and restart',
  merge: (jobs: number): string => `Merge ${formatCountOf(jobs, 'job')}`,
};

/** The last restore, while it can be undone. */
export const restoredText = {
  title: 'Last restore',
  about: (atMs: number, nowMs: number): string =>
    `Restored ${formatDay(atMs, nowMs)}, ${formatClock(atMs)}. The history you had before is set aside.`,
  undo: 'Undo the restore and restart',
};
