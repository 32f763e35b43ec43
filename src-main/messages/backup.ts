import { listed } from '../../src-preload/messages/sentence.ts';

/** More jobs are only counted. */
const maxNamed = 5;

const mergedSoFar = 'What was merged so far stays; merging again continues with the rest.';

/** Backups of the history, their restore, and the merge of another history. */
export const backupText = {
  busy: 'Jobdeck is already working on a backup. Wait for it, or cancel it.',
  notOpen: 'The backup is no longer open. Choose it again.',
  notWritten: (why: string): string => `No part of the backup was saved. ${why}`,
  copyDamaged: (damage: string): string => `The copy is not sound: ${damage}`,
  jobLost: (key: string): string => `The other history lost the job ${key} while it was merged.`,
  formerGone: 'The history from before the restore is no longer there. Nothing was changed.',
  mergeStopped: `The merge was stopped. ${mergedSoFar}`,
  mergeFailed: (why: string): string => `${why} ${mergedSoFar}`,
  endedUnexpectedly: 'The work ended unexpectedly. Nothing was changed; try again.',
};

/** Why a file is not read as a backup. */
export const notBackupText = {
  gone: 'The file no longer exists. Nothing was changed.',
  noFile: 'This is not a file. Nothing was changed.',
  empty: 'The file is empty, so it contains no history. Nothing was changed.',
  damaged: 'The file is damaged, so it cannot be read safely. Nothing was changed. Choose another backup.',
  newer: 'A newer version of Jobdeck wrote this file. Update Jobdeck, then try again. Nothing was changed.',
  'not-a-database': 'This file is not a Jobdeck backup. Nothing was changed.',
};

const trackById = 'The service has their results for half an hour at least: track them by their ids.';

/** Active jobs of a damaged history that a backup took the place of. Others were known when it was chosen. */
export const leftBehindText = {
  all: `Jobdeck could not read which jobs were sent after you chose the backup, and does not track these. ${trackById}`,
  some: (jobs: readonly { title: string; jobId: string | null }[]): string => {
    const names = jobs.slice(0, maxNamed).map(({ title, jobId }) => (jobId === null ? title : `${title} (${jobId})`));
    const others = jobs.length - names.length;
    const which = others > 0 ? `${names.join(', ')} and ${others} more` : listed(names);
    return (
      `Jobdeck could not read all that was sent after you chose the backup, and does not track ${which}. ` + trackById
    );
  },
};

/** Jobs that come from another history. */
export const mergedJobText = {
  maybeSent:
    'It was not sent yet when this copy of the history was made, and may have been sent since. Check at the service ' +
    'before you submit it again.',
  activeElsewhere: 'It was active on another computer when its history was merged. Jobdeck does not track it here.',
  titleElsewhere: (title: string): string => `Title elsewhere: ${title}`,
  markElsewhere: (mark: string): string => `Mark elsewhere: ${mark}`,
  labelElsewhere: (label: string): string => `Label elsewhere: ${label}`,
};
