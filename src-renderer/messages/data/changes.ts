import type { ExportFormat } from '../../../src-preload/export.ts';
import { formatCount, formatCountOf } from '../../../src-preload/format.ts';
import { markWord, type Mark } from '../../../src-preload/judgement.ts';

/** Why something cannot be done with a job in this window. */
export const notHereText = {
  connectionRemoved: 'Its connection was removed',
  sandboxStopped: 'The sandbox is not running',
};

/** What the user changed of jobs: stars, marks, tags and titles. */
export const ownChangeText = {
  starred: (jobs: number): string => `Starred ${theJobs(jobs)}`,
  starRemoved: (jobs: number): string => `Star removed from ${theJobs(jobs)}`,
  marked: (jobs: number, mark: Mark): string => `Marked ${theJobs(jobs)} ${markWord(mark)}`,
  markRemoved: (jobs: number): string => `Mark removed from ${theJobs(jobs)}`,
  tagRemoved: (tag: string): string => `Tag ${tag} removed`,
  renamed: 'Renamed',
  notSaved: {
    star: 'Could not save the star.',
    mark: 'Could not save the mark.',
    tags: 'Could not save the tags.',
    title: 'Could not save the title.',
  },
  couldNotUndo: 'Could not undo.',
  changedSince: (jobs: number): string => `Not undone for ${theJobs(jobs)}, which changed since`,
};

/** `this job` or a number. A title would be too long for the toast of a job on screen. */
function theJobs(count: number): string {
  return count === 1 ? 'this job' : formatCountOf(count, 'job');
}

/** Why tags cannot be saved. */
export const tagProblemText = {
  tooLong: (tag: string, maxChars: number): string => `A tag has at most ${maxChars} characters: ${tag.slice(0, 20)}…`,
  tooMany: (count: number, max: number): string => `A job has at most ${max} tags; these are ${count}`,
};

/** Jobs that are deleted from the history. A reason is a sentence without its full stop. */
export const deletionText = {
  notDeleted: (reason: string): string => `Not deleted. ${reason}.`,
  deleted: (count: number): string => `Deleted ${formatCountOf(count, 'job')}`,
  partlyDeleted: (count: number, others: number, reason: string): string =>
    `Deleted ${formatCountOf(count, 'job')}; ${formatCount(others)} not deleted. ${reason}.`,
  jobsNotDeleted: (count: number, reason: string): string => `${formatCountOf(count, 'job')} not deleted. ${reason}.`,
  couldNotDelete: (count: number): string => `Could not delete ${formatCountOf(count, 'job')}.`,
  deletedForGood: (count: number): string => `Deleted ${formatCountOf(count, 'job')} for good`,
  partlyDeletedForGood: (count: number, others: number, reason: string): string =>
    `Deleted ${formatCountOf(count, 'job')} for good; ${formatCount(others)} not deleted. ${reason}.`,
  forGood: 'Delete for good…',
};

/** Jobs that come back from the bin. */
export const restoredText = {
  couldNotRestore: (count: number): string => `Could not restore ${formatCountOf(count, 'job')}.`,
  missing: (count: number): string => `${formatCountOf(count, 'job')} could not be restored: no longer in the bin.`,
};

/** What undoes the cancelling of jobs that had not left this computer. */
export const undoCancelText = {
  undo: (jobs: number): string => `Undo ${formatCountOf(jobs, 'job')}`,
  submitAgain: (jobs: number): string =>
    jobs === 1 ? 'Submit again' : `Submit ${formatCountOf(jobs, 'unsent job')} again`,
  couldNotUndo: (jobs: number): string => `Could not undo it for ${formatCountOf(jobs, 'job')}.`,
};

/** What became of retries or new jobs that were to be withdrawn before they left. `left`: how many had left. */
export const withdrawnText = {
  retry: (count: number, left: number): string => withdrawn(count, left, formatCountOf(count, 'retry', 'retries')),
  job: (count: number, left: number): string => withdrawn(count, left, formatCountOf(count, 'new job')),
};

function withdrawn(count: number, left: number, counted: string): string {
  if (count === 0 && left > 0) return `Too late to undo: all ${formatCount(left)} had already left.`;
  return `${counted} will not be sent.${left === 0 ? '' : ` Too late for ${formatCount(left)} that had already left.`}`;
}

/** Actions on all jobs that match a filter. */
export const wholeListText = {
  selectedNewest: (count: number): string => `Selected the newest ${formatCount(count)} jobs. More match the filter.`,
  markedSeen: (count: number): string => `${formatCountOf(count, 'job')} marked as seen`,
  allSeenBefore: 'All of them were seen before',
  couldNotMarkSeen: 'Could not mark all of them as seen.',
};

export const exportTitles: Readonly<Record<ExportFormat, string>> = {
  report: 'Export as HTML report',
  ndjson: 'Export as NDJSON',
  csv: 'Export as CSV',
  dataset: 'Export as dataset',
};

/** After an export. */
export function exportedText(jobs: number, path: string): string {
  return `${formatCountOf(jobs, 'job')} written to ${path}`;
}
