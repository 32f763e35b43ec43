import { formatCount, formatCountOf, spanText } from '../../src-preload/format.ts';
import { batchRowWords } from './jobs/sections.ts';

/** The words for the rows of a batch, by what became of them. */
export const outcomeWords = {
  completed: 'completed',
  failed: 'failed',
  refused: 'refused',
  unknown: 'outcome unknown',
  gone: 'gone',
  orphaned: 'orphaned',
  cancelled: 'cancelled',
  active: batchRowWords.atService,
  toSend: batchRowWords.toSend,
};

/** `12 rows: 7 completed, 1 failed, 4 to send`. */
export function outcomesText(rows: number, parts: readonly { count: number; word: string }[]): string {
  const counts = parts.map(({ count, word }) => `${formatCount(count)} ${word}`);
  return `${formatCountOf(rows, 'row')}: ${counts.join(', ')}`;
}

/** A batch in the sidebar, on its strip and in the pane of one of its jobs. */
export const batchText = {
  batches: 'Batches',
  batch: 'Batch',
  rowsByOutcome: 'Rows by outcome',
  endedOf: (ended: number, total: number): string => `${formatCount(ended)} of ${formatCount(total)}`,
  done: (rows: number): string => `${formatCountOf(rows, 'row')}, finished`,
  /** The batch of a job is null until it is read. */
  rowOf: (row: number, batch: string | null): string =>
    `row ${formatCount(row)}${batch === null ? '' : ` of ${batch}`}`,
  hint: (name: string, outcomes: string, isPaused: boolean): string =>
    `${name}, ${outcomes}${isPaused ? ', paused' : ''}`,
};

/** How the rows of a batch are shown. */
export const batchViewText = {
  label: 'Show rows as',
  list: 'List',
  table: 'Table',
  images: 'Images',
};

/** The progress of a batch that is not over, in parts. */
export const batchProgressText = {
  paused: 'paused',
  discarding: (rows: number): string => `discarding ${formatCountOf(rows, 'unsent row')}`,
  stopped: (failures: number): string => `stopped after ${formatCountOf(failures, 'failure')}`,
  maxAtOnce: (jobs: number): string => `at most ${formatCount(jobs)} at once`,
  rate: (perSecond: number): string =>
    perSecond >= 1
      ? `${perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0)} a second`
      : `${(perSecond * 60).toFixed(0)} a minute`,
  /** `when` is what requests wait for: "when the service is reachable". */
  sentLater: (when: string): string => `the rest will be sent ${when}`,
  left: (ms: number): string => `about ${spanText(ms)} left`,
  rateLimited: 'rate limited (429)',
};

/** What can be done with a batch. */
export const batchActionText = {
  open: 'Open batch',
  rename: 'Rename…',
  pause: 'Pause',
  resume: 'Resume',
  markSeen: 'Mark all as seen',
  resubmitFailed: 'Resubmit failed',
  compare: 'Compare with a batch…',
  export: 'Export results',
  discard: 'Discard unsent rows',
  back: 'Back to all jobs',
  /** `problem`: what is wrong with the first invalid row, if it is known. */
  notSent: (problem: string | null): string => `Nothing was sent: ${problem ?? 'a row is invalid.'}`,
};

/** The name of a batch. */
export const renameBatchText = {
  title: 'Rename batch',
  name: 'Name',
  save: 'Save name',
  empty: 'Enter a name',
  renamed: 'Batch renamed',
  couldNotUndo: (problem: string): string => `Could not undo it. ${problem}`,
};

/** Discarding the rows of a batch that were not sent. */
export const discardRowsText = {
  discarded: (rows: number): string => `Discarded ${formatCountOf(rows, 'unsent row')}`,
  noneLeft: 'All rows were already sent. Nothing was discarded.',
  couldNotHold: (problem: string): string => `Could not discard the rows. ${problem}`,
  couldNotDiscard: (problem: string): string =>
    `Could not discard the rows. They are not sent while the batch is paused. ${problem}`,
  couldNotUndo: (problem: string): string => `Could not undo it. The batch stays paused; resume it. ${problem}`,
};

/** The choice of the batch whose rows are compared. */
export const compareBatchText = {
  title: (batch: string | null): string => `Compare the rows of ${batch ?? 'the batch'} with`,
  hint:
    'Row 1 is compared with row 1, row 2 with row 2. You judge each pair by a key, and the tally says which batch ' +
    'is ahead.',
  find: 'Find a batch',
  placeholder: 'Name or endpoint of a batch',
  rows: (count: number): string => formatCountOf(count, 'row'),
  none: 'There is no other batch of this connection yet.',
  noMatch: 'No other batch matches.',
};
