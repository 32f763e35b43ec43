import type { ExportFormat } from '../../../src-preload/export.ts';
import { formatCount, formatCountOf } from '../../../src-preload/format.ts';
import { commonText } from '../common.ts';

/** The commands for one job. `keywords` are not shown: a command is found by them, too. */
export const jobCommandText = {
  edit: {
    label: commonText.resubmitWithEdits,
    hint: 'opens the composer with this input',
    keywords: ['rerun', 'again', 'repeat', 'clone'],
  },
  resubmit: { label: 'Resubmit unchanged', hint: 'new id, same input' },
  retry: { label: commonText.retry, hint: 'same id, a new attempt' },
  runAgain: { label: commonText.runAgain, hint: 'new id, same input' },
  cancel: { label: 'Cancel job', keywords: ['stop', 'abort', 'kill'] },
  star: { label: commonText.star },
  removeStar: { label: commonText.removeStar },
  delete: { label: 'Delete job', hint: 'from this computer, with its output', keywords: ['remove', 'forget'] },
  check: { label: 'Check now', hint: 'its status' },
  checkGone: { label: 'Check now', hint: 'whether the service knows it again' },
  stopWaiting: { label: 'Stop waiting for the rest of its stream' },
  select: { label: 'Select', hint: 'for actions on several' },
  tag: { label: 'Tag' },
  markAsSeen: { label: 'Mark as seen' },
  sameInput: {
    label: 'Runs of this input',
    hint: 'of this endpoint, in the list',
    keywords: ['same', 'duplicates', 'repeat'],
  },
  compareAttempts: { label: 'Compare attempts', hint: 'the last four at most' },
  copyOutput: { label: commonText.copyOutput, keywords: ['result', 'clipboard'] },
  copyId: { label: 'Copy id' },
  copyLink: { label: 'Copy link', keywords: ['share', 'jobdeck://'] },
  copyCurl: { label: 'Copy as cURL', hint: 'without the key' },
  requestCode: { label: 'Request as code', hint: 'PowerShell, fetch, SDKs' },
  openInOwnWindow: { label: commonText.openInOwnWindow },
  openInMainWindow: { label: 'Open in the main window', hint: 'with the list', keywords: ['show', 'list'] },
};

/** What the commands that export one job write of it. */
export const exportJobHints: Readonly<Record<ExportFormat, string>> = {
  report: 'this job, with its images',
  ndjson: 'this job, with its input and output',
  csv: 'this job, with its input and output',
  dataset: 'input, output, mark, label and note',
};

/** The commands for the user's own opinion of a job. */
export const judgementCommandText = {
  markGood: { label: 'Mark good' },
  removeGood: { label: 'Remove the good mark' },
  markBad: { label: 'Mark bad' },
  removeBad: { label: 'Remove the bad mark' },
  mark: { label: 'Mark 1 to 5', hint: 'and label' },
  label: { label: 'Label' },
  rename: { label: 'Rename' },
  readNote: { label: 'Read the note', hint: 'in markdown, found by search' },
  writeNote: { label: 'Write a note', hint: 'in markdown, found by search' },
  copyDataset: { label: 'Copy as dataset', hint: 'input, output, mark, label and note' },
};

/** Why a command for a job is not available. */
export const jobRefusalText = {
  inputUnknown: 'It was submitted elsewhere; its input is not known here',
  noId: 'It has no id yet',
  noOutput: 'It has no output',
};

/** The actions on the selected jobs, and why one is not available. */
export const pickedText = {
  retry: commonText.retry,
  resubmit: 'Resubmit',
  cancel: commonText.cancel,
  compare: 'Compare',
  judge: 'Mark and label',
  tag: jobCommandText.tag.label,
  markAsSeen: jobCommandText.markAsSeen.label,
  copyDataset: judgementCommandText.copyDataset.label,
  delete: commonText.delete,
  noneToRetry: 'None of the selected jobs can be retried',
  noneToResubmit: 'None of the selected jobs can be resubmitted',
  noneToCancel: 'None of the selected jobs can be cancelled',
  noneToMarkAsSeen: 'None of the selected jobs can be marked as seen',
  noneToDelete: 'None of the selected jobs can be deleted',
  compareWithOpen: 'Compare the selected job with the open one',
  selectToCompare: 'Select two to four jobs to compare',
  /** An action that applies to some of the selected jobs: `Retry 2`. */
  forSome: (action: string, count: number): string => `${action} ${formatCount(count)}`,
  /** `Retry 2 selected jobs`, `Export 2 selected jobs as CSV`. */
  forSelected: (action: string, count: number): string =>
    action.replace(/(?= as )|$/, ` ${formatCountOf(count, 'selected job')}`),
};

/** The menu of a row of the list. */
export const rowMenuText = {
  copy: 'Copy',
  export: 'Export',
  filterByTag: (tag: string): string => `Filter by tag:${tag}`,
  removeTag: (tag: string): string => `Remove tag ${tag}`,
  selectedJobs: (count: number): string => formatCountOf(count, 'selected job'),
  clearSelection: 'Clear selection',
};
